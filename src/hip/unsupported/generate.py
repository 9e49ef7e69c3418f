#!/usr/bin/env python3
"""Functions that the headers declare and no source defines, and programs made from that knowledge.

  generate.py table   --headers DIR --sources FILE... --output unsupported.cpp --list names.txt
  generate.py linkage --headers DIR --output all_functions.c

`table` writes one definition for every such function: it reports itself to
chip::hip::unsupported() and returns what that says. `linkage` writes a C program that refers to
every declared function, so that it links only with a library that has them all.

The parser knows the style of our own headers, in which the functions stand between HIP_API_BEGIN
and HIP_API_END. Whatever else it finds there is an error: a declaration that it cannot read would
otherwise be one that nobody misses.
"""

import argparse
import dataclasses
import os
import re
import sys

# The library's own headers, in the order in which the generated files include them.
HEADERS = ["hip_runtime_api.h", "hip_deprecated.h", "hip_ext.h", "hip_gl_interop.h", "hip_interop.h"]

# hiprtc is a library of its own. What the compiler calls, and other runtimes' names for native
# handles, return no hipError_t, so that nothing can stand in for it. Our own interface for native
# handles needs Level Zero's headers; its tests link all of it.
NATIVE = "../chip/interop.h"
NOT_IN_TABLE = ["hiprtc.h", "api/registration.h", "hip_interop.h", NATIVE]
NOT_IN_LINKAGE = ["hiprtc.h", NATIVE]

# The folders of headers, below the directory of all.
FOLDERS = ["hip", "chip"]

FUNCTION = re.compile(
    r'(?:HIP_DEPRECATED\((?:"[^"]*"|\w+)\)\s*)?'
    r"(?P<returns>(?:const |struct )?\w+(?: \*+)?)\s*\b(?P<name>_*c?hip\w+)\((?P<parameters>.*)\)",
    re.DOTALL)
TYPE_DEFINITION = re.compile(r"typedef struct \w+ \{.*?\} \w+;", re.DOTALL)
PARAMETER = re.compile(r"(?P<type>.*[\s*])(?P<name>\w+)", re.DOTALL)

# What stands in for a value where hipErrorNotSupported cannot be returned.
OTHER_RESULTS = {"const char *": '""', "int": "-1", "void": None,
                 "struct hipChannelFormatDesc": "{}"}


class Error(Exception):
    pass


@dataclasses.dataclass
class Function:
    returns: str
    name: str
    parameters: list  # types only
    header: str


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\")",
                  lambda match: match.group(1) or " ", text, flags=re.DOTALL)


def split_parameters(text):
    """Splits at the commas that are not inside parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [" ".join(part.split()) for part in parts]


def of_6(text):
    """A declaration as it is with the headers of HIP 6.4."""
    text = re.sub(r"\bHIP_API_(?:CONST|UNSIGNED)_SINCE_7\s*", "", text)
    return text.replace("HIP_API_DRV_MEMSET_PARAMS", "HIP_MEMSET_NODE_PARAMS")


def parse_function(text, header):
    match = FUNCTION.fullmatch(of_6(text).strip())
    if not match:
        raise Error("%s: cannot read this declaration: %s" % (header, " ".join(text.split())))
    types = []
    for parameter in split_parameters(match["parameters"]):
        if parameter == "void":
            continue
        parameter = re.sub(r"\s*__dparm\(.*\)$", "", parameter)
        named = PARAMETER.fullmatch(parameter)
        if not named or "(" in parameter:
            raise Error("%s: cannot read a parameter of %s: '%s'" %
                        (header, match["name"], parameter))
        types.append(named["type"].strip())
    return Function(match["returns"], match["name"], types, header)


def parse_header(text, header):
    """The functions in the API blocks of one header."""
    functions = []
    text = without_comments(text)
    if text.count("HIP_API_BEGIN\n") != text.count("HIP_API_END\n"):
        raise Error("%s: HIP_API_BEGIN and HIP_API_END do not pair up" % header)
    for block in re.findall(r"^HIP_API_BEGIN$(.*?)^HIP_API_END$", text, re.DOTALL | re.MULTILINE):
        if re.search(r"^\s*#(?!define)", block, re.MULTILINE):
            raise Error("%s: an API block must not depend on the preprocessor" % header)
        block = re.sub(r"^\s*#define[^\n]*$", "", block, flags=re.MULTILINE)
        block = TYPE_DEFINITION.sub("", block)
        *declarations, rest = block.split(";")
        if rest.strip():
            raise Error("%s: an API block ends in '%s'" % (header, " ".join(rest.split())))
        functions += [parse_function(declaration, header) for declaration in declarations]
    return functions


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def header_files(directory):
    return [os.path.join(root, name) for folder in FOLDERS
            for root, _, files in sorted(os.walk(os.path.join(directory, folder)))
            for name in sorted(files) if name.endswith(".h")]


def declared_functions(directory, without):
    functions = []
    for path in header_files(directory):
        header = os.path.relpath(path, os.path.join(directory, "hip"))
        # The device half declares nothing that the host calls.
        if header not in without and not header.startswith("spirv_detail"):
            functions += parse_header(read(path), header)
    if not functions:
        raise Error("%s declares no function" % directory)
    names = [function.name for function in functions]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise Error("declared twice: %s" % ", ".join(twice))
    return functions


def renames(directory):
    """hipGetDeviceProperties -> hipGetDevicePropertiesR0600: one function under two names."""
    text = read(os.path.join(directory, "hip", "api", "types", "device_types.h"))
    return dict(re.findall(r"^#define (hip\w+) (hip\w+R\d{4})$", text, re.MULTILINE))


def is_defined(name, text):
    """Whether the source has a body for the function: a line starts with its type and name, and
    after the parameters comes a brace."""
    start = re.compile(r'^(?:CHIP_API\s+|extern\s+"C"\s+)*(?:const\s+)?\w+[\s*]+%s\s*\(' % name,
                       re.MULTILINE)
    for match in start.finditer(text):
        depth, position = 1, match.end()
        while depth and position < len(text):
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            position += 1
        if re.match(r"\s*(noexcept\s*)?(try\s*)?\{", text[position:]):
            return True
    return False


def missing_functions(functions, sources, other_names):
    text = "\n".join(without_comments(source) for source in sources)
    return [function for function in functions
            if not is_defined(function.name, text)
            and not is_defined(other_names.get(function.name, function.name), text)]


def includes(language):
    return "".join("#include <hip/%s>\n" % header for header in HEADERS) + language


def table(functions):
    lines = ["// Generated: the declared functions that have no body yet.\n",
             includes('\n#include "last_error.h"\n')]
    for function in functions:
        call = 'chip::hip::unsupported("%s")' % function.name
        if function.returns == "hipError_t":
            body = "return %s;" % call
        elif function.returns in OTHER_RESULTS:
            result = OTHER_RESULTS[function.returns]
            body = "static_cast<void>(%s);" % call + (" return %s;" % result if result else "")
        else:
            raise Error("%s: nothing can stand in for the %s of %s" %
                        (function.header, function.returns, function.name))
        lines.append('extern "C" %s %s(%s) { %s }' % (
            function.returns, function.name, ", ".join(function.parameters), body))
    return "\n".join(lines) + "\n"


def linkage(functions):
    lines = ["/* Generated: refers to every function that the headers declare. */",
             includes("#include <hip/api/registration.h>\n#include <stdio.h>\n"),
             "typedef void (*function_t)(void);",
             "static const struct {\n  const char *name;\n  function_t function;\n} functions[] = {"]
    lines += ['    {"%s", (function_t)%s},' % (function.name, function.name)
              for function in functions]
    lines += ["};", "", "int main(void) {",
              "  const size_t count = sizeof functions / sizeof functions[0];",
              "  for (size_t i = 0; i < count; ++i)",
              "    if (functions[i].function == 0) {",
              '      fprintf(stderr, "%s has no address\\n", functions[i].name);',
              "      return 1;", "    }",
              '  printf("%zu functions\\n", count);', "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ["table", "linkage"]:
        command = commands.add_parser(name)
        command.add_argument("--headers", required=True)
        command.add_argument("--output", required=True)
        if name == "table":
            command.add_argument("--sources", nargs="*", default=[])
            command.add_argument("--list", required=True)
    arguments = parser.parse_args()
    try:
        if arguments.command == "linkage":
            functions = declared_functions(arguments.headers, NOT_IN_LINKAGE)
            write(arguments.output, linkage(functions))
            return 0
        functions = declared_functions(arguments.headers, NOT_IN_TABLE)
        sources = [read(path) for path in arguments.sources]
        missing = missing_functions(functions, sources, renames(arguments.headers))
        write(arguments.output, table(missing))
        write(arguments.list, "".join(sorted(function.name + "\n" for function in missing)))
        print("%d of %d functions have no body yet" % (len(missing), len(functions)))
        return 0
    except (Error, OSError) as error:
        print("generate.py: %s" % error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
