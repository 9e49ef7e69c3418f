"""Measures kernels on the CPU driver and shows it: tables, kernels.json, kernels.png. `scripts/bench kernels` calls this.

The figures come from bench_kernels (kernels.cpp): times over those of the same work in an OpenMP loop (native.cpp) with as
many threads, and those of PoCL; the same of the suite, KEY_over_openmp, KEY_cpu_over_openmp (processor time) and
KEY_over_pocl (suite/suite.h); what a launch costs, and what building a kernel costs, for which it runs anew each time.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

import plot
import report
from report import MEGABYTES, MILLISECONDS, NANOSECONDS, RATIO

# Time over that of the OpenMP loop: what it may be at most, and what the loop does where that is a choice.
KERNELS = {
    "vadd_16m": (1.10, "c = a + b, 16M floats"),
    "vadd_grid_stride": (3, "the same, 64 by each of 262,144 work-items"),
    "exp_16m": (0.20, "c = exp(a) + b, to scalar libm"),
    "matmul_512_tiled": (2.5, "matrix product in tiles, to row-inner-column loops"),
    "local_reduction": (4.5, "sums of 256, tree with 9 barriers, to a plain sum"),
    "subgroup_reduction": (10, "sums of 32, 5 shuffles, to a plain sum"),
    "transpose_4096": (2.0, "transpose through tiles, to 16x16 blocks"),
    "stencil_2d": (2.0, "5 points, 4096x4096"),
    "nbody_4096": (1.5, "forces among 4,096 bodies"),
    "histogram_atomics": (3, "256 bins of 16M, to the same atomic additions"),
}
LIMITS = {key: bar for key, (bar, _) in KERNELS.items()}
LAUNCHES = [
    ("append_ns", "append, worker awake", NANOSECONDS, 150),
    ("launch_sync_ns", "append and wait", NANOSECONDS, 1500),
    ("launch_sync_idle_ns", "  worker asleep", NANOSECONDS, 10000),
]
BUILDS = [
    ("compile_ms_per_kernel_cold", "build a kernel", MILLISECONDS, 60),
    ("compile_ms_per_kernel_cached", "  built before, in another process", MILLISECONDS, 3),
    ("first_launch_cached_ms", "  module, kernel and launch, built before", MILLISECONDS, 8),
    ("resident_mb_after_first_kernel_cached", "    memory then", MEGABYTES, 20),
]
TABLES = [
    ("Time over that of an OpenMP loop", [
        row for key, (bar, label) in KERNELS.items()
        for row in ((key, label, RATIO, bar), (f"{key}_pocl", "  PoCL", RATIO, None))]),
    ("Launches of an empty kernel", LAUNCHES),
    ("Module and kernels made in a fresh process", BUILDS),
]


SUITE = "_cpu_over_openmp"  # how the suite's cases are told from other figures
SUITE_MEANS = [
    ("suite_over_openmp", "geometric mean", RATIO, 1.2),
    ("suite_cpu_over_openmp", "  processor time", RATIO, 1.2),
    ("suite_worst_over_openmp", "worst", RATIO, 4),
    ("suite_worst_cpu_over_openmp", "  processor time", RATIO, 4),
    ("suite_over_pocl", "geometric mean, over PoCL", RATIO, None),
    ("suite_worst_over_pocl", "worst, over PoCL", RATIO, 1.1),
]


def suite_means(figures, names):
    """Of the ratios of all cases."""
    means = {}
    for kind in ("over_openmp", "cpu_over_openmp", "over_pocl"):
        ratios = [figures[f"{name}_{kind}"] for name in names if f"{name}_{kind}" in figures]
        if ratios:
            means[f"suite_{kind}"] = math.exp(statistics.fmean(map(math.log, ratios)))
            means[f"suite_worst_{kind}"] = max(ratios)
    return means


def print_suite(figures, names):
    """The cases by what they cost, the worst first."""
    print(f"\nKernels of applications: the driver's time over that of OpenMP and PoCL\n  {'':24}"
          f"{'us':>10}{'OpenMP':>10}{'its CPU time':>14}{'PoCL':>10}")
    for name in sorted(names, key=lambda name: -figures[name + SUITE]):
        pocl = figures.get(f"{name}_over_pocl")
        print(f"  {name:24}{figures[f'{name}_hip_us']:10,.0f}{figures[f'{name}_over_openmp']:10.2f}"
              f"{figures[name + SUITE]:14.2f}{'-' if pocl is None else f'{pocl:.2f}':>10}")


def environment(driver, threads, cache):
    return {
        **os.environ,
        "ZE_ENABLE_ALT_DRIVERS": driver,
        "ZE_CPU_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",  # its threads would spin while others are measured
        "POCL_CPU_MAX_CU_COUNT": str(threads),
        "XDG_CACHE_HOME": cache,
    }


def run_program(program, arguments, variables, directory):
    """(figures, first line of the output)"""
    path = os.path.join(directory, "figures.json")
    text = subprocess.run([program, *arguments, "--json", path], env=variables, check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    with open(path, encoding="utf-8") as file:
        return json.load(file), text.partition("\n")[0]


def measure_builds(program, driver, threads, rounds):
    """In turns: a process that finds nothing built, and one that finds what it left."""
    cold, cached = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            for runs in (cold, cached):
                figures, _ = run_program(program, ["--compile"], environment(driver, threads, cache), cache)
                runs.append(figures)

    def median(runs, key):
        return statistics.median(figures[key] for figures in runs)

    return {
        "compile_ms_per_kernel_cold": median(cold, "compile_ms_per_kernel"),
        "compile_ms_per_kernel_cached": median(cached, "compile_ms_per_kernel"),
        "first_launch_cached_ms": median(cached, "first_launch_ms"),
        "resident_mb_after_first_kernel_cached": median(cached, "resident_mb"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="bench_kernels")
    parser.add_argument("--driver", required=True, help="libze_cpu.so")
    parser.add_argument("--output", required=True, help="directory for kernels.json and kernels.png")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of all who compute")
    parser.add_argument("--quick", action="store_true", help="few repetitions: to see that all of it works")
    parser.add_argument("--only", help="one key, or suite, latency, or compile")
    options = parser.parse_args()

    os.makedirs(options.output, exist_ok=True)
    arguments = ["--batches", "1", "--batch-size", "1", "--small"] if options.quick else []
    arguments += ["--only", options.only] if options.only else []
    figures, device = {}, ""
    if options.only != "compile":
        with tempfile.TemporaryDirectory() as cache:
            figures, device = run_program(options.program, arguments,
                                          environment(options.driver, options.threads, cache), cache)
        device = f"{device}; {options.threads} threads"
        print(device)
    if options.only in (None, "compile"):
        figures.update(measure_builds(options.program, options.driver, options.threads, 1 if options.quick else 5))
    report.print_tables(TABLES, figures)
    if names := [key.removesuffix(SUITE) for key in figures if key.endswith(SUITE)]:
        print_suite(figures, names)
        figures.update(suite_means(figures, names))
        report.print_tables([("All of these", SUITE_MEANS)], figures)
    if options.only:
        return
    figures["threads"] = options.threads
    report.write(figures, os.path.join(options.output, "kernels.json"))
    plot.draw_kernels(figures, LIMITS, device, os.path.join(options.output, "kernels.png"))
    lost = [key for key in (*LIMITS, *(key for key, *_ in LAUNCHES + BUILDS), *(key for key, *_ in SUITE_MEANS[:4]))
            if key not in figures]
    if lost:
        sys.exit(f"bench: figures that did not come out: {', '.join(lost)}")


if __name__ == "__main__":
    main()
