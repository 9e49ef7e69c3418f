#!/usr/bin/env python3
"""The gates of HIP's functions.

  generate.py --headers DIR --sources FILE... --registered FILE --numbers FILE
              --table table.c --names names.h

`table` has the exported functions, each a jump through its pointer, which first is that of the
function itself, which of these pointers `registered` lists for rocprofiler, and the names that `numbers` has for
profilers; `names` gives the functions themselves other names wherever it is included first.
"""

import argparse
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unsupported"))

from generate import Error, declared_functions, read, renames, write  # noqa: E402

# A library of its own, and what HIP does not have.
NOT_GATED = ["hiprtc.h", "../chip/interop.h"]

CHANGED = re.compile(r"^\w+[\s*]+(hip\w+R0700)\(", re.MULTILINE)

CHANGED_NAME = re.compile(r"hip\w+R0700")

# The pragma counts for what is declared before it is defined. No header declares what has changed,
# and nothing but its definition and calls has its name.
RENAMING = {False: "#pragma redefine_extname %s gated_%s\n", True: "#define %s gated_%s\n"}

TABLE = """/* Generated: the functions that libCHIP exports, and their gates. */
#include <stddef.h>

%(functions)s
#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN void *chip_gates[] = {
%(gates)s};
HIDDEN const char *const chip_gate_names[] = {
%(names)s};
HIDDEN const size_t chip_gate_count = sizeof chip_gates / sizeof *chip_gates;

%(registered)s
HIDDEN const char *const chip_api_names[] = {
%(numbered)s};
HIDDEN const size_t chip_api_name_count = sizeof chip_api_names / sizeof *chip_api_names;

#if defined(__x86_64__)
#define TYPE "@function"
#if defined(__CET__) && (__CET__ & 1)
#define JUMP(offset) "endbr64\\n jmp *chip_gates+" #offset "(%%rip)\\n"
#else
#define JUMP(offset) "jmp *chip_gates+" #offset "(%%rip)\\n"
#endif
#elif defined(__aarch64__)
#define TYPE "%%function"
#define JUMP(offset)                                                                               \\
  "hint #34\\n adrp x16, chip_gates+" #offset "\\n"                                                  \\
  " ldr x16, [x16, :lo12:chip_gates+" #offset "]\\n br x16\\n"
#else
#error "gates have no code for this processor"
#endif
#define GATE(name, offset)                                                                         \\
  __asm__(".text\\n.p2align 4\\n.globl " #name "\\n.type " #name ", " TYPE "\\n" #name ":\\n"           \\
          ".cfi_startproc\\n " JUMP(offset) ".cfi_endproc\\n.size " #name ", .-" #name "\\n");

%(jumps)s"""


def exported_names(headers, sources):
    other_names = renames(headers)
    names = set()
    for function in declared_functions(headers, NOT_GATED):
        names.add(function.name)
        names.add(other_names.get(function.name, function.name))
    for path in sources:
        names.update(CHANGED.findall(read(path)))
    return sorted(names)


def registered_tables(path, names):
    """The tables by name: the number of each function's gate, -1 for one that libCHIP lacks."""
    tables, numbers = {}, {name: i for i, name in enumerate(names)}
    for line in read(path).splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0].startswith("["):
            table = tables.setdefault(words[0].strip("[]"), [])
        elif (words[1:] == ["lacking"]) == (words[0] in numbers):
            raise Error("%s: libCHIP %s %s" % (path, "has" if words[1:] else "lacks", words[0]))
        else:
            table.append(numbers.get(words[0], -1))
    return tables


def numbered_names(path):
    """C texts: the names of the numbers from 0 on, null where no function has the number."""
    lines = [line.split("#")[0].strip() for line in read(path).splitlines()]
    names = [line for line in lines if line]
    used = [name for name in names if name != "reserved"]
    if len(set(used)) != len(used):
        raise Error("%s: a function has two numbers" % path)
    return ["0"] + ["0" if name == "reserved" else '"%s"' % name for name in names]


def registered_code(tables):
    return "".join("HIDDEN const int chip_registered_%s[] = {%s};\n"
                   "HIDDEN const size_t chip_registered_%s_count = %d;\n" %
                   (name, ", ".join(map(str, gates)), name, len(gates))
                   for name, gates in tables.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headers", required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--registered", required=True)
    parser.add_argument("--numbers", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--names", required=True)
    arguments = parser.parse_args()
    try:
        names = exported_names(arguments.headers, arguments.sources)
        write(arguments.table, TABLE % {
            "functions": "".join('void gated_%s(void) __attribute__((visibility("hidden")));\n' % name
                                 for name in names),
            "gates": "".join("    (void *)&gated_%s,\n" % name for name in names),
            "names": "".join('    "%s",\n' % name for name in names),
            "registered": registered_code(registered_tables(arguments.registered, names)),
            "numbered": "".join("    %s,\n" % name for name in numbered_names(arguments.numbers)),
            "jumps": "".join("GATE(%s, %d)\n" % (name, 8 * i) for i, name in enumerate(names))})
        write(arguments.names, "/* Generated: what the library's own calls go to. */\n#pragma once\n" +
              "".join(RENAMING[bool(CHANGED_NAME.fullmatch(name))] % (name, name) for name in names))
        return 0
    except (Error, OSError) as error:
        print("generate.py: %s" % error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
