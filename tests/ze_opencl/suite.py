"""Runs test cases of the CPU driver on another driver, each in a process of its own, but for a list of exceptions.

A line of the list is the title of a case, a tab, and why it does not hold on that driver. A case of the list that does not exist
is an error, and so are more exceptions than --most allows.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

def titles_of(program, specification, environment):
    listed = subprocess.run([program, "--list-tests", "--verbosity", "quiet", *specification], check=True, text=True,
                            stdout=subprocess.PIPE, env=environment)
    return [line for line in listed.stdout.splitlines() if line.strip()]


def read_exceptions(path):
    exceptions = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                title, tab, cause = line.rstrip("\n").partition("\t")
                if not tab or not cause.strip():
                    sys.exit(f"{path}: '{title}' has no cause")
                exceptions[title] = cause
    return exceptions


def run(program, title, environment, timeout):
    """What is wrong, or nothing."""
    pattern = re.sub(r'([,\[\]\\"*])', r"\\\1", title)
    try:
        done = subprocess.run([program, pattern], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                              timeout=timeout)
    except subprocess.TimeoutExpired as expired:
        return f"not done after {timeout} s\n{(expired.stdout or b'').decode(errors='replace')}"
    all_skipped = 4
    return "" if done.returncode in (0, all_skipped) else f"ends with {done.returncode}\n{done.stdout}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--driver", required=True)
    parser.add_argument("--exceptions", required=True)
    parser.add_argument("--most", type=float, default=1, help="exceptions, as a share of the cases")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("files", nargs="+", help="of whose cases: names without extension")
    options = parser.parse_args()

    environment = dict(os.environ, ZE_ENABLE_ALT_DRIVERS=options.driver)
    titles = titles_of(options.program, ["--filenames-as-tags", ",".join(f"[#{name}]~[.]" for name in options.files)], environment)
    exceptions = read_exceptions(options.exceptions)
    unknown = [title for title in exceptions if title not in titles]
    if not titles or unknown:
        sys.exit(f"no such case: {unknown}" if unknown else "there are no cases")
    share = len(exceptions) / len(titles)
    if share > options.most:
        sys.exit(f"{len(exceptions)} of {len(titles)} cases are exceptions")

    wanted = [title for title in titles if title not in exceptions]
    # Two at a time: cases wait for the device most of their time.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda title: run(options.program, title, environment, options.timeout), wanted))
    failures = [(title, result) for title, result in zip(wanted, results) if result]
    for title, result in failures:
        print(f"FAILED: {title}: {result}")
    print(f"{len(wanted) - len(failures)} passed, {len(failures)} failed, {len(exceptions)} exceptions of {len(titles)}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
