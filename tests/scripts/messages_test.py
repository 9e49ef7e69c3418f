#!/usr/bin/env python3
"""docs/messages.md explains every message that libCHIP.so writes to stderr by itself or as a warning, and what the CPU driver says of kernels.

Such a message is what is given to one of the functions below. The page quotes the part of it that does not change, with ... for what
does."""
import os
import re
import unittest

CHECKOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ROOMS = ["hip", "runtime", "queue", "ze", "common"]
DRIVER = [os.path.join("ze_cpu", "exec"), os.path.join("ze_driver", "memory")]
CALLS = re.compile(r"\b(tell_user_once|refuse_wanted_devices|complaint|complain|log\(LogLevel::warn,|f(?:printf|puts)\(\s*stderr)")
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Only pass on what they are given; the last says what can be set, behind what the callers of refuse_wanted_devices say.
FORMS = {r"ze_cpu: %.*s\n", r"libCHIP: %s\n", r"libCHIP: %s%s\n", r"%s: %s\n", "cpu, gpu, opencl, or a comma-separated list of them"}


def end_of_call(text, start):
    """Behind the parenthesis that closes the first one that opens."""
    depth, at = 0, start
    while at < len(text):
        literal = LITERAL.match(text, at)
        if literal:
            at = literal.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0 and text[at - 1] == ")":
            break
    return at


def messages():
    """Each message as (file, text): literals that stand beside each other are one."""
    for room in ROOMS + DRIVER:
        for folder, _, files in os.walk(os.path.join(CHECKOUT, "src", room)):
            for name in sorted(files):
                if not name.endswith((".cpp", ".h")):
                    continue
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = re.sub(r"^\s*//.*$", "", file.read(), flags=re.MULTILINE)
                for call in CALLS.finditer(text):
                    arguments = text[call.start() : end_of_call(text, call.start())]
                    whole = re.sub(r'"\s*\n?\s*"', "", arguments)
                    found = [text for text in LITERAL.findall(whole) if text not in FORMS and " " in text]
                    if found:
                        yield os.path.relpath(os.path.join(folder, name), CHECKOUT), found


def quotes():
    with open(os.path.join(CHECKOUT, "docs", "messages.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| `([^`]+)` \|", file.read(), re.MULTILINE)
    return [re.compile(".*".join(re.escape(part) for part in row.split("..."))) for row in rows]


class Messages(unittest.TestCase):
    def test_each_is_explained(self):
        known = quotes()
        found = list(messages())
        self.assertGreater(len(found), 12)
        for file, texts in found:
            with self.subTest(file=file, texts=texts):
                self.assertTrue(any(quote.search(text) for quote in known for text in texts))

    def test_the_page_has_none_that_is_not_in_the_sources(self):
        sources = ""
        for room in ROOMS + DRIVER:
            for folder, _, files in os.walk(os.path.join(CHECKOUT, "src", room)):
                for name in files:
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        sources += re.sub(r'"\s*\n\s*"', "", file.read())
        for quote in quotes():
            self.assertTrue(quote.search(sources), quote.pattern)


if __name__ == "__main__":
    unittest.main()
