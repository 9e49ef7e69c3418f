"""What the benchmarks share: running them, tables of figures next to their bars, and the JSON file."""
import json
import os
import subprocess
import sys

NANOSECONDS, MILLISECONDS, MEGABYTES, RATIO, COUNT = "ns", "ms", "MB", "", "each"
AT_LEAST = ("two_streams_speedup", "graph_branches_speedup")  # of others less is better
COUNT_TOLERANCE = 0.01  # of allocations: the driver makes one now and then


def on_device(device):
    """The beginning of a command that runs on the device: pvc, cpu or gpu."""
    if device == "pvc":
        return [os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts/pvc-sim")]
    return ["env", f"CHIP_DEVICE={device}"]


def measure(command, path, quick):
    """Runs a program that writes its figures to `path` as JSON. Returns them; prints the first line of what it prints, and
    returns that line too."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    effort = ["--batches", "1", "--batch-size", "20"] if quick else []
    text = subprocess.run([*command, "--json", path, *effort], check=True, stdout=subprocess.PIPE, text=True).stdout
    title = text.partition("\n")[0]
    print(title)
    with open(path, encoding="utf-8") as file:
        return json.load(file), title


def expect(keys, figures):
    """Ends the program if one of them is missing."""
    lost = [key for key in keys if key not in figures]
    if lost:
        sys.exit(f"bench: figures that did not come out: {', '.join(lost)}")


def keys_of(tables):
    return [key for _, rows in tables for key, *_ in rows]


def write(figures, path):
    """Writes a flat object of numbers."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=2)
        file.write("\n")


def judge(key, value, bar):
    if key in AT_LEAST:
        return f"at least {bar:g}", value >= bar
    tolerance = COUNT_TOLERANCE if key == "heap_allocs_per_launch" else 0
    return f"at most {bar:,.5g}", value <= bar + tolerance


def print_tables(tables, figures):
    """Each is a title and rows of (key, label, unit, bar): the bar is a number that the figure may not exceed (speedup:
    not fall below), or a function of all figures, or None. Figures that are missing are left out."""
    for title, rows in tables:
        print(f"\n{title}")
        for key, label, unit, bar in rows:
            if key not in figures:
                continue
            value = figures[key]
            decimals = 2 if unit in (RATIO, MILLISECONDS) or value < 1 else 0
            line = f"  {label:50} {value:12,.{decimals}f} {unit:5}"
            if bar is not None:
                text, met = judge(key, value, bar(figures) if callable(bar) else bar)
                line += f"  {text:18} {'met' if met else 'MISSED'}"
            print(line)
