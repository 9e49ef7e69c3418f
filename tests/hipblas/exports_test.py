#!/usr/bin/env python3
"""exports_test.py hipblas|rocblas|hipblaslt|hipsolver NM LIBRARY HEADERS: the library exports the functions that the headers
declare, as many as there should be. Of hipBLAS these are all of ROCm 6.4, and as many names have a second form; of hipSOLVER
all for dense matrices."""
import os
import re
import subprocess
import sys

name, nm, library, headers = sys.argv[1:]
prefix, expected, expected_renamed = {
    "hipblas": ("hipblas", 1849, 659),
    "rocblas": ("rocblas", 1136, 0),
    "hipblaslt": ("hipblasLt", 24, 0),
    "hipsolver": ("hipsolver", 491, 0),
}[name]
listing = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
exported = {line.split()[-1] for line in listing.splitlines() if line.split()[-2] in "TW"}
declared, renamed = set(), {}
for header in os.listdir(headers):
    with open(os.path.join(headers, header), encoding="utf-8") as file:
        text = file.read()
    declared |= set(re.findall(rf"^{name.upper()}_EXPORT [\w\s]+?[\s*]({prefix}\w+)\(", text, re.MULTILINE))
    renamed |= dict(re.findall(r"^#define (hipblas\w+) (hipblas\w+_v2\w*)$", text, re.MULTILINE))
failures = []
if exported != declared:
    failures.append(f"exported only: {sorted(exported - declared)}, declared only: {sorted(declared - exported)}")
if len(declared) != expected:
    failures.append(f"{len(declared)} functions are declared instead of {expected}")
if len(renamed) != expected_renamed or not set(renamed.values()) <= declared:
    failures.append(f"{len(renamed)} names have a second form instead of {expected_renamed}")
sys.exit("\n".join(failures) or 0)
