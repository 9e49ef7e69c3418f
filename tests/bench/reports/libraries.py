"""Measures what libraries cost on the CPU driver and shows it: tables, libraries.json. `scripts/bench libraries` calls this.

The figures come from bench_libraries (libraries/libraries.cpp). sgemm_1024_over_openblas is the time from hipblasSgemm until
the stream is done over that of sgemm_ of the same BLAS, which Debian's alternatives select. radix_sort_16m and its like are
the time of hipCUB's algorithm until the stream is done over that of the C++ library's parallel one, on as many threads.
"""
import argparse
import os

import report

TABLES = [
    ("A product of matrices of 1,024 by 1,024 in single precision", [
        ("sgemm_1024_openblas_ns", "sgemm_ of the system's BLAS", report.NANOSECONDS, None),
        ("sgemm_1024_ns", "hipblasSgemm and waiting for it", report.NANOSECONDS, None),
        ("sgemm_1024_over_openblas", "  over that", report.RATIO, 1.1),
        ("sgemm_1024_kernels_ns", "the kernels of other devices", report.NANOSECONDS, None),
        ("sgemm_1024_kernels_over_openblas", "  over sgemm_", report.RATIO, None),
    ]),
    ("Algorithms on 16 million elements of 32 bits", [
        row for name, parallel, device in (
            ("radix_sort", "std::sort of a copy, parallel", "DeviceRadixSort::SortKeys"),
            ("scan", "std::inclusive_scan, parallel", "DeviceScan::InclusiveSum"),
            ("reduce", "std::reduce, parallel", "DeviceReduce::Sum"),
            ("select", "std::copy_if, parallel", "DeviceSelect::If"),
        ) for row in (
            (f"{name}_16m_parallel_ns", parallel, report.NANOSECONDS, None),
            (f"{name}_16m_ns", device, report.NANOSECONDS, None),
            (f"{name}_16m", "  over that", report.RATIO, 3),
        )
    ]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_libraries")
    parser.add_argument("--output", required=True, help="directory for libraries.json")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    options = parser.parse_args()
    path = os.path.join(options.output, "libraries.json")
    figures, _ = report.measure([*report.on_device("cpu"), options.program], path, options.quick)
    report.print_tables(TABLES, figures)
    report.expect(report.keys_of(TABLES), figures)


if __name__ == "__main__":
    main()
