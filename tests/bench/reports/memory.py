"""Measures what memory costs and shows it: tables, memory.json. `scripts/bench memory` calls this.

The figures come from bench_memory (memory/memory.cpp).
"""
import argparse
import os

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

    path = os.path.join(options.output, "memory.json")
    figures, _ = report.measure([*report.on_device(options.device), options.program], path, options.quick)
    report.print_tables(TABLES, figures)
    report.expect(report.keys_of(TABLES), figures)


if __name__ == "__main__":
    main()
