#!/usr/bin/env python3
"""getting_started_test.py BUILD: follows docs/getting-started.md in an installation of the build tree, on the CPU.
getting_started_test.py --write DIRECTORY: writes what is to be done as follow.sh, and the files of the text beside it.

The blocks that are marked as sh are run one after the other in one shell, in an empty directory that is also the user's own. A block
of another language is the file that the text before it names."""
import os
import re
import subprocess
import sys
import tempfile

CHECKOUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
PAGE = os.path.join(CHECKOUT, "docs", "getting-started.md")
EXPECTED = "1998"


def steps(text):
    """Of each block: the language, the file that the text before it says to write, the content."""
    before = 0
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        names = re.findall(r"Write this into `([^`]+)`", text[before : block.start()])
        yield block[1], names[-1] if names else None, block[2]
        before = block.end()


def write(home):
    """Writes the files that the text has written into `home`. Returns the script of all commands."""
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    script = ["set -euo pipefail"]
    for language, name, content in steps(text):
        if language == "sh":
            script.append(content)
        elif name:
            with open(os.path.join(home, name), "w", encoding="utf-8") as file:
                file.write(content)
        else:
            sys.exit(f"docs/getting-started.md has a block of {language} without 'Write this into' before it")
    return "\n".join(script)


def main(build):
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(["cmake", "--install", build, "--prefix", os.path.join(home, "libchip")], check=True,
                       stdout=subprocess.DEVNULL)
        script = write(home)
        environment = {name: value for name, value in os.environ.items() if not re.match("(CHIP|ZE|HIP|ROCR|CUDA)_", name)}
        environment.update(HOME=home, CHIP_DEVICE="cpu")
        environment.pop("XDG_CACHE_HOME", None)
        done = subprocess.run(["bash", "-c", script], cwd=home, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        print(done.stdout)
        if done.returncode != 0:
            sys.exit(f"exit code {done.returncode}")
        runs = len(re.findall(r"^.*\./\S*scale$", script, re.MULTILINE))
        prints = done.stdout.splitlines().count(EXPECTED)
        if prints != runs or runs < 3:
            sys.exit(f"{EXPECTED} was printed {prints} times by {runs} runs")


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        with open(os.path.join(sys.argv[2], "follow.sh"), "w", encoding="utf-8") as follow:
            follow.write(write(sys.argv[2]))
    else:
        main(sys.argv[1])
