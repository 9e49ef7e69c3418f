"""What tools see of a program that uses HIP."""

import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["CALLED_PROGRAM"]
COUNTER = os.environ["HIP_COUNTER"]
OLD_LOADER = os.environ["OLD_LOADER"]
LIBCHIP = os.environ["LIBCHIP"]


def counts(text):
    return {name: int(times) for name, times in (line.split() for line in text.splitlines())}


class Tools(unittest.TestCase):
    def run_program(self, **environment):
        """What the program says that it called, what was counted, and stderr."""
        with tempfile.NamedTemporaryFile("r") as output:
            result = subprocess.run(
                [PROGRAM], env=dict(os.environ, COUNTER_OUTPUT=output.name, **environment),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100, check=False)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            return counts(result.stdout), counts(output.read()), result.stderr

    def test_library_in_front_sees_each_call_once(self):
        called, counted, _ = self.run_program(LD_PRELOAD=COUNTER)
        # What is found by name is libCHIP's own, which a library in front does not see.
        called["hipGetDeviceCount"] -= 1
        self.assertEqual(called, counted)

    def test_attached_tool_sees_each_call_once(self):
        called, counted, errors = self.run_program(CHIP_TOOL=COUNTER)
        self.assertEqual(called, counted)
        self.assertEqual(errors, "")

    def test_attached_tool_is_told_of_completed_work(self):
        with tempfile.NamedTemporaryFile("r") as work:
            called, counted, _ = self.run_program(CHIP_TOOL=COUNTER, COUNTER_WORK=work.name)
            # Kind, bytes, correlation, whether the times are plausible, name.
            self.assertEqual(sorted(work.read().splitlines()),
                             ["0 0 77 1 nothing"] + 6 * ["1 64 77 1 -"] + 3 * ["2 64 77 1 -"])
        self.assertEqual(called, counted)

    def test_attached_tool_has_a_gate_for_each_export(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", LIBCHIP], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout
        exports = {line.split()[2].split("@")[0] for line in symbols.splitlines() if " T " in line}
        everything = subprocess.run(["nm", "--defined-only", LIBCHIP], text=True, check=True,
                                    stdout=subprocess.PIPE).stdout
        gated = {line.split()[2][len("gated_"):] for line in everything.splitlines()
                 if " gated_" in line and "." not in line}
        self.assertEqual({name for name in exports if not name.startswith("chip")}, gated)
        self.assertFalse({name for name in exports if name.startswith("gated_")})

    def test_wrong_tools_are_told_of_and_ignored(self):
        for tool in ["counter.so", "/nowhere/counter.so", LIBCHIP, "0"]:
            _, counted, errors = self.run_program(CHIP_TOOL=tool)
            self.assertEqual(counted, {})
            self.assertRegex(errors, r"\AlibCHIP: CHIP_TOOL='[^\n]*' is ignored \([^\n]*\): "
                                     r"use [^\n]*\n\Z")

    def test_tool_that_declines_is_no_error(self):
        _, counted, errors = self.run_program(CHIP_TOOL=COUNTER, COUNTER_DECLINES="1")
        self.assertEqual((counted, errors), ({}, ""))

    def test_loader_without_newer_functions_serves(self):
        _, counted, _ = self.run_program(LD_LIBRARY_PATH=OLD_LOADER)
        self.assertEqual(counted["zeContextCreate"], 1)
        self.assertGreaterEqual(counted["zeCommandListAppendMemoryFill"], 3)
        self.assertGreaterEqual(counted["zeCommandListAppendMemoryCopy"], 3)


if __name__ == "__main__":
    unittest.main()
