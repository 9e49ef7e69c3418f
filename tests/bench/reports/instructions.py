"""How many instructions a launch takes, counted by callgrind.

Two runs that differ only in how often they launch: what they differ by is launches, and start-up cancels.
"""
import collections
import os
import re
import subprocess
import tempfile

OWN = "libCHIP.so"
DRIVER = ("libze_loader", "libze_intel_gpu", "libze_cpu", "libze_validation_layer", "libze_tracing_layer")


def count(path):
    """Reads callgrind's output (its manual: Callgrind Format Specification).

    Returns the instructions of each (object, function) itself, and of the calls from libCHIP to what is neither the
    driver nor the loader nor itself, by the same key of the callee.
    """
    names = {}  # (kind, number) -> name: each is spelled out once
    own = collections.Counter()
    called = collections.Counter()
    object_file = function = callee_object = callee = ""
    is_call = False

    def resolve(kind, text):
        number, name = re.fullmatch(r"\((\d+)\)(?: (.*))?", text).groups()
        if name is not None:
            names[kind, number] = name
        return names[kind, number]

    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            key, separator, value = line.rstrip("\n").partition("=")
            if separator and key == "ob":
                object_file = callee_object = os.path.basename(resolve("ob", value))
            elif separator and key == "fn":
                function = resolve("fn", value)
                callee_object = object_file
            elif separator and key == "cob":
                callee_object = os.path.basename(resolve("ob", value))
            elif separator and key == "cfn":
                callee = resolve("fn", value)
            elif separator and key in ("fl", "fi", "fe", "cfi", "cfl"):
                resolve("fl", value)
            elif separator and key == "calls":
                is_call = True
            elif re.match(r"[0-9+*-]", line):
                cost = int(line.split()[1])
                if not is_call:
                    own[object_file, function] += cost
                elif object_file.startswith(OWN) and not callee_object.startswith((OWN, *DRIVER)):
                    called[callee_object, callee] += cost
                if is_call:
                    callee_object = object_file  # a call without cob= stays in the caller's object
                is_call = False
    return own, called


def run(command, program, launches, directory):
    """Counts one run of the program, which launches so often."""
    output = os.path.join(directory, f"callgrind.{launches}")
    subprocess.run([*command, "valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program,
                    "--launches", str(launches)], check=True, capture_output=True)
    return count(output)


def per_launch(command, program, launches):
    """(figures by their keys in launch.json, profile: (instructions, function) of libCHIP's own, most first)."""
    with tempfile.TemporaryDirectory() as directory:
        once_own, once_called = run(command, program, launches, directory)
        twice_own, twice_called = run(command, program, 2 * launches, directory)
    twice_own.subtract(once_own)
    twice_called.subtract(once_called)

    def total(counts, *objects):
        return sum(n for (name, _), n in counts.items() if name.startswith(objects)) / launches

    own = total(twice_own, OWN)
    figures = {
        "own_instructions_per_launch": own,
        "own_instructions_with_libc_per_launch": own + sum(twice_called.values()) / launches,
        "driver_instructions_per_launch": total(twice_own, *DRIVER),
    }
    profile = [(n / launches, function) for (name, function), n in twice_own.items() if name.startswith(OWN)]
    profile += [(n / launches, f"{function} [called in {name}]") for (name, function), n in twice_called.items()]
    return figures, sorted((row for row in profile if row[0] >= 0.05), reverse=True)
