#!/usr/bin/env python3
"""What a HIP header declares, asked of the compiler, and how two headers differ in it.

  api.py dump    --clang CLANG --include DIR [--define MACRO]... --header hip/x.h --output x.json
  api.py compare --official official.json --ours ours.json [--aspect ASPECT]...
  api.py changes --old older.json --new newer.json [--facts changes.txt]

A dump has one table per aspect: item -> what it is. Names come from clang's syntax tree; values,
sizes, offsets and types come from a program that is compiled against the header and run, so that
two spellings of one type are equal and two types under one name are not.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ASPECTS = ["enumerators", "layouts", "typedefs", "functions", "defaults", "templates", "macros"]

# Everything else that a header brings in belongs to the C and C++ libraries.
OURS = re.compile(r"^(hip|HIP|__hip|make_hip|dim3$|texture$|textureReference$|surfaceReference$)")
MACRO = re.compile(r"^(hip|HIP|__HIP_HAS)")

# What HIP got after 6.4: the official headers may lack it.
NEWER = {"HIP_LAUNCH_CONFIG", "HIP_LAUNCH_CONFIG_st", "hipDrvLaunchKernelEx", "hipLaunchAttribute",
         "hipLaunchAttribute_st", "hipLaunchConfig_st", "hipLaunchConfig_t", "hipLaunchKernelExC",
         "hipStreamGetId"}

# What HIP 7.2 has by its list of changes: the official headers of 7.2.4 lack it.
LISTED_IN_7_2 = {"HIP_GET_PROC_ADDRESS_DEFAULT", "HIP_GET_PROC_ADDRESS_LEGACY_STREAM",
                 "HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM", "hipGetProcAddress_spt",
                 "hipMemGetMemPool", "hipMemPrefetchBatchAsync", "hipMemSetMemPool"}
NEWER |= LISTED_IN_7_2

# Ambiguous in the official headers, and templates in ours, so that they are not.
BETTER = {"hipLibraryLoadData", "hipLibraryLoadFromFile"}

# Macros whose text is an implementation's own, and guards of files.
OWN_MACROS = re.compile(
    r"^HIP_(INCLUDE_\w+|API_\w+|\w+_H|VERSION|VERSION_(PATCH|GITHASH|BUILD_ID|BUILD_NAME)|"
    r"DEPRECATED_MSG|DEPRECATED|PUBLIC_API|INTERNAL_EXPORTED_API)$")


def fail(message):
    sys.exit("api.py: " + message)


def run(command, **arguments):
    result = subprocess.run(command, capture_output=True, text=True, **arguments)
    if result.returncode != 0:
        fail("%s\n%s" % (" ".join(command), result.stderr[:4000]))
    return result.stdout


class Header:
    def __init__(self, clang, include, defines, header):
        self.clang = clang
        self.flags = ["-x", "c++", "-std=c++17", "-w", "-I" + include]
        self.flags += ["-D" + define for define in defines]
        self.source = "".join('#include <%s>\n' % name for name in header)

    def syntax_tree(self):
        command = [self.clang, *self.flags, "-fsyntax-only", "-Xclang", "-skip-function-bodies",
                   "-Xclang", "-ast-dump=json", "-"]
        return json.loads(run(command, input=self.source))

    def macros(self):
        """name -> what it expands to, without white space; with parameters only their number."""
        def defined(source):
            output = run([self.clang, *self.flags, "-dM", "-E", "-"], input=source)
            return dict(re.match(r"#define (\w+)(\([^)]*\))?", line).groups()
                        for line in output.splitlines())
        before = defined("")
        macros = {name: parameters for name, parameters in defined(self.source).items()
                  if name not in before and MACRO.match(name) and not OWN_MACROS.match(name)}
        # In a string a name stays what it is; behind it, it is expanded.
        lines = "".join('@"%s" %s\n' % (name, name) for name in macros)
        output = run([self.clang, *self.flags, "-E", "-P", "-"], input=self.source + lines)
        expanded = dict(re.findall(r'^@"(\w+)"(.*)$', output, re.MULTILINE))
        return {name: "%d parameters" % len(parameters.split(",")) if parameters
                else re.sub(r"\s", "", expanded[name]) for name, parameters in macros.items()}

    def answers(self, questions):
        """Evaluates C++ expressions that give a number or a text, all in one program."""
        with tempfile.TemporaryDirectory() as directory:
            source = os.path.join(directory, "probe.cpp")
            program = os.path.join(directory, "probe")
            with open(source, "w") as file:
                file.write(self.source + PROBE_HEAD)
                for start in range(0, len(questions), 200):
                    body = "".join("  say(%s);\n" % question
                                   for question in questions[start:start + 200])
                    file.write("static void part_%d() {\n%s}\n" % (start, body))
                calls = "".join("  part_%d();\n" % start for start in range(0, len(questions), 200))
                file.write("int main() {\n%s}\n" % calls)
            run([self.clang, *self.flags, "-Wno-invalid-offsetof", source, "-lstdc++", "-o", program])
            lines = run([program]).splitlines()
        if len(lines) != len(questions):
            fail("the probe answered %d of %d questions" % (len(lines), len(questions)))
        return lines


PROBE_HEAD = """
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <cxxabi.h>
#include <typeinfo>
static void say(long long value) { std::printf("%lld\\n", value); }
static void say(const std::type_info &type) {
  int status = 0;
  std::printf("%s\\n", abi::__cxa_demangle(type.name(), nullptr, nullptr, &status));
}
/// The bits of a bit-field: everything zero but the field.
template <class Record, class Set> void say_bits(Set set) {
  Record record;
  std::memset(static_cast<void *>(&record), 0, sizeof record);
  set(record);
  unsigned char bytes[sizeof record];
  std::memcpy(bytes, &record, sizeof record);
  for (unsigned char byte : bytes)
    std::printf("%02x", byte);
  std::printf("\\n");
}
struct Bits {};
static void say(Bits) {}
"""


def children(node, *kinds):
    return [child for child in node.get("inner", []) if child.get("kind") in kinds]


def top_level(tree):
    """Declarations at namespace scope; what is in a namespace is an implementation's own."""
    for node in tree.get("inner", []):
        if node.get("kind") == "LinkageSpecDecl":
            yield from top_level(node)
        else:
            yield node


def fields(record, prefix=""):
    """(path, is a bit-field, has a type with a name) for every field, through nested records."""
    nested = None
    for node in record.get("inner", []):
        if node.get("kind") == "CXXRecordDecl" and node.get("completeDefinition"):
            nested = node
        elif node.get("kind") == "FieldDecl":
            name = node.get("name")
            path = prefix + name if name else prefix
            if name:
                yield path, node.get("isBitfield", False), nested is None
            if nested is not None:
                yield from fields(nested, path + "." if name else prefix)
            nested = None


def default_value(parameter):
    """The literals and names in a default argument, or None without one."""
    if "init" not in parameter:
        return None
    words = []

    def walk(node):
        if node.get("kind") in ("GNUNullExpr", "CXXNullPtrLiteralExpr"):
            words.append("0")
        elif "referencedDecl" in node:
            words.append(node["referencedDecl"].get("name", "?"))
        elif "value" in node and "Literal" in node.get("kind", ""):
            words.append(str(node["value"]))
        for child in node.get("inner", []):
            walk(child)
    for child in parameter.get("inner", []):
        walk(child)
    return " ".join(words)


def template_type(template, function):
    """The type of a function template with its parameters numbered."""
    text = function["type"]["qualType"]
    kinds = []
    for node in children(template, "TemplateTypeParmDecl", "NonTypeTemplateParmDecl"):
        name = node.get("name", "")
        if name:
            text = re.sub(r"\b%s\b" % name, "$%d" % len(kinds), text)
        kinds.append("type" if node["kind"] == "TemplateTypeParmDecl" else node["type"]["qualType"])
    defaults = [default_value(node) for node in children(function, "ParmVarDecl")]
    text = re.sub(r"\b(struct |enum |std::)", "", text)
    return re.sub(r"\s+", " ", "<%s> %s defaults %s" % (", ".join(kinds), text, defaults))


def dump(header):
    tree = header.syntax_tree()
    names = {aspect: {} for aspect in ASPECTS}
    questions = []  # (aspect, item, expression)
    inline = {}
    unnamed = {}

    def enum(node):
        if node.get("name") and OURS.match(node["name"]):
            questions.append(("layouts", "enum " + node["name"], "sizeof(enum %s)" % node["name"]))
        for constant in children(node, "EnumConstantDecl"):
            if OURS.match(constant["name"]):
                questions.append(("enumerators", constant["name"], "(long long)" + constant["name"]))

    def record(node, name):
        questions.append(("layouts", name + " size", "sizeof(%s)" % name))
        questions.append(("layouts", name + " alignment", "alignof(%s)" % name))
        for path, is_bits, has_type in fields(node):
            item = "%s::%s" % (name, path)
            field = "static_cast<%s *>(nullptr)->%s" % (name, path)
            if is_bits:
                set_bits = "(say_bits<%s>([](%s &r) { r.%s = ~r.%s; }), Bits())" % (
                    name, name, path, path)
                questions.append(("layouts", item + " bits", set_bits))
                continue
            questions.append(("layouts", item + " offset", "offsetof(%s, %s)" % (name, path)))
            questions.append(("layouts", item + " size", "sizeof(%s)" % field))
            if has_type:
                questions.append(("layouts", item + " type", "typeid(decltype(%s))" % field))

    def function(node):
        name = node["name"]
        if children(node, "TemplateArgument"):
            return  # an explicit specialisation: how a template is written, not what it is
        # The second is that of HIP 7, where a function has another there (hip/api/later/changed_in_7.h).
        if node.get("mangledName") not in (name, name + "R0700"):
            overloads = inline.setdefault(name, set())
            defaults = [default_value(p) for p in children(node, "ParmVarDecl")]
            overloads.add("%s defaults %s" % (node["type"]["qualType"], defaults))
            return
        if name in names["functions"]:
            return
        deprecated = " deprecated" if children(node, "DeprecatedAttr") else ""
        names["functions"][name] = deprecated
        questions.append(("functions", name, "typeid(%s)" % node["type"]["qualType"]))
        parameters = children(node, "ParmVarDecl")
        for number, parameter in enumerate(parameters):
            value = default_value(parameter)
            if value is not None:
                names["defaults"]["%s, parameter %d" % (name, number + 1)] = value

    for node in top_level(tree):
        kind, name = node.get("kind"), node.get("name", "")
        if kind == "EnumDecl":
            enum(node)
        elif kind == "CXXRecordDecl" and node.get("completeDefinition"):
            if not name:
                unnamed[node["id"]] = node
            elif OURS.match(name):
                record(node, name)
        elif kind == "TypedefDecl" and OURS.match(name):
            questions.append(("typedefs", name, "typeid(%s *)" % name))
            for inner in node.get("inner", []):
                declared = inner.get("decl") or inner.get("ownedTagDecl") or {}
                if declared.get("id") in unnamed:
                    record(unnamed[declared["id"]], name)
        elif kind == "FunctionDecl" and OURS.match(name):
            function(node)
        elif kind == "FunctionTemplateDecl" and OURS.match(name) and not name.startswith("_"):
            overloads = inline.setdefault(name, set())
            overloads.add(template_type(node, children(node, "FunctionDecl")[0]))

    for (aspect, item, _), answer in zip(questions, header.answers([q for _, _, q in questions])):
        names[aspect][item] = answer + (names[aspect].get(item, "") if aspect == "functions" else "")
    for name, overloads in inline.items():
        names["templates"][name] = sorted(overloads)
    names["macros"] = header.macros()
    return names


def is_known(aspect, item):
    """Whether a difference at this place is one that we mean."""
    name = re.match(r"\w+", item).group()
    return aspect == "templates" and name in BETTER


def compare(official, ours, aspects):
    """Prints one line per difference; returns how many there are."""
    differences = 0
    for aspect in aspects:
        if not official[aspect] and not ours[aspect]:
            continue
        for item in sorted(official[aspect].keys() | ours[aspect].keys()):
            want, have = official[aspect].get(item), ours[aspect].get(item)
            if want == have or is_known(aspect, item) or (
                    want is None and re.match(r"\w+", item).group() in NEWER):
                continue
            differences += 1
            if have is None:
                print("%s: %s is missing, officially %s" % (aspect, item, want))
            elif want is None:
                print("%s: %s is %s, and officially there is none" % (aspect, item, have))
            else:
                print("%s: %s is %s, officially %s" % (aspect, item, have, want))
    return differences


def changes(old, new):
    """A line for each item that one of two headers has and the other has not, or has otherwise."""
    lines = []
    for aspect in ASPECTS:
        for item in sorted(old[aspect].keys() | new[aspect].keys()):
            before, after = old[aspect].get(item, "-"), new[aspect].get(item, "-")
            if before != after and not is_known(aspect, item) and \
                    re.match(r"\w+", item).group() not in NEWER:
                lines.append("%s: %s: %s => %s" % (aspect, item, before, after))
    return lines


def compare_changes(old, new, facts):
    """Whether the changes from one of our headers to the other are those of the facts."""
    with open(facts) as file:
        expected = {line.rstrip("\n") for line in file if not line.startswith("#")}
    made = set(changes(old, new))
    for line in sorted(expected - made):
        print("missing: " + line)
    for line in sorted(made - expected):
        print("not HIP's: " + line)
    print("%d changes, %d differ" % (len(expected), len(expected ^ made)))
    return expected == made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    dumper = commands.add_parser("dump")
    dumper.add_argument("--clang", required=True)
    dumper.add_argument("--include", required=True)
    dumper.add_argument("--define", action="append", default=[])
    dumper.add_argument("--header", action="append", required=True)
    dumper.add_argument("--output", required=True)
    comparer = commands.add_parser("compare")
    comparer.add_argument("--official", required=True)
    comparer.add_argument("--ours", required=True)
    comparer.add_argument("--aspect", action="append", choices=ASPECTS)
    changer = commands.add_parser("changes")
    changer.add_argument("--old", required=True)
    changer.add_argument("--new", required=True)
    changer.add_argument("--facts", help="compare with these; else print them")
    arguments = parser.parse_args()

    if arguments.command == "changes":
        tables = []
        for path in [arguments.old, arguments.new]:
            with open(path) as file:
                tables.append(json.load(file))
        if arguments.facts:
            return 0 if compare_changes(*tables, arguments.facts) else 1
        print("\n".join(changes(*tables)))
        return 0
    if arguments.command == "dump":
        tables = dump(Header(arguments.clang, arguments.include, arguments.define, arguments.header))
        with open(arguments.output, "w") as file:
            json.dump(tables, file, indent=1, sort_keys=True)
        print(", ".join("%d %s" % (len(tables[aspect]), aspect) for aspect in ASPECTS))
        return 0
    with open(arguments.official) as file:
        official = json.load(file)
    with open(arguments.ours) as file:
        ours = json.load(file)
    aspects = arguments.aspect or ASPECTS
    compared = sum(len(official[aspect]) for aspect in aspects)
    if compared == 0:
        fail("nothing to compare")
    differences = compare(official, ours, aspects)
    print("%d items compared, %d differ" % (compared, differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
