#!/usr/bin/env python3
"""Runs the CTest suite of a build directory on one kind of device and compares it with the known failures.

    scripts/env scripts/check.py BUILD_DIR {cpu,igpu,dgpu,opencl} [level0] [OPTION...] [-- CTEST OPTION...]

BUILD_DIR is our own build directory, or that of any other tests which were built against an installation of libCHIP.
Its CMake project name says which suite of tests/known_failures.yaml it is; that file describes its own format.

The exit status is 0 only if at least one test ran, every failure is a known one, and the list is right: a listed test
that passes, or an entry that matches no test, is an error. It is 1 if not, and 2 if nothing could be run.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import yaml

CHECKOUT = Path(__file__).resolve().parent.parent
DEVICES = ("cpu", "igpu", "dgpu", "opencl")
HIP_DEVICE_ATTRIBUTE_INTEGRATED = 16
COLUMNS = ("passed", "failed", "known", "skipped")
LINES_OF_FAILURE = 20  # of a failed test's output that stand beside its name at the end


class CannotRun(Exception):
    """What keeps the tests from being run, in words for the user."""


@dataclass(frozen=True)
class Test:
    name: str
    folder: str  # relative to the build directory


@dataclass(frozen=True)
class Entry:
    """One name or pattern of the list of known failures."""

    text: str
    is_pattern: bool
    folder: str
    reason: str
    may_pass: bool

    def covers(self, test):
        if test.folder != self.folder:
            return False
        return bool(re.fullmatch(self.text, test.name)) if self.is_pattern else test.name == self.text

    def __str__(self):
        return f"{'pattern ' if self.is_pattern else ''}'{self.text}' of {self.folder}"


# --- The list of known failures ---------------------------------------------------------------------------------------


def strings(value, what):
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise CannotRun(f"{what} must be a list of strings")
    return value


class Loader(yaml.SafeLoader):
    """YAML in which no key may stand twice: PyYAML itself would drop all but the last."""

    def construct_mapping(self, node, deep=False):
        keys = Counter(self.construct_object(key) for key, _ in node.value)
        twice = [key for key, count in keys.items() if count > 1]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"'{twice[0]}' stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def read_known_failures(path, suite, device):
    """The entries for a suite and a device. Entries of other suites and devices are checked for their form too."""
    try:
        suites = yaml.load(path.read_text(), Loader)
    except (OSError, yaml.YAMLError) as error:
        raise CannotRun(f"cannot read {path}: {error}") from error
    suites = {} if suites is None else suites
    if not isinstance(suites, dict):
        raise CannotRun(f"{path}: the names of suites are expected")
    entries = []
    for suite_name, folders in suites.items():
        if not isinstance(folders, dict):
            raise CannotRun(f"{path}: {suite_name}: folders are expected")
        for folder, causes in folders.items():
            where = f"{path}: {suite_name}: {folder}"
            if not isinstance(causes, list):
                raise CannotRun(f"{where}: a list is expected")
            for cause in causes:
                found = read_cause(cause, where, folder, device)
                if suite_name == suite:
                    entries += found
    return entries


def read_cause(cause, where, folder, device):
    unknown = set(cause) - {"reason", "devices", "tests", "patterns", "may_pass"} if isinstance(cause, dict) else {str(cause)}
    if unknown:
        raise CannotRun(f"{where}: '{sorted(unknown)[0]}' is not expected here")
    reason = cause.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        raise CannotRun(f"{where}: an entry gives no reason")
    where += f": '{reason.strip()}'"
    devices = strings(cause.get("devices"), f"{where}: devices")
    if not set(devices) <= set(DEVICES):
        raise CannotRun(f"{where}: devices are {', '.join(DEVICES)}")
    if not cause.keys() & {"tests", "patterns"}:
        raise CannotRun(f"{where}: neither tests nor patterns")
    may_pass = cause.get("may_pass", False)
    if not isinstance(may_pass, bool):
        raise CannotRun(f"{where}: may_pass is true or false")
    entries = []
    for kind in ("tests", "patterns"):
        for text in strings(cause[kind], f"{where}: {kind}") if kind in cause else []:
            entries.append(Entry(text, kind == "patterns", folder, reason.strip(), may_pass))
            if kind == "patterns":
                compile_expression(text, where)
    return entries if device in devices else []


def compile_expression(text, where):
    try:
        return re.compile(text)
    except re.error as error:
        raise CannotRun(f"{where}: '{text}' is no regular expression: {error}") from error


# --- The device -------------------------------------------------------------------------------------------------------

# Prints, for each device of the library that is its argument, whether it is integrated.
LIST_DEVICES = f"""
import ctypes, sys
library, count, value = ctypes.CDLL(sys.argv[1]), ctypes.c_int(0), ctypes.c_int(0)
library.hipGetDeviceCount(ctypes.byref(count))
for device in range(count.value):
    library.hipDeviceGetAttribute(ctypes.byref(value), {HIP_DEVICE_ATTRIBUTE_INTEGRATED}, device)
    print(value.value)
"""


def device_environment(device, build, cache):
    """The variables that make libCHIP choose the device. Throws if there is none of the kind."""
    if device in ("cpu", "opencl"):
        return {"CHIP_DEVICE": device}
    libraries = [root / "lib/libCHIP.so" for root in (build, Path(cache.get("HIP_PATH") or build))]
    library = next((path for path in libraries if path.exists()), None)
    if not library:
        raise CannotRun(f"cannot tell which devices there are: no {' and no '.join(map(str, libraries))}")
    environment = {"CHIP_DEVICE": "gpu"}
    answer = subprocess.run([sys.executable, "-c", LIST_DEVICES, library], env=os.environ | environment,
                            stdin=subprocess.DEVNULL, capture_output=True, text=True)
    kinds = ["igpu" if integrated != "0" else "dgpu" for integrated in answer.stdout.split()]
    if answer.returncode != 0 or device not in kinds:
        found = f"{', '.join(kinds) or 'no GPU'} {answer.stderr.strip()}".rstrip()
        raise CannotRun(f"no {device} here: libCHIP finds {found}")
    if len(kinds) > 1:
        environment["ZE_AFFINITY_MASK"] = str(kinds.index(device))
    return environment


# --- CTest ------------------------------------------------------------------------------------------------------------


def read_cache(build):
    try:
        text = (build / "CMakeCache.txt").read_text(errors="replace")
    except OSError as error:
        raise CannotRun(f"{build} is no build directory: {error.strerror}: CMakeCache.txt") from error
    return dict(re.findall(r"^([^#/:\n][^:\n]*):[A-Z]+=(.*)$", text, re.MULTILINE))


def list_tests(build, options, environment):
    """The tests that ctest would run with these options, in its order."""
    answer = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *options], env=environment,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        if answer.returncode != 0:
            raise ValueError(f"exit status {answer.returncode}")
        # Tests that are discovered at this point may print lines of their own before the listing.
        tests = json.loads(answer.stdout[answer.stdout.index("{\n"):])["tests"]
    except (ValueError, KeyError) as error:
        raise CannotRun(f"ctest cannot list the tests of {build}: {error}") from error
    return [Test(test["name"], folder_of(test, build)) for test in tests]


def folder_of(test, build):
    directory = next((item["value"] for item in test.get("properties", []) if item["name"] == "WORKING_DIRECTORY"), "")
    relative = os.path.relpath(directory, build) if directory else ".."
    return "(elsewhere)" if relative.startswith("..") else relative


def run_tests(build, options, environment):
    """Runs ctest with its output passed on. Returns its exit status and (name, outcome, seconds, output) of each test."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "junit.xml")
        status = subprocess.run(["ctest", "--test-dir", build, "--output-on-failure", "--no-tests=error",
                                 "--output-junit", report, *options],
                                env=environment, stdin=subprocess.DEVNULL).returncode
        try:
            cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
            return status, [(case.get("name"), outcome_of(case), float(case.get("time") or 0),
                             case.findtext("system-out") or "") for case in cases]
        except (OSError, ValueError, xml.etree.ElementTree.ParseError):
            return status, []


def outcome_of(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "disabled":
        return "skipped"
    skipped = case.find("skipped")
    # A program that is not there is not a test that chose to be skipped.
    if status == "notrun" and skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return "skipped"
    return "failed"


# --- The verdict ------------------------------------------------------------------------------------------------------


class Verdict:
    """Counts by folder, and what is wrong, as lines for the user."""

    def __init__(self):
        self.counts = defaultdict(Counter)
        self.seconds = Counter()
        self.problems = []

    def add(self, test, outcome, seconds, output, entries):
        known = next((entry for entry in entries if entry.covers(test)), None)
        if outcome == "failed" and known:
            outcome = "known"
        elif outcome == "failed":
            # Thousands of lines of ctest's stand between its output and the end of a log, which may be all that is kept.
            self.problems.append("\n  ".join([f"failed: {test.name}", *output.splitlines()[-LINES_OF_FAILURE:]]))
        elif outcome == "passed" and known and not known.may_pass:
            self.problems.append(f"passes but is listed as a known failure: {test.name} ({known.reason})")
        self.counts[test.folder][outcome] += 1
        self.seconds[test.folder] += seconds

    def print_table(self):
        width = max([len(folder) for folder in self.counts] + [len("total")])
        print(f"\n{'group':{width}}" + "".join(f"{column:>9}" for column in COLUMNS) + f"{'time':>11}")
        rows = [(folder, self.counts[folder], self.seconds[folder]) for folder in sorted(self.counts)]
        rows.append(("total", sum(self.counts.values(), Counter()), self.seconds.total()))
        for name, counts, seconds in rows:
            print(f"{name:{width}}" + "".join(f"{counts[column]:9}" for column in COLUMNS) + f"{seconds:9.1f} s")


def stale_entries(entries, tests, build, selected):
    """Entries that match none of the suite's tests. `selected` says whether a name is one that this run would take, and
    is None for a complete run. A folder whose programs were not built has no tests, which is no fault of its entries."""
    folders = {test.folder for test in tests}
    for entry in entries:
        if entry.folder not in folders and (build / entry.folder).is_dir():
            continue
        if selected and (entry.is_pattern or not selected(entry.text)):
            continue
        if not any(entry.covers(test) for test in tests):
            yield entry


def check(arguments):
    build = arguments.build_dir.resolve()
    cache = read_cache(build)
    entries = read_known_failures(arguments.known_failures, cache.get("CMAKE_PROJECT_NAME"), arguments.device)
    environment = os.environ | device_environment(arguments.device, build, cache)

    selection, selected = list(arguments.ctest_options), None
    include, exclude = arguments.regex_include, arguments.regex_exclude
    if selection or include or exclude:
        for option, text in (("-R", include), ("-E", exclude)):
            if text:
                compile_expression(text, option)
                selection += [option, text]

        def selected(name):
            return not arguments.ctest_options and (not include or re.search(include, name)) and not (
                exclude and re.search(exclude, name))

    suite = list_tests(build, [], environment)
    expected = list_tests(build, selection, environment) if selection else suite
    folders = defaultdict(list)
    for test in expected:
        folders[test.name].append(test.folder)

    options = [*selection, "--timeout", str(arguments.timeout), "-j", str(arguments.num_threads)]
    if arguments.num_tries > 1:
        options += ["--repeat", f"until-fail:{arguments.num_tries}"]
    status, results = run_tests(build, options, environment)

    verdict = Verdict()
    for name, outcome, seconds, output in results:
        # Tests of the same name in several folders are told apart by their order.
        folder = folders[name].pop(0) if folders[name] else "(elsewhere)"
        verdict.add(Test(name, folder), outcome, seconds, output, entries)
        if outcome == "skipped" and arguments.fail_skipped:
            verdict.problems.append(f"skipped: {name}")
    for name in sorted(name for name, left in folders.items() if left):
        verdict.problems.append(f"has no result: {name}")
    for entry in stale_entries(entries, suite, build, selected):
        verdict.problems.append(f"listed as a known failure but matches no test: {entry}")
    if not any(verdict.counts[folder][column] for folder in list(verdict.counts) for column in COLUMNS[:3]):
        verdict.problems.append("no test was run")
    # Exit status 8 says that tests failed.
    if status not in (0, 8) or (status == 8 and all(outcome != "failed" for _, outcome, _, _ in results)):
        verdict.problems.append(f"ctest ended with exit status {status}")

    verdict.print_table()
    for problem in verdict.problems:
        print(f"check: {problem}")
    print(f"check: {'no failure that is not known' if not verdict.problems else f'problems: {len(verdict.problems)}'}",
          flush=True)
    return 1 if verdict.problems else 0


def positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def main():
    words, ctest_options = sys.argv[1:], []
    if "--" in words:
        words, ctest_options = words[:words.index("--")], words[words.index("--") + 1:]
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].strip(), description=__doc__.split("\n\n")[0])
    parser.add_argument("build_dir", type=Path)
    parser.add_argument("device", choices=DEVICES)
    parser.add_argument("driver", choices=["level0"], nargs="?", default="level0", help="the only one there is")
    parser.add_argument("--timeout", type=positive, default=300, metavar="S",
                        help="seconds that a test may take unless it sets its own limit (default: %(default)s)")
    parser.add_argument("--num-tries", type=positive, default=1, metavar="N",
                        help="run each test up to N times; it passes if all of its runs do (default: %(default)s)")
    parser.add_argument("--num-threads", "-j", type=positive, default=os.cpu_count(), metavar="J",
                        help="tests that run at a time (default: %(default)s)")
    parser.add_argument("--regex-include", "-R", metavar="R", help="run only the tests whose names match")
    parser.add_argument("--regex-exclude", "-E", metavar="R", help="leave out the tests whose names match")
    parser.add_argument("--fail-skipped", action="store_true", help="count a skipped test as a failure")
    parser.add_argument("--known-failures", type=Path, default=CHECKOUT / "tests/known_failures.yaml", metavar="FILE",
                        help="another list of known failures than the checkout's")
    arguments = parser.parse_args(words)
    arguments.ctest_options = ctest_options
    try:
        return check(arguments)
    except CannotRun as error:
        print(f"check: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
