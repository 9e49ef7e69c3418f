#!/usr/bin/env python3
"""Every environment variable that our programs read stands in one table, of docs/environment.md or of
src/ze_cpu/README.md, and once."""
import os
import re
import sys
import unittest

CHECKOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TABLES = ["docs/environment.md", "README.md", "src/ze_cpu/README.md"]
# Texts that are names of variables.
READ = re.compile(r'"((?:CHIP|HIP|HIPCC|CUDA|ROCR|ZE)_[A-Z_]+|TMPDIR|XDG_CACHE_HOME)"')
# What is read under any name.
CALLED = re.compile(r'\b(?:getenv|variable|is_on|number)\(\s*"([A-Za-z_]+)"')
SOURCES = (".cpp", ".h", ".in")
# Names that are put together as the program runs.
DERIVED = {"ZE_CPU_CACHE": ["ZE_CPU_CACHE_MB"], "CHIP_RTC_CACHE": ["CHIP_RTC_CACHE_MB"]}


def read_variables():
    found = set()
    for folder, _, files in os.walk(os.path.join(CHECKOUT, "src")):
        for name in files:
            if name.endswith(SOURCES):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                    found.update(READ.findall(text))
                    found.update(CALLED.findall(text))
    for name in list(found):
        found.update(DERIVED.get(name, []))
    return found


def documented_variables():
    found = []
    for table in TABLES:
        with open(os.path.join(CHECKOUT, table), encoding="utf-8") as file:
            for line in file:
                cells = line.split(" | ")
                if re.match(r"\| `[A-Za-z_]+[=`.]", line) and len(cells) == 2:
                    found += re.findall(r"`([A-Z][A-Za-z_]+)(?:=[^`]*)?`", cells[0])
    return found


class Variables(unittest.TestCase):
    def test_all_that_are_read_are_documented(self):
        self.assertEqual(sorted(read_variables() - set(documented_variables())), [])

    def test_the_page_has_no_variable_that_nothing_names(self):
        named = set()
        for root in ("src", "scripts", "samples"):
            for folder, _, files in os.walk(os.path.join(CHECKOUT, root)):
                for name in files:
                    if not name.endswith((".md", ".png")):
                        with open(os.path.join(folder, name), encoding="utf-8") as file:
                            named.update(re.findall(r"[A-Za-z_]+", file.read()))
        derived = {name for names in DERIVED.values() for name in names}
        ours = {name for name in documented_variables() if name.startswith(("CHIP_", "ZE_CPU_"))}
        self.assertEqual(sorted(ours - named - derived), [])

    def test_none_is_documented_twice(self):
        names = documented_variables()
        self.assertEqual(sorted({name for name in names if names.count(name) > 1}), [])


if __name__ == "__main__":
    unittest.main()
