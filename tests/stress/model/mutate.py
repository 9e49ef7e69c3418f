#!/usr/bin/env python3
"""mutate.py TABLE SOURCES COPY FOLDER...: copies the folders of SOURCES to COPY with the mutants of TABLE in them.

TABLE is a JSON array. Each entry names a rule, a file below SOURCES, code that must stand there exactly once with one
expression of it between « and », and the expression that breaks the rule. In the copy, the environment variable
CHIP_MUTANT chooses which of the two is evaluated, so that one program holds all mutants (mutant.h). Code that is not there any more is an
error: whoever changes a rule's code looks at its mutant. A file of COPY is only written when its content changes.
"""
import json
import pathlib
import sys


def mutated(text, entry):
    before, expression, after = entry["code"].replace("»", "«").split("«")
    code = before + expression + after
    count = text.count(code)
    if count != 1:
        sys.exit(f"mutate: {entry['file']} has the code of the rule {entry['rule']} {count} times instead of once; "
                 f"bring its entry in the table of mutants up to date:\n{code}")
    choice = f"(chip_mutant(\"{entry['rule']}\") ? ({entry['instead']}) : ({expression}))"
    return text.replace(code, before + choice + after)


def main():
    table, sources, copy = map(pathlib.Path, sys.argv[1:4])
    texts = {path.relative_to(sources): path.read_text()
             for folder in sys.argv[4:] for path in sorted((sources / folder).rglob("*")) if path.suffix in (".h", ".cpp")}
    for entry in json.loads(table.read_text()):
        path = pathlib.Path(entry["file"])
        if path not in texts:
            sys.exit(f"mutate: {entry['file']}, which the rule {entry['rule']} names, does not exist")
        texts[path] = mutated(texts[path], entry)
    for path, text in texts.items():
        target = copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != text:
            target.write_text(text)


main()
