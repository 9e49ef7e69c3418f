#!/usr/bin/env python3
"""What Level Zero's headers say of null arguments, as initialisers of a C++ table.

  null_arguments.py --headers DIR --functions entry_points.h --output null_arguments.inc

A line gives a function that entry_points.h declares, and the places of its parameters for which the
function's comment says that null is ZE_RESULT_ERROR_INVALID_NULL_HANDLE, and of those for which it
is ZE_RESULT_ERROR_INVALID_NULL_POINTER.
"""
import argparse
import os
import re


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def places(error, comment, parameters):
    """Of the parameters themselves: not of what they point to."""
    found = re.search(r"::ZE_RESULT_ERROR_INVALID_NULL_%s\n((?:///\s+\+ .*\n)*)" % error, comment)
    names = re.findall(r"`nullptr == (\w+)`", found[1]) if found else []
    return [parameters.index(name) for name in names]


def functions(header):
    """The name of each function, the names of its parameters and its comment."""
    pattern = r"((?:^///.*\n)+)ZE_APIEXPORT ze_result_t ZE_APICALL\n(\w+)\(\n((?:.+///<.*\n|\s*///<.*\n)*)\s*\);"
    for comment, name, parameters in re.findall(pattern, header, re.MULTILINE):
        yield name, re.findall(r"(\w+)(?:\[\w*\])?,?[ \t]*///<", parameters), comment


def lines(headers, declared):
    for header in sorted(os.listdir(headers)):
        if not re.fullmatch(r"ze[a-z]?_api\.h", header):
            continue
        for name, parameters, comment in functions(read(os.path.join(headers, header))):
            if name in declared:
                yield '{"%s", answers(&ze_driver::%s), {%s}, {%s}},\n' % (
                    name, name, *(", ".join(map(str, places(error, comment, parameters))) for error in ("HANDLE", "POINTER")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", required=True)
    parser.add_argument("--functions", required=True)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    declared = set(re.findall(r"^ZE_DRIVER_ENTRY_POINT\((\w+)\)", read(arguments.functions), re.MULTILINE))
    table = list(lines(arguments.headers, declared))
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write("".join(table))


if __name__ == "__main__":
    main()
