#!/usr/bin/env python3
"""Compiles and runs random programs N, N + 1, ... of a kind (program.py, warps.py). The first one that fails is kept as random_N.hip
in the current folder."""
import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import program
import warps

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--hipcc", default="hipcc")
parser.add_argument("--kind", choices=["values", "warps"], default="values")
parser.add_argument("--seed", type=int, default=1, help="N")
parser.add_argument("--programs", type=int, default=1, help="how many")
parser.add_argument("--options", default="-O2", help="of hipcc")
parser.add_argument("--print", action="store_true", help="print the programs instead")
arguments = parser.parse_args()

DEFINED = ["-fwrapv", "-ffp-contract=off", "-w"]  # What the programs rely on; warnings are of what nobody would write.
INCLUDED = f"-I{pathlib.Path(__file__).resolve().parent}"
SECONDS = 300
KINDS = {"values": program, "warps": warps}


def problem_of(source, executable):
    """What goes wrong with a program, or nothing."""
    command = [arguments.hipcc, *shlex.split(arguments.options), *DEFINED, INCLUDED, source, "-o", executable]
    for what, call in ("compile", command), ("run", [executable]):
        try:
            result = subprocess.run(call, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return f"does not {what} in {SECONDS} seconds"
        if result.returncode != 0:
            output = result.stdout + result.stderr
            return f"does not {what} right, {result.returncode}:\n{output[:2000]}"
    return ""


for seed in range(arguments.seed, arguments.seed + arguments.programs):
    text = KINDS[arguments.kind].Program(seed).text
    if arguments.print:
        print(text)
        continue
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, f"random_{seed}.hip")
        pathlib.Path(source).write_text(text, encoding="utf-8")
        if problem := problem_of(source, os.path.join(folder, "program")):
            kept = shutil.copy(source, os.getcwd())
            sys.exit(f"Random program {seed}, {kept}, {problem}\nAgain: {sys.argv[0]} --hipcc {arguments.hipcc} "
                     f"--kind {arguments.kind} --seed {seed} --options '{arguments.options}'")
if not arguments.print:
    print(f"{arguments.programs} programs are right")
