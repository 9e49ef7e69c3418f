"""Measures what hipcc takes to compile, and counts what device code lacks: tables and device.json. `scripts/bench device`
calls this.

compile_ratio is the time of hipcc for a file of 100 lines over that of the same clang with the official headers for an AMD
GPU: its assembly and the host's object, which is less than a whole compilation there since nothing is linked. Both are run in
turn, and the medians count. compile_ratio_host is the same over the compilation of the host's half alone, which a compiler
for two targets cannot come near.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import report

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FUNCTIONS = os.path.join(HERE, "..", "device", "functions", "functions.py")
TABLES = [
    ("Compilation of a file of 100 lines", [
        ("compile_ms", "hipcc", report.MILLISECONDS, None),
        ("compile_device_ms", "  front end and optimiser for the device", report.MILLISECONDS, None),
        ("compile_host_ms", "  the host's half", report.MILLISECONDS, None),
        ("compile_rest_ms", "  linking, passes, SPIR-V, bundle", report.MILLISECONDS, None),
        ("compile_empty_ms", "hipcc for a file without a line", report.MILLISECONDS, None),
        ("compile_amdgcn_ms", "the same clang for an AMD GPU", report.MILLISECONDS, None),
        ("compile_ratio", "hipcc over that", report.RATIO, 1.5),
        ("compile_ratio_host", "hipcc over the host's half", report.RATIO, None)]),
    ("Device functions", [
        ("missing_device_functions", "of HIP 6.4 that are missing without a reason", report.COUNT, 0)]),
]


def milliseconds(commands):
    start = time.perf_counter()
    for command in commands:
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return None
    return 1000 * (time.perf_counter() - start)


def compile_times(arguments, directory):
    source = os.path.join(HERE, "kernel_file.hip")
    empty = os.path.join(directory, "empty.hip")
    open(empty, "w", encoding="utf-8").close()
    output = ["-o", os.path.join(directory, "out")]
    # The wavefront's size was the compiler's own macro when these headers were written.
    amd = [arguments.clang, "-w", "-O3", "-x", "hip", "--offload-arch=gfx90a", "-nogpulib", "-D__HIP_PLATFORM_AMD__",
           "-D__AMDGCN_WAVEFRONT_SIZE=64", "-D__AMDGCN_WAVEFRONT_SIZE__=64", "-idirafter", arguments.official, source, *output]
    ours = [arguments.hipcc, "-w", "-O3", "-c", source, *output]
    kinds = {
        "compile_ms": [ours],
        "compile_host_ms": [[*ours, "--cuda-host-only"]],
        "compile_device_ms": [[*ours, "--cuda-device-only", "-emit-llvm"]],
        "compile_empty_ms": [[arguments.hipcc, "-w", "-O3", "-c", empty, *output]],
        "compile_amdgcn_ms": [[*amd, "--cuda-device-only", "-S"], [*amd, "--cuda-host-only", "-c"]],
    }
    times = {key: [] for key in kinds}
    for _ in range(arguments.repetitions + 1):
        for key, commands in kinds.items():
            times[key].append(milliseconds(commands))
    # The first ones find cold files.
    return {key: statistics.median(list[1:] or list) for key, list in times.items() if None not in list}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hipcc", required=True)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--official", default="/usr/include")
    parser.add_argument("--output", required=True)
    parser.add_argument("--repetitions", type=int, default=11)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        figures = compile_times(arguments, directory)
    if not {"compile_ms", "compile_host_ms", "compile_device_ms"} <= figures.keys():
        sys.exit("device: hipcc does not compile kernel_file.hip")
    figures["compile_rest_ms"] = figures["compile_ms"] - figures["compile_device_ms"] - figures["compile_host_ms"]
    figures["compile_ratio_host"] = figures["compile_ms"] / figures["compile_host_ms"]
    if "compile_amdgcn_ms" in figures:
        figures["compile_ratio"] = figures["compile_ms"] / figures["compile_amdgcn_ms"]
    count = subprocess.run([sys.executable, FUNCTIONS, "--clang", arguments.clang, "--official", arguments.official,
                            "--hipcc", arguments.hipcc, "--count"], stdout=subprocess.PIPE, text=True, check=True)
    figures["missing_device_functions"] = int(count.stdout)
    os.makedirs(arguments.output, exist_ok=True)
    report.write(figures, os.path.join(arguments.output, "device.json"))
    report.print_tables(TABLES, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
