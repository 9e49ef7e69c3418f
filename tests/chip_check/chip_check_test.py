#!/usr/bin/env python3
"""chip_check_test.py --chip-check PATH --programs DIRECTORY {cases CLASS | options}

cases    runs each case of the program of a class of faults: those with a planted one must be found, with both places by line where
         it has two, and their clean twins must not be reported by any check
options  what the command does with its options, exit codes and several processes
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

FOUND = 97


class Checker:
    def __init__(self, command, programs):
        self.command = command
        self.programs = programs
        self.failures = []

    def program(self, name):
        return os.path.join(self.programs, "check_" + name)

    def run(self, options, program, *arguments):
        result = subprocess.run([self.command, *options, "--", program, *arguments], capture_output=True, text=True,
                                check=False, timeout=120)
        return result.returncode, result.stderr

    def expect(self, holds, what, text=""):
        if not holds:
            self.failures.append(what)
            print(f"FAILED: {what}\n{text}")


def findings_of(text, check):
    return [line for line in text.split("\n") if line.startswith(f"chip-check: {check}: ")]


def run_cases(checker, name):
    program = checker.program(name)
    listed = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    faults = [case for case in listed if not case.endswith("-clean")]
    checker.expect(len(faults) >= 3 and len(faults) < len(listed), f"{name} has cases of both kinds", str(listed))
    found = alarms = 0
    for case in listed:
        if case in faults:
            code, text = checker.run(["--check", name], program, case)
            checker.expect(code == FOUND and findings_of(text, name), f"{case} is found", text)
            found += bool(findings_of(text, name))
        else:
            code, text = checker.run([], program, case)
            checker.expect(code == 0 and "chip-check: 0 findings" in text, f"{case} is not reported", text)
            alarms += "chip-check: 0 findings" not in text
    print(f"{name}: {found} of {len(faults)} planted faults found, {alarms} false alarms in {len(listed) - len(faults)} clean programs")


def run_options(checker):
    races = checker.program("races")
    code, text = checker.run([], races, "exchange")
    checker.expect(code == FOUND, "findings are the exit code 97", text)
    checker.expect(re.search(r"kernel .*exchange<false>\(int\*\): race: work-item \(\d+, 0, 0\) of group \(\d, 0, 0\) ", text),
                   "a report names kernel and work-items", text)
    lines = re.search(r"at \S*/races.hip:(\d+), which work-item \(\d+, 0, 0\) of group \(\d, 0, 0\) (?:read|wrote) at \S*/races.hip:(\d+), ", text)
    source = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "races.hip"), encoding="utf-8").read().split("\n")
    checker.expect(lines and all("values[" in source[int(line) - 1] for line in lines.groups()), "both places by line", text)
    code, other = checker.run([], races, "one-place")
    checker.expect(re.search(r"inside the \d+-byte device allocation at 0x\w+, allocated .*at \S*/kernels.h:\d+", other),
                   "the allocation, and where it was made", other)
    code, other = checker.run([], checker.program("memory"), "behind")
    checker.expect(re.search(r"writes 4 bytes at address 0x\w+ at \S*/memory.hip:\d+, 0 bytes behind the ", other), "memory by line", other)
    checker.expect("-g" not in other, "no hint where lines are told", other)
    code, other = checker.run([], checker.program("without_lines"), "behind")
    checker.expect(findings_of(other, "memory") and "compile the program with -g" in other, "how to be told lines", other)
    checker.expect(len(set(findings_of(text, "races"))) == len(findings_of(text, "races")), "each finding is told once", text)
    checker.expect(re.search(r"chip-check: \d+ findings? \(races: \d+\)\n$", text), "the end says how many", text)

    # A fault of the processor would be found as well, but not say who.
    code, other = checker.run(["--check", "memory"], checker.program("memory"), "freed-between")
    checker.expect(re.search(r"memory: .*work-item \(\d+, 0, 0\) of group \(0, 0, 0\) reads 4 bytes .* which was freed", other),
                   "what was allowed is asked for again once memory was freed", other)
    checker.expect(re.search(r"allocated .*at \S*/kernels.h:\d+, freed .*at \S*/memory.hip:\d+", other),
                   "who has allocated what was freed, and who has freed it", other)
    code, other = checker.run(["--check", "leaks"], checker.program("leaks"), "stream-ordered")
    checker.expect("1 device allocation of 1000 bytes never freed" in other, "what was asked of a pool, not what that has", other)

    code, other = checker.run(["--check", "leaks"], checker.program("leaks"), "typed")
    place = re.search(r"never freed, allocated .*at \S*/leaks.hip:(\d+)", other)
    source = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "leaks.hip"), encoding="utf-8").read().split("\n")
    checker.expect(place and "hipMalloc(&memory, bytes)" in source[int(place[1]) - 1], "the line that calls an overload of HIP's headers", other)

    memory = checker.program("memory")
    code, other = checker.run([], memory, "behind")
    checker.expect(findings_of(other, "leaks") and "left out" not in other, "leaks are told of a program that says it succeeds", other)
    code, other = checker.run([], "/bin/sh", "-c", f"{memory} behind; exit 3")
    checker.expect(code == 3 and findings_of(other, "memory") and not findings_of(other, "leaks") and "leaks are left out" in other,
                   "what a program does not free that gives up behind a wrong access is no leak", other)

    code, text = checker.run(["--error-exitcode", "5"], races, "exchange")
    checker.expect(code == 5, "--error-exitcode", text)
    code, text = checker.run(["--error-exitcode", "256"], races, "exchange")
    checker.expect(code == 2 and "from 0 to 255" in text, "an exit code that there is not", text)
    code, text = checker.run(["--check", "memory"], races, "exchange")
    checker.expect(code == 0 and "0 findings" in text, "--check leaves classes out", text)
    code, text = checker.run(["--check", "rases"], races, "exchange")
    checker.expect(code == 2 and "no class 'rases'" in text, "a class that there is not", text)
    code, text = checker.run(["--suppress", "*exchange<*"], races, "exchange")
    checker.expect(code == 0 and re.search(r"0 findings, \d+ suppressed", text), "--suppress by kernel", text)
    code, text = checker.run(["--suppress", "memory:*"], races, "exchange")
    checker.expect(code == FOUND, "--suppress of another class", text)
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "suppressions")
        with open(file, "w", encoding="utf-8") as out:
            out.write("# known\n\nraces:*exchange*\n")
        code, text = checker.run(["--suppressions", file], races, "exchange")
        checker.expect(code == 0, "--suppressions", text)
        output = os.path.join(directory, "report")
        code, text = checker.run(["--output", output], races, "exchange")
        with open(output, encoding="utf-8") as report:
            checker.expect(code == FOUND and findings_of(report.read(), "races") and "chip-check" not in text, "--output", text)
    code, text = checker.run([], "/bin/sh", "-c", f"{races} exchange; {races} exchange; exit 3")
    checker.expect(code == 3, "the program's own failure is the exit code", text)
    checker.expect(len(set(findings_of(text, "races"))) == len(findings_of(text, "races")), "once for several processes", text)
    code, text = checker.run([], "/bin/sh", "-c", "kill -TERM $$")
    checker.expect(code == -15, "the program's signal ends the command", text)
    code, text = checker.run([], os.path.join(checker.programs, "no-such-program"))
    checker.expect(code == 127 and "cannot run" in text, "a program that there is not", text)
    result = subprocess.run([races, "exchange"], capture_output=True, text=True, check=False,
                            env={**os.environ, "CHIP_DEVICE": "cpu", "ZE_CPU_CHECK": "races"})
    checker.expect("ze_cpu: " in result.stderr and "race: " in result.stderr, "the driver alone tells on stderr", result.stderr)
    result = subprocess.run([races, "exchange"], capture_output=True, text=True, check=False,
                            env={**os.environ, "CHIP_DEVICE": "cpu", "ZE_CPU_CHECK": "all"})
    checker.expect("ZE_CPU_CHECK='all' is ignored" in result.stderr, "a value that there is not", result.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chip-check", required=True)
    parser.add_argument("--programs", required=True)
    parser.add_argument("what", choices=["cases", "options"])
    parser.add_argument("program", nargs="?")
    arguments = parser.parse_args()
    checker = Checker(arguments.chip_check, arguments.programs)
    if arguments.what == "cases":
        run_cases(checker, arguments.program)
    else:
        run_options(checker)
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
