#!/usr/bin/env python3
"""The reference of HIP's host functions, made from the comments of the headers.

  document.py write --headers DIR --sources FILE... --pages DIR
  document.py check --headers DIR --sources FILE... --pages DIR

`write` makes a page for each header that declares functions, an index, and beside the directory of
the pages api-support.md, which tells what works and of exceptions.txt what cannot. `check` fails if a
comment lacks a part or names something that does not exist, and if the pages are not those that
`write` would make.

The comment of a function has a text and three parts:

  /// Creates an event that records time stamps, on the current device.
  /// Errors: hipErrorInvalidValue (`event` is null), @start.
  /// Stream: @none. Capture: @allowed.

`@name` stands for a phrase of phrases.txt. `@like hipOther` in the text takes over the text and the
parts of another function; a part that is given nevertheless replaces that function's. Names in
backticks are parameters.
"""

import argparse
import dataclasses
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "unsupported"))
sys.dont_write_bytecode = True
import generate  # noqa: E402
from generate import Error  # noqa: E402

PARTS = ["Errors", "Stream", "Capture"]
PHRASE = re.compile(r"@([a-z][a-z-]*)(\.?)")
ERROR = re.compile(r"(\w+) \(((?:[^()]|\([^()]*\))+)\)(?:, |\.$)")
LIKE = re.compile(r"@like (\w+)\.?\s*")

# Chapters in the order of the index, which is the order in which a program meets them.
CHAPTERS = ["api/device.h", "api/error.h", "api/stream.h", "api/event.h", "api/memory.h",
            "api/memory_pool.h", "api/virtual_memory.h", "api/copy.h", "api/fill.h", "api/launch.h",
            "api/language/launch_syntax.h", "hip_ext.h", "api/module.h", "api/occupancy.h",
            "hiprtc.h", "api/graph.h", "api/graph_node.h", "api/graph_copy_node.h", "api/graph_capture.h",
            "api/array.h", "channel_descriptor.h", "api/texture.h", "api/texture_reference.h", "api/peer.h",
            "api/context.h", "api/external.h", "hip_gl_interop.h", "api/per_thread.h",
            "api/profiler.h", "api/later/since_7.h", "../chip/interop.h", "hip_interop.h",
            "hip_deprecated.h", "api/registration.h"]

# The page of the whole, beside the directory of the others.
SUPPORT = os.path.join(os.pardir, "api-support.md")
MOST_EXCEPTIONS = 30

# Headers whose comments do not have the parts yet.
UNFINISHED = []

# A library of its own: the entry points of libCHIP say nothing about it.
OTHER_LIBRARY = ["hiprtc.h"]


@dataclasses.dataclass
class Entry:
    function: generate.Function
    declaration: str
    parameters: list
    deprecated: str
    section: str
    comment: str
    parts: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        return self.function.name


def api_blocks(text):
    return re.findall(r"^HIP_API_BEGIN$(.*?)^HIP_API_END$", text, re.DOTALL | re.MULTILINE)


def make_entry(source, comment, section, header):
    source = generate.of_6(" ".join(generate.without_comments(source).split()))
    function = generate.parse_function(source, header)
    match = generate.FUNCTION.fullmatch(source)
    parameters = []
    for parameter in generate.split_parameters(match["parameters"]):
        if parameter != "void":
            parameter = re.sub(r"\s*__dparm\(.*\)$", "", parameter)
            parameters.append(generate.PARAMETER.fullmatch(parameter)["name"])
    deprecated = re.match(r'HIP_DEPRECATED\((?:"([^"]*)"|\w+)\)\s*', source)
    if deprecated:
        source = source[deprecated.end():]
    declaration = re.sub(r"\s*__dparm\(([^()]*)\)", r" = \1", source) + ";"
    reason = "" if not deprecated else deprecated[1] or "HIP deprecates this function"
    return Entry(function, declaration, parameters, reason, section, comment)


def read_entries(text, header):
    """The functions in the API blocks of one header, with their comments and headings."""
    entries, section = [], ""
    for block in api_blocks(text):
        block = generate.TYPE_DEFINITION.sub("#", block)
        comment, source = [], []
        for line in block.splitlines():
            if line.startswith("#") or not line.strip() and not source:
                comment = []
            elif line.startswith("///"):
                comment.append(line[3:].strip())
            elif line.startswith("// "):
                section, comment = line[3:].strip(), []
            elif line.strip():
                source.append(line)
                if line.endswith(";"):
                    declaration = "\n".join(source)[:-1]
                    entries.append(make_entry(declaration, " ".join(comment), section, header))
                    comment, source = [], []
    return entries


def read_phrases(path):
    phrases = {}
    for line in generate.read(path).splitlines():
        if line.startswith("@"):
            name, _, text = line[1:].partition(": ")
            if name in phrases or not text:
                raise Error("phrases.txt: @%s stands twice or says nothing" % name)
            phrases[name] = text.strip()
        elif line.strip() and not line.startswith("#"):
            raise Error("phrases.txt: cannot read '%s'" % line)
    return phrases


def split_parts(comment):
    """{"": the text, "Errors": ..., ...} of a comment."""
    pieces = re.split(r"(?:^|(?<= ))(%s): " % "|".join(PARTS), comment)
    parts = {"": pieces[0].strip()}
    for name, text in zip(pieces[1::2], pieces[2::2]):
        if name in parts:
            raise Error("the part %s stands twice" % name)
        parts[name] = text.strip()
    return parts


def expand(text, phrases, used, depth=0):
    """Puts a phrase in the place of each @name; a full stop is not doubled."""
    def phrase(match):
        name = match[1]
        if name not in phrases or depth > 5:
            raise Error("there is no phrase @%s" % name)
        used.add(name)
        text = expand(phrases[name], phrases, used, depth + 1)
        return text if text.endswith(".") else text + match[2]
    return PHRASE.sub(phrase, text)


def inherit(entry, by_name, seen=()):
    """The parts of an entry, with those of the function that it is like."""
    parts = split_parts(entry.comment)
    match = LIKE.search(parts[""])
    if not match:
        return parts
    if match[1] not in by_name or match[1] in seen:
        raise Error("@like %s: there is no such function" % match[1])
    other = inherit(by_name[match[1]], by_name, (*seen, entry.name))
    own = LIKE.sub("", parts[""]).strip()
    parts[""] = (own + " " + other[""]).strip()
    return {**other, **parts}


class Names:
    """What the headers declare: a comment may mention nothing else."""

    def __init__(self, headers):
        text = "".join(generate.without_comments(generate.read(path))
                       for path in generate.header_files(headers))
        self.words = set(re.findall(r"\b_*(?:c?hip|HIP)\w+", text))
        errors = generate.read(os.path.join(headers, "hip", "api", "types", "error_types.h"))
        results = generate.read(os.path.join(headers, "hip", "hiprtc.h"))
        self.errors = set(re.findall(r"^  ((?:hip|HIPRTC_)E(?:RROR|rror)\w*)", errors + results,
                                     re.MULTILINE))

    def has(self, word):
        if word.endswith("*"):
            return any(known.startswith(word[:-1]) for known in self.words)
        return word in self.words


def split_errors(text):
    """{name: its conditions} of a list of errors, or None if the function returns none."""
    if re.match(r"none\b", text):
        return None
    errors, position = {}, 0
    while match := ERROR.match(text, position):
        errors.setdefault(match[1], []).append(match[2])
        position = match.end()
    if position != len(text):
        raise Error("not a list of errors with conditions in parentheses: %s" % text[position:])
    return errors


def check_errors(text, names):
    for name in split_errors(text) or []:
        if name not in names.errors:
            raise Error("%s is not an error" % name)


def check_entry(entry, parts, names):
    for part in ["", *PARTS]:
        text = parts.get(part, "")
        if not text:
            raise Error("the comment lacks %s" % (part or "a text"))
        if "..." in text or "…" in text or "@" in text:
            raise Error("%s: an ellipsis or an @ without a phrase" % (part or "text"))
        for word in re.findall(r"\b_*(?:c?hip[A-Z]\w*\*?|hiprtc[A-Z]\w*\*?|HIP\w*_\w*\*?)", text):
            if not names.has(word):
                raise Error("the headers have no %s" % word)
        for word in re.findall(r"`\*?([a-z][a-z0-9_]*)(?:\.\w+)*`", text):
            if word not in entry.parameters:
                raise Error("there is no parameter `%s`" % word)
    if not re.match(r"[A-Z`]", parts[""]) or not parts[""].endswith("."):
        raise Error("the text is not made of sentences")
    check_errors(parts["Errors"], names)


def load(headers, phrases_file=os.path.join(HERE, "phrases.txt"), unfinished=tuple(UNFINISHED)):
    """[(header, title, entries)] with all parts filled in. Throws what is wrong, all at once."""
    phrases, used = read_phrases(phrases_file), set()
    names = Names(headers)
    declared = {function.header for function in generate.declared_functions(headers, [])}
    if declared != set(CHAPTERS):
        raise Error("the list of chapters and the headers differ: %s" %
                    ", ".join(sorted(declared ^ set(CHAPTERS))))
    chapters = []
    for header in CHAPTERS:
        text = generate.read(os.path.join(headers, "hip", header))
        title = " ".join(line[4:] for line in text.split("\n#", 1)[0].splitlines())
        chapters.append((header, title, read_entries(text, header)))
    by_name = {entry.name: entry for _, _, entries in chapters for entry in entries}
    problems = []
    for header, _, entries in chapters:
        for entry in entries:
            try:
                if header in unfinished:
                    entry.parts = {"": entry.comment}
                    continue
                parts = inherit(entry, by_name)
                entry.parts = {part: expand(text, phrases, used) for part, text in parts.items()}
                check_entry(entry, entry.parts, names)
            except Error as error:
                problems.append("%s: %s: %s" % (header, entry.name, error))
    unused = sorted(set(phrases) - used)
    if unused and not unfinished:
        problems.append("phrases.txt: not used: %s" % ", ".join(unused))
    if problems:
        raise Error("\n".join(problems))
    return chapters


def link_names(text, pages, own):
    """Makes a link of each function's name that is not the page's own subject."""
    def link(match):
        page = pages.get(match[0])
        return match[0] if match[0] == own or not page else "[%s](%s#%s)" % (
            match[0], page, match[0].lower())
    return re.sub(r"\b_*c?hip\w+", link, text)


def entry_text(entry, pages, missing):
    lines = ["### %s" % entry.name, "", "```cpp", entry.declaration, "```", ""]
    if entry.name in missing:
        lines += ["**Not supported yet: returns hipErrorNotSupported.** HIP promises what follows.", ""]
    if entry.deprecated:
        lines += ["*Deprecated: %s.*" % entry.deprecated, ""]
    lines += [link_names(entry.parts[""], pages, entry.name), ""]
    for part in PARTS:
        text = link_names(entry.parts.get(part, ""), pages, entry.name)
        errors = split_errors(text) if part == "Errors" and text else None
        if errors:
            lines.append("- **Errors:**")
            lines += ["  - %s: %s." % (name, "; or ".join(errors[name])) for name in errors]
        elif text:
            lines.append("- **%s:** %s" % (part, text))
    return "\n".join(lines) + "\n"


def page_name(header):
    return os.path.basename(header)[:-2] + ".md"


NOTICE = "<!-- Made by src/hip/documentation/document.py from the comments of the headers. -->\n"


def page_text(header, title, entries, pages, missing):
    text = NOTICE + "# %s\n\n%s\n\n`#include <%s>`\n" % (
        os.path.basename(header)[:-2], title, os.path.normpath("hip/" + including(header)))
    section = ""
    for entry in entries:
        if entry.section != section:
            section = entry.section
            text += "\n## %s\n" % section
        text += "\n" + entry_text(entry, pages, missing)
    return text


def including(header):
    """The header by which programs get this one."""
    if header == "api/registration.h" or not header.startswith("api/"):
        return header
    return "hip_runtime_api.h"


def index_text(chapters, missing):
    rows = ""
    for header, title, entries in chapters:
        there = sum(entry.name not in missing for entry in entries)
        rows += "| [%s](%s) | %s | %d of %d |\n" % (
            os.path.basename(header)[:-2], page_name(header), title, there, len(entries))
    return NOTICE + generate.read(os.path.join(HERE, "introduction.md")) + "\n" + \
        "| Chapter | Subject | Supported |\n|---|---|---|\n" + rows


@dataclasses.dataclass
class Exceptional:
    name: str
    result: str
    reason: str


def refuses_all(entry):
    """Whether a function's comment says that it answers valid arguments with hipErrorNotSupported."""
    errors = split_errors(entry.parts.get("Errors", "none")) or {}
    return any(condition.startswith("otherwise") for condition in errors.get("hipErrorNotSupported", []))


def read_exceptions(path, entries, missing):
    """The functions that cannot do what HIP promises. Throws what is wrong with the file."""
    by_name = {entry.name: entry for entry in entries}
    exceptions = []
    for line in generate.read(path).splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(hip\w+)((?: hip\w+)+): ([A-Z].*\.)", line)
        if not match:
            raise Error("exceptions.txt: cannot read '%s'" % line)
        exceptions += [Exceptional(name, match[1], match[3]) for name in match[2].split()]
    names = [exception.name for exception in exceptions]
    for name in names:
        if names.count(name) > 1:
            raise Error("exceptions.txt: %s stands twice" % name)
    if len(names) > MOST_EXCEPTIONS:
        raise Error("exceptions.txt: %d functions, at most %d are allowed" %
                    (len(names), MOST_EXCEPTIONS))
    for exception in exceptions:
        if exception.name not in by_name:
            raise Error("exceptions.txt: there is no function %s" % exception.name)
        if exception.name in missing:
            raise Error("exceptions.txt: %s has no body that checks its arguments" % exception.name)
        errors = split_errors(by_name[exception.name].parts["Errors"]) or {}
        if exception.result not in [*errors, "hipSuccess"]:
            raise Error("exceptions.txt: the comment of %s does not name %s" %
                        (exception.name, exception.result))
    for entry in entries:
        if refuses_all(entry) and entry.name not in names and entry.name not in missing:
            raise Error("exceptions.txt: lacks %s, which is not supported for any arguments" % entry.name)
    return exceptions


def support_text(chapters, pages, missing, exceptions):
    entries = [entry for header, _, entries in chapters for entry in entries
               if header not in OTHER_LIBRARY]

    def link(name):
        return "[%s](api/%s#%s)" % (name, pages[name], name.lower())

    without = [entry.name for entry in entries if entry.name in missing]
    text = NOTICE + generate.read(os.path.join(HERE, "support.md")) % {
        "declared": len(entries), "exceptions": len(exceptions),
        "working": len(entries) - len(exceptions) - len(without)}
    text += "\n| Function | Returns, for valid arguments | Why |\n|---|---|---|\n"
    text += "".join("| %s | `%s` | %s |\n" % (link(e.name), e.result, e.reason) for e in exceptions)
    if without:
        text += "\n## Not there yet\n\n%d functions have no body yet, and return `hipErrorNotSupported`: %s.\n" % (
            len(without), ", ".join(link(name) for name in without))
    return text


def make_pages(headers, sources, exceptions_file):
    """File name -> text of all pages."""
    chapters = load(headers)
    pages = {entry.name: page_name(header) for header, _, entries in chapters for entry in entries}
    functions = [entry.function for header, _, entries in chapters for entry in entries
                 if header not in OTHER_LIBRARY]
    missing = {function.name for function in generate.missing_functions(
        functions, [generate.read(path) for path in sources], generate.renames(headers))}
    result = {page_name(header): page_text(header, title, entries, pages, missing)
              for header, title, entries in chapters}
    result["README.md"] = index_text(chapters, missing)
    exceptions = read_exceptions(
        exceptions_file, [entry for _, _, entries in chapters for entry in entries], missing)
    result[SUPPORT] = support_text(chapters, pages, missing, exceptions)
    return result


def differences(pages, directory):
    """Names of pages that are missing, that differ, or that nothing makes."""
    there = set(os.listdir(directory)) if os.path.isdir(directory) else set()
    if os.path.isfile(os.path.join(directory, SUPPORT)):
        there.add(SUPPORT)
    wrong = there ^ set(pages)
    for name in there & set(pages):
        if generate.read(os.path.join(directory, name)) != pages[name]:
            wrong.add(name)
    return sorted(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["write", "check"])
    parser.add_argument("--headers", required=True)
    parser.add_argument("--sources", nargs="+", required=True)
    parser.add_argument("--pages", required=True)
    parser.add_argument("--exceptions", default=os.path.join(HERE, "exceptions.txt"))
    arguments = parser.parse_args()
    try:
        pages = make_pages(arguments.headers, arguments.sources, arguments.exceptions)
        wrong = differences(pages, arguments.pages)
        if arguments.command == "write":
            os.makedirs(arguments.pages, exist_ok=True)
            for name in wrong:
                path = os.path.join(arguments.pages, name)
                if name in pages:
                    generate.write(path, pages[name])
                else:
                    os.remove(path)
        elif wrong:
            raise Error("not what the headers say: %s\nTo make them again: ninja documentation" %
                        ", ".join(wrong))
        return 0
    except (Error, OSError) as error:
        print("document.py: %s" % error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
