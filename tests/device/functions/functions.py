#!/usr/bin/env python3
"""Which device functions the official headers of HIP 6.4 declare and ours do not: `functions.py --clang CLANG --official DIR
--hipcc HIPCC`. Fails when a function is missing that known.txt beside this file does not list.
"""
import argparse
import os
import re
import subprocess
import sys

HEADERS = ["hip_runtime.h", "hip_fp16.h", "hip_bf16.h", "hip_bfloat16.h", "hip_fp8.h", "hip_complex.h",
           "hip_cooperative_groups.h", "hip_texture_types.h", "hip_vector_types.h", "hip_math_constants.h", "math_functions.h",
           "device_functions.h", "channel_descriptor.h"]
KNOWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.txt")


# A line of clang's syntax tree: the lines of its ancestors, two characters each, the kind, the address, where it stands, its name.
NODE = re.compile(r"([ |`-]*)(\w+) 0x")
NAME = re.compile(r" (operator ?[^ ]+|\w+) '")
HOLDS_FUNCTIONS = ("TranslationUnitDecl", "LinkageSpecDecl", "FunctionTemplateDecl")


def device_functions(tree):
    """The names of the functions of a syntax tree that have the attribute, and are in no namespace but that of the groups."""
    names = set()
    prefixes = [""]  # by depth, of the names declared there; what is deeper is not looked at
    function = None  # the name of the last one, and its depth
    for line in tree:
        node = NODE.match(line)
        if not node:
            continue
        depth, kind = len(node[1]) // 2, node[2]
        if depth >= len(prefixes):
            if function and kind == "CUDADeviceAttr" and depth == function[1] + 1:
                names.add(function[0])
            continue
        del prefixes[depth + 1:]
        function = None
        if kind in HOLDS_FUNCTIONS:
            prefixes.append(prefixes[depth])
        elif kind == "NamespaceDecl" and re.search(r" cooperative_groups\b", line):
            prefixes.append(prefixes[depth] + "cooperative_groups::")
        elif kind == "FunctionDecl" and (name := NAME.search(line)):
            function = (prefixes[depth] + name[1], depth)
    return names


def declared(command, may_fail=False):
    """Names of device functions. The official headers are for an older compiler: newer ones find errors in bodies."""
    source = "".join(f"#include <hip/{name}>\n" for name in HEADERS)
    result = subprocess.run([*command, "-w", "-x", "hip", "--cuda-device-only", "-fsyntax-only", "-ferror-limit=0", "-Xclang",
                             "-skip-function-bodies", "-Xclang", "-ast-dump", "-"],
                            input=source, capture_output=True, text=True, check=False)
    if result.returncode != 0 and not may_fail:
        sys.exit(f"functions.py: {command[0]} failed:\n{result.stderr[:3000]}")
    return device_functions(result.stdout.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--official", required=True)
    parser.add_argument("--hipcc", required=True)
    parser.add_argument("--count", action="store_true", help="print only how many are missing")
    arguments = parser.parse_args()
    official = declared([arguments.clang, "--offload-arch=gfx90a", "-nogpulib", "-D__HIP_PLATFORM_AMD__", "-D__HIP_ENABLE_CUDA_WARP_SYNC_BUILTINS__",
                         "-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-idirafter", arguments.official], may_fail=True)
    ours = declared([arguments.hipcc])
    with open(KNOWN, encoding="utf-8") as file:
        known = [line.split("#")[0].strip() for line in file]
    prefixes = tuple(word[:-1] for word in known if word.endswith("*"))
    absent = official - ours
    missing = sorted(name for name in absent if name not in known and not name.startswith(prefixes))
    if arguments.count:
        print(len(missing))
        return 0
    for name in missing:
        print(f"{name} is missing")
    stale = [word for word in known if word and not word.endswith("*") and word not in absent]
    for name in stale:
        print(f"{name} is listed, but not missing")
    print(f"{len(official)} device functions in HIP 6.4, {len(absent)} of them not here, {len(missing)} without a reason")
    return 1 if missing or stale or len(official) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
