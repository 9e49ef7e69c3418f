#!/usr/bin/env python3
"""Measures what a step of samples/patterns.hip costs with all that libCHIP keeps, without each part of it (CHIP_CACHES), and
without any. Prints a table, writes patterns.json, and docs/patterns.svg if it is asked to."""
import argparse
import os
import statistics
import subprocess

import plot
import report

CACHES = {"on": None, "modules": "modules", "queues": "queues", "memory": "memory", "arguments": "arguments", "off": "0"}
PATTERNS = {"generated": "generated host code", "jit": "run-time compiler", "streams": "21 streams"}


def run(options, caches):
    """The nanoseconds of a step of each pattern."""
    environment = {name: value for name, value in os.environ.items() if name != "CHIP_CACHES"}
    if caches:
        environment["CHIP_CACHES"] = caches
    steps = "5" if options.quick else "100"
    text = subprocess.run([*report.on_device(options.device), options.program, steps], env=environment, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return {words[0].removesuffix("_step_ns"): float(words[1]) for words in lines if words[0].endswith("_step_ns")}


def key_of(pattern, name):
    return f"{pattern}_{name}_ns" if name in ("on", "off") else f"{pattern}_without_{name}_ns"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="samples/patterns")
    parser.add_argument("--device", choices=("pvc", "cpu", "gpu"), default="pvc")
    parser.add_argument("--output", required=True, help="directory for patterns.json")
    parser.add_argument("--plot", help="an SVG to write")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    # In turns, so that whatever else the machine does hits all alike.
    rounds = [{name: run(options, caches) for name, caches in CACHES.items()} for _ in range(1 if options.quick else 5)]
    figures = {key_of(pattern, name): statistics.median(turn[name][pattern] for turn in rounds)
               for pattern in PATTERNS for name in CACHES}
    labels = {"on": "all that is kept", "off": "nothing is kept"}
    report.print_tables([(title, [(key_of(pattern, name), labels.get(name, f"without {name}"), report.NANOSECONDS, None)
                                  for name in CACHES]) for pattern, title in PATTERNS.items()], figures)
    os.makedirs(options.output, exist_ok=True)
    report.write(figures, os.path.join(options.output, "patterns.json"))
    if options.plot:
        names = list(CACHES)
        rows = [(i, *(figures[key_of(pattern, name)] / 1000 for name in names)) for i, pattern in enumerate(PATTERNS)]
        plot.draw_patterns(rows, [labels.get(name, f"without {name}") for name in names], PATTERNS.values(), options.plot)


if __name__ == "__main__":
    main()
