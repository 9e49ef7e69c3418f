"""Measures the accuracy of kernels' mathematics on the CPU driver and writes it down: docs/math-accuracy.md, math.json.
`scripts/bench math` calls this. The figures come from tests/device/math/accuracy.hip, which fails where a bound is exceeded.
"""
import argparse
import os
import subprocess
import sys

import report

HEAD = """# How accurate mathematics in kernels is

Written by `scripts/bench math`; not to be edited. {values:,} random values of each of several kinds were tried for each
function and type, besides zeros, infinities, NaN, subnormal numbers and what lies around the places where functions change.
The exact results are those of MPFR.

Errors are in units in the last place, from the exact result. HIP's page "HIP math API" gives bounds for a range of arguments:
how many units the result may be away from the correctly rounded one, which is itself up to half a unit off; 0 is thus an
error of 0.5. `anywhere` is for all arguments. What HIP gives no bound for has one of ours in brackets.

These are figures of the CPU driver. On a GPU, functions that OpenCL has are as accurate as the GPU's driver makes them
(OpenCL C specification, 7.4); the others are computed from those.

Bessel functions are measured up to arguments of 10,000, and beyond 8, or where their order is a parameter, in units of the
amplitude of their oscillation, since a result near a zero of the function says nothing; for negative arguments `lgamma` has
such zeros, too.
"""
COLUMNS = "| function | HIP's bound | largest error in HIP's range | at | largest error anywhere | at |\n|---|---|---|---|---|---|\n"


def rows_of(program, values):
    environment = {**os.environ, "CHIP_DEVICE": "cpu"}
    result = subprocess.run([program, "--figures", "--values", str(values)], env=environment, stdout=subprocess.PIPE, text=True,
                            check=False)
    return [line.split("\t") for line in result.stdout.splitlines()], result.returncode


def table(rows):
    lines = []
    for _, name, documented, in_range, at, bound, anywhere, anywhere_at in rows:
        if float(documented) < 0:
            documented = f"({bound})" if float(bound) >= 0 else "none"
        if float(bound) < 0:
            anywhere, anywhere_at = "", ""
        lines.append(f"| `{name}` | {documented} | {in_range} | {at} | {anywhere} | {anywhere_at} |\n")
    return COLUMNS + "".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--values", type=int, default=20000)
    arguments = parser.parse_args()
    rows, status = rows_of(arguments.program, arguments.values)
    if not rows:
        sys.exit("math: no figures")
    types = list(dict.fromkeys(row[0] for row in rows))
    os.makedirs(os.path.dirname(arguments.table), exist_ok=True)
    with open(arguments.table, "w", encoding="utf-8") as file:
        file.write(HEAD.format(values=arguments.values))
        for kind in types:
            file.write(f"\n## {kind}\n\n" + table([row for row in rows if row[0] == kind]))
    os.makedirs(arguments.output, exist_ok=True)
    above = sum(1 for _, _, documented, in_range, _, bound, anywhere, _ in rows
                if any(0 <= float(limit) and float(error) > float(limit) + 0.5
                       for limit, error in ((documented, in_range), (bound, anywhere))))
    figures = {"functions": len(rows), "functions_above_bound": above}
    report.write(figures, os.path.join(arguments.output, "math.json"))
    report.print_tables([("Mathematics in kernels, float, double and half", [
        ("functions", "functions measured", report.COUNT, None),
        ("functions_above_bound", "of them with an error above the bound", report.COUNT, 0)])], figures)
    return status


if __name__ == "__main__":
    sys.exit(main())
