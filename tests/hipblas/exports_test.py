#!/usr/bin/env python3
"""exports_test.py NM LIBRARY HEADERS: the library exports the functions that the headers declare, which are as many as
those of ROCm 6.4 and give their second form to as many names."""
import os
import re
import subprocess
import sys

nm, library, headers = sys.argv[1:]
listing = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
exported = {line.split()[-1] for line in listing.splitlines() if line.split()[-2] in "TW"}
declared, renamed = set(), {}
for name in os.listdir(headers):
    with open(os.path.join(headers, name), encoding="utf-8") as file:
        text = file.read()
    declared |= set(re.findall(r"^HIPBLAS_EXPORT [\w ]+?[ *](hipblas\w+)\(", text, re.MULTILINE))
    renamed |= dict(re.findall(r"^#define (hipblas\w+) (hipblas\w+_v2\w*)$", text, re.MULTILINE))
failures = []
if exported != declared:
    failures.append(f"exported only: {sorted(exported - declared)}, declared only: {sorted(declared - exported)}")
if len(declared) != 1849:
    failures.append(f"{len(declared)} functions are declared instead of 1849")
if len(renamed) != 659 or not set(renamed.values()) <= declared:
    failures.append(f"{len(renamed)} names have a second form instead of 659")
sys.exit("\n".join(failures) or 0)
