"""Measures what the driver for OpenCL devices costs and shows it: tables, opencl.json. `scripts/bench opencl` calls this.

The figures come from bench_opencl (opencl/opencl.cpp).
"""
import argparse
import os
import subprocess
import tempfile

import instructions
import report
from report import COUNT, NANOSECONDS, RATIO

# As report.print_tables wants them.
TABLES = [
    ("Launches, next to clEnqueueNDRangeKernel", [
        ("raw_launch_ns", "OpenCL", NANOSECONDS, None),
        ("launch_ns", "HIP", NANOSECONDS, None),
        ("launch_ratio", "  ratio", RATIO, 1.15),
        ("raw_launch_held_ns", "OpenCL, the device is held", NANOSECONDS, None),
        ("launch_held_ns", "HIP, the device is held", NANOSECONDS, None),
        ("launch_held_ratio", "  ratio", RATIO, None),
        ("raw_launch_other_arguments_ns", "OpenCL, other arguments each time", NANOSECONDS, None),
        ("launch_other_arguments_ns", "HIP, other arguments each time", NANOSECONDS, None),
        ("launch_other_arguments_ratio", "  ratio", RATIO, None),
        ("raw_launch_sync_ns", "OpenCL, launch and clFinish", NANOSECONDS, None),
        ("launch_sync_ns", "HIP, launch and hipStreamSynchronize", NANOSECONDS, None),
        ("launch_sync_ratio", "  ratio", RATIO, 1.15),
        ("launch_1_stream_ns", "HIP, one stream", NANOSECONDS, None),
        ("launch_64_idle_streams_ns", "HIP, and 64 idle streams", NANOSECONDS, None),
        ("idle_streams_64_ratio", "  ratio", RATIO, 1.05),
        ("raw_finish_idle_ns", "clFinish, nothing to do", NANOSECONDS, None),
        ("finish_idle_ns", "hipStreamSynchronize, nothing to do", NANOSECONDS, 30),
    ]),
    ("Instructions of a launch, of the thread that launches", [
        ("raw_launch_instructions", "OpenCL", COUNT, None),
        ("launch_instructions", "HIP", COUNT, None),
    ]),
    ("Kernels, launch and wait", [
        (key, text, unit, limit)
        for name in ("triad", "group_sums", "polynomial")
        for key, text, unit, limit in (
            (f"raw_kernel_{name}_ns", f"{name}, OpenCL", NANOSECONDS, None),
            (f"kernel_{name}_ns", f"{name}, HIP", NANOSECONDS, None),
            (f"kernel_{name}_ratio", "  ratio", RATIO, 1.02))
    ]),
]


def count_instructions(command, launches):
    """Of a launch, with what it calls, by both ways: {key of the figure: instructions}."""
    figures = {}
    for key, option in (("raw_launch_instructions", "--plain-launches"), ("launch_instructions", "--launches")):
        with tempfile.TemporaryDirectory() as directory:
            output = os.path.join(directory, "callgrind")
            # The program switches counting on.
            subprocess.run([*command[:-1], "valgrind", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes",
                            f"--callgrind-out-file={output}", command[-1], option, str(launches)], check=True, capture_output=True)
            own, _ = instructions.count(f"{output}-01")
            figures[key] = sum(own.values()) / launches
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_opencl")
    parser.add_argument("--output", required=True, help="directory for opencl.json")
    parser.add_argument("--instructions", action="store_true", help="count instructions as well; OpenCL has 10 seconds to start")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    path = os.path.join(options.output, "opencl.json")
    command = ["env", "-u", "ZE_ENABLE_ALT_DRIVERS", "CHIP_DEVICE=opencl", options.program]
    figures, _ = report.measure(command, path, options.quick)
    if options.instructions:
        figures.update(count_instructions(command, 2000))
        report.write(figures, path)
    report.print_tables(TABLES, figures)
    report.expect([key for key in report.keys_of(TABLES) if options.instructions or "instructions" not in key], figures)


if __name__ == "__main__":
    main()
