"""Measures what being profiled by chip-prof costs a call: a table, profile.json. `scripts/bench profile` calls this."""
import argparse
import os
import statistics
import subprocess
import tempfile

import report
from report import NANOSECONDS

TABLES = [
    ("hipGetDevice", [
        ("call_ns", "a call", NANOSECONDS, None),
        ("overhead_off_ns", "  what its gate adds, without a tool", NANOSECONDS, 2),
        ("overhead_on_ns", "what chip-prof adds", NANOSECONDS, 100),
        ("overhead_timeline_ns", "  with a timeline", NANOSECONDS, None),
    ]),
]


def times(program, batches, *profiler, **variables):
    """The time of a call, and of one past its gate."""
    environment = {**os.environ, "CHIP_DEVICE": "cpu", **variables}
    text = subprocess.run([*profiler, program, str(batches)], check=True, stdout=subprocess.PIPE, text=True,
                          env=environment).stdout
    return [float(word) for word in text.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_profile")
    parser.add_argument("--chip-prof", required=True)
    parser.add_argument("--ungated", required=True, help="the library of ungated.cpp")
    parser.add_argument("--output", required=True, help="directory for profile.json")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    rounds, batches = (1, 5) if options.quick else (15, 101)
    found = {"call_ns": [], "overhead_off_ns": [], "overhead_on_ns": [], "overhead_timeline_ns": []}
    with tempfile.TemporaryDirectory() as folder:
        tables = ["--output", os.path.join(folder, "tables")]
        for _ in range(rounds):
            call, ungated = times(options.program, batches, CHIP_TOOL=options.ungated)
            profiled, _ = times(options.program, batches, options.chip_prof, *tables)
            traced, _ = times(options.program, batches, options.chip_prof, *tables, "--timeline", os.path.join(folder, "t"))
            found["call_ns"].append(call)
            found["overhead_off_ns"].append(call - ungated)
            found["overhead_on_ns"].append(profiled - call)
            found["overhead_timeline_ns"].append(traced - call)
    figures = {key: statistics.median(values) for key, values in found.items()}
    os.makedirs(options.output, exist_ok=True)
    report.write(figures, os.path.join(options.output, "profile.json"))
    report.print_tables(TABLES, figures)


if __name__ == "__main__":
    main()
