#!/usr/bin/env python3
"""check_sources.py RULE...: holds the sources to the rules of docs/design.md and fails with one line for each violation.

layers   an include leads only to the room itself, or to a room or a file that its row in LAYERS names
sizes    no file has more than 600 lines, no folder more than 25 files (but HIP/include/hip, whose names are AMD's)
targets  no target is asked for whether there is one (but by packages, which other projects load): all folders are always built,
         and tests that a misspelt name leaves out are missed by nobody
format   clang-format (CLANG_FORMAT in the environment, else clang-format-22) would change nothing
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_LINES = 600
MOST_FILES = 25
NAMES_ARE_GIVEN = {"HIP/include/hip"}  # what programs include: AMD's names, which nobody here chooses
ROOMS = ("HIP", "samples", "scripts", "src", "tests")
SOURCES = (".cpp", ".h")
COUNTED = SOURCES + (".cl", ".cmake", ".hip", ".ll", ".py", ".sh", ".spvasm", ".txt")

# The folders of the front of Level Zero drivers, each of which may include those before it. "src/ze_driver" are the files
# of no folder: the interface that devices implement.
ZE_DRIVER = [f"src/ze_driver{folder}" for folder in
             ("/api", "/ipc", "/events", "/records", "", "/memory", "/modules", "/lists", "/driver")]

# Each room of src with the rooms below it, or files of them, that it may include. A folder that is not listed belongs to
# the one above it.
LAYERS = {
    "src/common": [],
    "src/ze": ["src/common"],
    "src/queue": ["src/common", "src/ze"],
    "src/runtime": ["src/common", "src/ze", "src/queue"],
    "src/hip": ["src/common", "src/runtime"],
    "src/hipcc": ["src/common"],
    "src/hiprtc": ["src/common", "src/hipcc"],
    "src/chip_prof": ["src/common"],
    "src/chip_check": ["src/common"],
    "src/roctx": ["src/common"],
    "src/hipblas": ["src/common"],
    "src/hipblaslt": ["src/hipblas"],
    "src/hipsolver": ["src/common", "src/hipblas"],
    "src/device/frontend": ["src/common"],
    "src/device/passes": ["src/common"],
    **{folder: ["src/common", *ZE_DRIVER[:index]] for index, folder in enumerate(ZE_DRIVER)},
    "src/ze_cpu/contract": ["src/common", "src/ze_driver/program.h"],
    "src/ze_cpu/exec": ["src/common", "src/ze_cpu/contract"],
    "src/ze_cpu/runtime": ["src/ze_cpu/contract"],
    "src/ze_cpu/program": ["src/common", "src/ze_cpu/contract", "src/ze_cpu/exec", "src/ze_cpu/runtime"],
    "src/ze_cpu/jit": ["src/common", "src/ze_cpu/contract", "src/ze_cpu/program"],
    "src/ze_cpu": ["src/common", *ZE_DRIVER, "src/ze_cpu/contract", "src/ze_cpu/exec", "src/ze_cpu/program"],
    "src/ze_opencl/spirv": ["src/common", "src/ze_driver/program.h"],
    "src/ze_opencl": ["src/common", *ZE_DRIVER, "src/ze_opencl/spirv"],
}


def files():
    """The project's files, relative to its root: those that git knows, or all where there is no git."""
    git = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", *ROOMS], capture_output=True, text=True, check=False)
    if git.returncode == 0:
        return [name for name in git.stdout.split("\0") if name and os.path.isfile(os.path.join(ROOT, name))]
    found = []
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(ROOT, room)):
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return found


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def room_of(name):
    """The row of LAYERS that a file below src belongs to."""
    folder = os.path.dirname(name)
    while folder and folder not in LAYERS:
        folder = os.path.dirname(folder)
    return folder


def check_layers(names):
    known = set(names)
    for name in names:
        if not name.startswith("src/") or not name.endswith(SOURCES):
            continue
        room = room_of(name)
        if not room:
            yield f"{name}: its folder has no row in LAYERS ({os.path.relpath(__file__, ROOT)})"
            continue
        for number, line in enumerate(read(name).split("\n"), 1):
            include = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
            if not include:
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(name), include[1]))
            if target not in known:
                target = os.path.normpath(os.path.join("src", include[1]))
            if target not in known:
                continue  # generated, or of another project
            if room_of(target) not in [room, *LAYERS[room]] and target not in LAYERS[room]:
                yield f"{name}:{number}: {room} must not include {target}"


def check_sizes(names):
    folders = {}
    for name in names:
        if not name.endswith(COUNTED):
            continue
        folder = os.path.dirname(name)
        folders[folder] = folders.get(folder, 0) + 1
        lines = read(name).count("\n")
        if lines > MOST_LINES:
            yield f"{name}: {lines} lines, at most {MOST_LINES} are allowed"
    for folder, count in sorted(folders.items()):
        if count > MOST_FILES and folder not in NAMES_ARE_GIVEN:
            yield f"{folder}: {count} files, at most {MOST_FILES} are allowed"


def check_targets(names):
    for name in names:
        if not name.endswith(("CMakeLists.txt", ".cmake")) or name.startswith("HIP/cmake/"):
            continue
        for number, line in enumerate(read(name).split("\n"), 1):
            if re.match(r"\s*(else)?if\s*\(([^)]*\s)?TARGET\s", line, re.IGNORECASE):
                yield f"{name}:{number}: asks whether there is a target: name it, so that a missing one is an error"


def check_format(names):
    program = os.environ.get("CLANG_FORMAT", "clang-format-22")
    sources = [os.path.join(ROOT, name) for name in names if name.endswith(SOURCES)]
    result = subprocess.run([program, "--dry-run", *sources], capture_output=True, text=True, check=True)
    badly = {line.split(":", 1)[0] for line in result.stderr.split("\n") if "clang-format-violations" in line}
    for name in sorted(badly):
        yield f"{os.path.relpath(name, ROOT)}: not formatted; run {program} -i on it"


RULES = {"layers": check_layers, "sizes": check_sizes, "targets": check_targets, "format": check_format}


def main(rules):
    unknown = [rule for rule in rules if rule not in RULES]
    if not rules or unknown:
        print(__doc__, file=sys.stderr)
        return 2
    names = files()
    if not any(name.startswith("src/") for name in names):
        print(f"check_sources: no sources below {ROOT}", file=sys.stderr)
        return 2
    violations = [violation for rule in rules for violation in RULES[rule](names)]
    for violation in violations:
        print(violation)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
