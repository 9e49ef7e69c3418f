"""Measures what memory costs and shows it: tables, memory.json. `scripts/bench memory` calls this.

The figures come from bench_memory (memory/memory.cpp).
"""
import argparse
import json
import os
import subprocess
import sys

import report
from report import NANOSECONDS

# As report.print_tables wants them.
TABLES = [
    ("Allocate and free, in the order of a stream", [
        ("raw_memory_pair_4k_ns", "raw Level Zero, 4 KiB, in no order", NANOSECONDS, None),
        ("malloc_async_pair_4k_ns", "hipMallocAsync and hipFreeAsync of 4 KiB", NANOSECONDS, 100),
        ("malloc_async_pair_stream_4k_ns", "  in a stream of the program's", NANOSECONDS, None),
        ("malloc_async_pair_sync_4k_ns", "  and waiting for it", NANOSECONDS, None),
        ("malloc_async_mixed_pair_ns", "  of 64 sizes up to 190 KB", NANOSECONDS, None),
        ("raw_memory_pair_1m_ns", "raw Level Zero, 1 MiB", NANOSECONDS, None),
        ("malloc_async_pair_1m_ns", "hipMallocAsync and hipFreeAsync of 1 MiB", NANOSECONDS, None),
        ("raw_memory_pair_64m_ns", "raw Level Zero, 64 MiB", NANOSECONDS, None),
        ("malloc_async_pair_64m_ns", "hipMallocAsync and hipFreeAsync of 64 MiB", NANOSECONDS, 300),
    ]),
    ("Allocate and free, all streams idle", [
        ("malloc_free_4k_ns", "hipMalloc and hipFree of 4 KiB", NANOSECONDS, 400),
        ("malloc_free_1m_ns", "hipMalloc and hipFree of 1 MiB", NANOSECONDS, None),
        ("malloc_free_64m_ns", "hipMalloc and hipFree of 64 MiB", NANOSECONDS, None),
    ]),
    ("Copies and fills of 4 KiB", [
        ("raw_copy_append_4k_ns", "raw Level Zero, append a copy on the device", NANOSECONDS, None),
        ("memcpy_async_4k_ns", "hipMemcpyAsync on the device", NANOSECONDS,
         lambda figures: figures["raw_copy_append_4k_ns"] + 150),
        ("memcpy_async_4k_added_ns", "  what it adds", NANOSECONDS, None),
        ("raw_copy_in_append_4k_ns", "raw Level Zero, append a copy to the device", NANOSECONDS, None),
        ("memcpy_async_in_4k_ns", "hipMemcpyAsync to the device", NANOSECONDS,
         lambda figures: figures["raw_copy_in_append_4k_ns"] + 150),
        ("memcpy_async_in_4k_added_ns", "  what it adds", NANOSECONDS, None),
        ("raw_copy_wait_4k_ns", "raw Level Zero, copy to the device and wait", NANOSECONDS, None),
        ("memcpy_4k_ns", "hipMemcpy to the device", NANOSECONDS, None),
        ("memset_async_4k_ns", "hipMemsetAsync", NANOSECONDS, None),
    ]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_memory")
    parser.add_argument("--device", choices=("pvc", "cpu", "gpu"), default="pvc")
    parser.add_argument("--output", required=True, help="directory for memory.json")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()

    scripts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts")
    command = {"pvc": [os.path.join(scripts, "pvc-sim")], "cpu": ["env", "CHIP_DEVICE=cpu"],
               "gpu": ["env", "CHIP_DEVICE=gpu"]}[options.device]

    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, "memory.json")
    effort = ["--batches", "1", "--batch-size", "20"] if options.quick else []
    text = subprocess.run([*command, options.program, "--json", path, *effort], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    print(text.partition("\n")[0])
    with open(path, encoding="utf-8") as file:
        figures = json.load(file)
    report.print_tables(TABLES, figures)
    lost = [key for _, rows in TABLES for key, *_ in rows if key not in figures]
    if lost:
        sys.exit(f"bench: figures that did not come out: {', '.join(lost)}")


if __name__ == "__main__":
    main()
