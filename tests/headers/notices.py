#!/usr/bin/env python3
"""Changes a copy of our headers in all these places and demands that the comparison names each.

  notices.py --clang CLANG --include DIR --official official.json
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

API = os.path.join(os.path.dirname(os.path.abspath(__file__)), "api.py")

# case: (file in hip/api, what stands there, what shall stand there, the line that must come of it)
CASES = {
    "a changed enumerator": (
        "types/error_types.h",
        "hipErrorNotReady = 600", "hipErrorNotReady = 601",
        "enumerators: hipErrorNotReady is 601, officially 600"),
    "a missing enumerator": (
        "types/memory_types.h",
        "  hipMemHandleTypeWin32 = 0x2,\n", "",
        "enumerators: hipMemHandleTypeWin32 is missing, officially 2"),
    "swapped fields of one type": (
        "types/device_types.h",
        "  int pciBusID;\n  int pciDeviceID;\n", "  int pciDeviceID;\n  int pciBusID;\n",
        "layouts: hipDeviceProp_tR0600::pciBusID offset"),
    "a field of another type and the same size": (
        "types/graph_types.h",
        "  hipHostFn_t fn;", "  void *fn;",
        "layouts: hipHostNodeParams::fn type is void*"),
    "a field in a nested union": (
        "types/resource_types.h",
        "      struct hipChannelFormatDesc desc;\n      size_t sizeInBytes;",
        "      struct hipChannelFormatDesc desc;\n      unsigned int sizeInBytes;",
        "layouts: hipResourceDesc::res.linear.sizeInBytes size is 4, officially 8"),
    "swapped bit-fields": (
        "types/device_types.h",
        "  unsigned hasWarpVote : 1;\n  unsigned hasWarpBallot : 1;",
        "  unsigned hasWarpBallot : 1;\n  unsigned hasWarpVote : 1;",
        "layouts: hipDeviceArch_t::hasWarpVote bits"),
    "a parameter of another type": (
        "memory.h",
        "hipError_t hipMalloc(void **address, size_t size);",
        "hipError_t hipMalloc(void **address, unsigned int size);",
        "functions: hipMalloc is hipError_t (void**, unsigned int)"),
    "a missing function": (
        "event.h",
        "hipError_t hipEventSynchronize(hipEvent_t event);", "",
        "functions: hipEventSynchronize is missing"),
    "a function that HIP does not have": (
        "event.h",
        "hipError_t hipEventQuery(hipEvent_t event);",
        "hipError_t hipEventQuery(hipEvent_t event);\nhipError_t hipEventAsk(hipEvent_t event);",
        "functions: hipEventAsk is hipError_t (ihipEvent_t*), and officially there is none"),
    "a function that is no longer deprecated": (
        "context.h",
        "HIP_DEPRECATED(HIP_DEPRECATED_MSG)\nhipError_t hipCtxSynchronize(void);",
        "hipError_t hipCtxSynchronize(void);",
        "functions: hipCtxSynchronize is hipError_t (), officially hipError_t () deprecated"),
    "a changed default argument": (
        "memory.h",
        "unsigned int flags __dparm(hipMemAttachGlobal));", "unsigned int flags __dparm(2));",
        "defaults: hipMallocManaged, parameter 3 is 2, officially 1"),
    "a missing overload": (
        "cxx/templates.h",
        "CHIP_OVERLOAD hipError_t hipMalloc(T **", "CHIP_OVERLOAD hipError_t chipMalloc(T **",
        "templates: hipMalloc is missing"),
    "a changed macro": (
        "types/stream_types.h",
        "#define hipStreamNonBlocking 0x01", "#define hipStreamNonBlocking 0x02",
        "macros: hipStreamNonBlocking is 0x02, officially 0x01"),
}


def change(include):
    for case, (name, before, after, _) in CASES.items():
        path = os.path.join(include, "hip", "api", name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if text.count(before) != 1:
            sys.exit("%s has '%s' %d times: '%s' has to be brought up to date" % (
                name, before, text.count(before), case))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ["clang", "include", "official"]:
        parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as directory:
        include = os.path.join(directory, "include")
        shutil.copytree(arguments.include, include)
        change(include)
        ours = os.path.join(directory, "ours.json")
        subprocess.run([sys.executable, API, "dump", "--clang", arguments.clang,
                        "--include", include, "--header", "hip/hip_runtime_api.h",
                        "--output", ours], check=True)
        compared = subprocess.run([sys.executable, API, "compare", "--ours", ours,
                                   "--official", arguments.official],
                                  capture_output=True, text=True, check=False)
    print(compared.stdout, end="")
    if compared.returncode != 1:
        sys.exit("the comparison returned %d: %s" % (compared.returncode, compared.stderr))
    unnoticed = [case for case, (*_, expected) in CASES.items() if expected not in compared.stdout]
    if unnoticed:
        sys.exit("not noticed: " + ", ".join(unnoticed))


if __name__ == "__main__":
    main()
