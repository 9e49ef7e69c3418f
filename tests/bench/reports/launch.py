"""Measures what a launch costs and shows it: tables, launch.json, launch.png. `scripts/bench launch` calls this.

The figures come from bench_launch (launch.cpp) and, for instructions, from callgrind.
"""
import argparse
import os
import subprocess
import sys

import instructions
import plot
import report
from report import COUNT, NANOSECONDS, RATIO

# As report.print_tables wants them.
TABLES = [
    ("Launch on the null stream, one of two arguments changed each time", [
        ("raw_append_ns", "raw Level Zero: set the argument, append", NANOSECONDS, None),
        ("raw_append_with_arguments_ns", "raw Level Zero: append with arguments", NANOSECONDS, None),
        ("launch_idle_0_ns", "HIP, no other stream", NANOSECONDS, None),
        ("ratio_idle_0", "  to raw, the same call", RATIO, 1.10),
        ("ratio_idle_0_to_cheapest", "  to raw, the cheaper way", RATIO, None),
        ("launch_idle_64_ns", "HIP, 64 idle streams", NANOSECONDS, None),
        ("ratio_idle_64", "  to raw, the same call", RATIO, 1.10),
        ("ratio_idle_64_to_cheapest", "  to raw, the cheaper way", RATIO, None),
        ("launch_idle_1000_ns", "HIP, 1,000 idle streams", NANOSECONDS, None),
        ("ratio_idle_1000", "  to raw, the same call", RATIO, 1.10),
        ("ratio_idle_1000_to_cheapest", "  to raw, the cheaper way", RATIO, None),
        ("ratio_same_arguments", "HIP to raw, same arguments again", RATIO, None),
        ("busy_64_null_launch_ns", "HIP, 64 busy streams, the null launch alone", NANOSECONDS,
         lambda figures: figures["raw_launch_idle_0_ns"] + 64 * 250),
        ("raw_busy_1000_launch_ns", "raw Level Zero, behind 1,000 busy lists", NANOSECONDS, None),
        ("busy_1000_null_launch_ns", "HIP, 1,000 busy streams, the null launch alone", NANOSECONDS, None),
        ("ratio_busy_1000", "  to raw", RATIO, None),
        ("raw_threads_2_ns", "raw Level Zero, two threads, two lists", NANOSECONDS, None),
        ("threads_2_ns", "HIP, two threads, two streams", NANOSECONDS, None),
        ("ratio_threads_2", "  to raw", RATIO, 1.15),
        ("launch_sync_ns", "HIP, launch and wait", NANOSECONDS, None),
        ("launch_sync_ratio", "  to raw, the same call", RATIO, 1.10),
        ("launch_sync_ratio_to_cheapest", "  to raw, the cheaper way", RATIO, None),
    ]),
    ("What libCHIP does for a launch", [
        ("own_instructions_per_launch", "instructions of its own", COUNT, 300),
        ("own_instructions_with_libc_per_launch", "  with those of the C library for it", COUNT, 300),
        ("driver_instructions_per_launch", "instructions of the driver and the loader", COUNT, None),
        ("heap_allocs_per_launch", "heap allocations beyond the driver's", COUNT, 0),
        ("heap_allocs_per_raw_launch", "heap allocations of the driver", COUNT, None),
    ]),
    ("Other calls", [
        ("raw_finish_idle_ns", "raw Level Zero, wait for an idle list", NANOSECONDS, None),
        ("finish_idle_ns", "wait for an idle device", NANOSECONDS, 30),
        ("event_record_ns", "event record", NANOSECONDS, 400),
        ("event_record_200_ns", "event record, 200 without a wait", NANOSECONDS, None),
        ("event_record_timed_200_ns", "  with timing", NANOSECONDS, None),
        ("raw_list_cycle_ns", "raw Level Zero, create and destroy a list", NANOSECONDS, None),
        ("stream_cycle_ns", "create and destroy a stream", NANOSECONDS, 300),
        ("module_cycle_ns", "load a module, get a function, unload", NANOSECONDS, 3000),
        ("raw_memory_pair_ns", "raw Level Zero, allocate and free 4 KiB", NANOSECONDS, None),
        ("malloc_async_pair_ns", "hipMallocAsync and hipFreeAsync of 4 KiB", NANOSECONDS, 100),
    ]),
    ("Loops; raw Level Zero does the least that has to be done", [
        ("raw_loop_21_streams_ns", "raw Level Zero, launches over 21 lists", NANOSECONDS, None),
        ("loop_21_streams_ns", "HIP, launches over 21 streams", NANOSECONDS, None),
        ("loop_21_streams_ratio", "  to raw", RATIO, None),
        ("raw_loop_module_ns", "raw Level Zero, launch and wait", NANOSECONDS, None),
        ("loop_module_ns", "HIP, with a stream and a module made for it", NANOSECONDS, None),
        ("raw_loop_stream_ordered_ns", "raw Level Zero, copy in, launch, copy out", NANOSECONDS, None),
        ("loop_stream_ordered_ns", "HIP, in memory allocated in the stream's order", NANOSECONDS, None),
        ("two_streams_speedup", "speed-up of two kernels on two streams", RATIO, 1.5),
    ]),
]
NEEDS_EXECUTION = ("two_streams_speedup",)
# The first needs Level Zero 1.14, the second is left out when another device is counted on than measured on.
OPTIONAL = ("raw_append_with_arguments_ns", "driver_instructions_per_launch")


def expected_keys(executes, counted):
    return [key for _, rows in TABLES for key, *_ in rows
            if key not in OPTIONAL and (executes or key not in NEEDS_EXECUTION) and (counted or "instructions" not in key)]


def print_profile(profile):
    print("\nInstructions of a launch by function of libCHIP, without what it calls")
    for cost, function in profile[:15]:
        name = function if len(function) <= 100 else function[:97] + "..."
        print(f"  {cost:8.1f}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_launch")
    parser.add_argument("--device", choices=("pvc", "cpu", "gpu"), default="pvc")
    parser.add_argument("--output", required=True, help="directory for launch.json and launch.png")
    parser.add_argument("--profile", action="store_true", help="show where the instructions go")
    parser.add_argument("--no-instructions", action="store_true", help="do not count instructions")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    command = report.on_device(options.device)
    executes = options.device != "pvc"
    path = os.path.join(options.output, "launch.json")
    figures, title = report.measure([*command, options.program, *(["--executes"] if executes else [])], path,
                                    options.quick)

    # libCHIP's own instructions are the same on all devices, and the simulated one starts quickest under valgrind.
    profile = None
    for counted in () if options.no_instructions else (report.on_device("pvc"), report.on_device("cpu")):
        try:
            counts, profile = instructions.per_launch(counted, options.program, 20 if options.quick else 1000)
            if counted != command:
                del counts["driver_instructions_per_launch"]
            figures.update(counts)
            break
        except subprocess.CalledProcessError as error:
            print(f"bench: valgrind failed: {' '.join(error.cmd)}", file=sys.stderr)
    if profile is None and not options.no_instructions:
        sys.exit("bench: no instructions counted")

    report.write(figures, path)
    report.print_tables(TABLES, figures)
    if options.profile:
        print_profile(profile)
    plot.draw_launch(figures, title.partition(";")[0], os.path.join(options.output, "launch.png"))
    report.expect(expected_keys(executes, not options.no_instructions), figures)


if __name__ == "__main__":
    main()
