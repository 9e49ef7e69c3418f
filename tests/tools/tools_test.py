"""What tools see of a program that uses HIP."""

import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["CALLED_PROGRAM"]
WORKED = os.environ["WORKED_PROGRAM"]
COUNTER = os.environ["HIP_COUNTER"]
OLD_LOADER = os.environ["OLD_LOADER"]
LIBCHIP = os.environ["LIBCHIP"]
COLLECTOR = os.environ["ITT_COLLECTOR"]
MARKED = os.environ["MARKED_PROGRAM"]
REGISTER = os.environ["ROCPROFILER_REGISTER"]

# Where functions of HIP are in AMD's tables, the second of which begins at 474.
TABLE = {
    13: "hipConfigureCall", 90: "hipFree", 103: "hipGetDeviceCount",
    105: "hipGetDevicePropertiesR0600", 202: "hipInit", 215: "hipMalloc", 259: "hipMemcpy",
    268: "hipMemcpyAsync", 293: "hipMemsetAsync", 303: "hipModuleGetFunction",
    308: "hipModuleLaunchKernel", 309: "hipModuleLoad", 334: "hipStreamCreate",
    337: "hipStreamDestroy", 346: "hipStreamSynchronize", 389: "hipHccModuleLaunchKernel",
    442: "hipGetProcAddress", 475: "__hipPushCallConfiguration",
    388: "hipExtModuleLaunchKernel",
    260: "hipMemcpy2D",
    296: "hipMemsetD32",
    290: "hipMemset2DAsync",
    213: "hipLaunchHostFunc",
    333: "hipStreamBeginCapture",
    338: "hipStreamEndCapture",
}
# What the stand-in says of each table: name, bytes, whether the version is that of the headers, whether no pointer is null, and
# what calls through the first table are worth.
REGISTERED = ["loaded", "hip 3800 1 1 1", "hip_compiler 80 1 1 1"]


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
                             2 * ["0 0 77 1 nothing"] + ["1 32 77 1 -"] + 6 * ["1 64 77 1 -"] +
                             ["2 16 77 1 -", "2 24 77 1 -"] + 3 * ["2 64 77 1 -"] +
                             ["3 0 77 1 -"])
        self.assertEqual(called, counted)

    def test_attached_tool_is_told_of_work_in_all_forms(self):
        self.check_work([])

    def test_attached_tool_is_told_of_work_before_quick_exit(self):
        self.check_work(["quick_exit"])

    def check_work(self, arguments):
        with tempfile.NamedTemporaryFile("r") as work:
            environment = dict(os.environ, CHIP_TOOL=COUNTER, COUNTER_WORK=work.name,
                               COUNTER_OUTPUT=os.devnull, ZE_CPU_DEVICES="2")
            result = subprocess.run([WORKED, *arguments], env=environment, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True, timeout=100, check=False)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(sorted(work.read().splitlines()), sorted(result.stdout.splitlines()))

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

    def run_collected(self, **environment):
        """What the program says that it called, what the collector of ITT is told of each domain, and what a tool counts."""
        called, counted, errors = self.run_program(
            **dict({"INTEL_LIBITTNOTIFY64": COLLECTOR}, **environment))
        begun, told = [], {}
        for line in errors.splitlines():
            word, domain = line.split(": ")[0].split(" ", 1)
            if word == "begin":
                begun.append(domain)
                names = told.setdefault(domain, {})
                name = line.split(": ", 1)[1]
                names[name] = names.get(name, 0) + 1
            else:
                self.assertEqual((word, begun.pop()), ("end", domain))
        self.assertEqual(begun, [])
        return called, told, counted

    def test_collector_of_itt_sees_each_call_and_kernel_once(self):
        for environment in [{}, {"COLLECTOR_LEAVES": "__itt_domain_create"},
                            {"COLLECTOR_LEAVES": "__itt_string_handle_create"}]:
            with self.subTest(environment):
                called, told, counted = self.run_collected(**environment)
                self.assertEqual(told, {"HIP": called, "HIP kernels": {"nothing": 2}})
                self.assertEqual(counted, {})

    def test_collector_of_itt_and_a_tool_see_each_call_once(self):
        called, told, counted = self.run_collected(CHIP_TOOL=COUNTER)
        self.assertEqual((told["HIP"], counted), (called, called))

    def test_collector_of_itt_is_not_told_of_what_it_ignores(self):
        called, told, _ = self.run_collected(COLLECTOR_IGNORES="HIP kernels")
        self.assertEqual(told, {"HIP": called})
        _, told, _ = self.run_collected(COLLECTOR_IGNORES="HIP")
        self.assertEqual(told, {})

    def test_collector_of_itt_that_cannot_be_used_changes_nothing(self):
        # Not a file, a library that is no collector, one that takes no tasks.
        for collector, leaves in [("/nowhere/collector.so", ""), (COUNTER, ""),
                                  (COLLECTOR, "__itt_task_begin")]:
            with self.subTest(collector):
                environment = {"INTEL_LIBITTNOTIFY64": collector, "COLLECTOR_LEAVES": leaves}
                self.assertEqual(self.run_program(**environment)[1:], ({}, ""))
                errors = self.run_program(CHIP_LOG="warn", **environment)[2]
                self.assertRegex(errors, r"libCHIP: warning: INTEL_LIBITTNOTIFY64=\S+: the collector [^\n]*__itt_api_init")
        errors = self.run_program(INTEL_LIBITTNOTIFY64="", CHIP_LOG="warn")[2]
        self.assertNotIn("INTEL_LIBITTNOTIFY64", errors)

    def test_collector_of_itt_is_told_of_marks(self):
        environment = dict(os.environ, INTEL_LIBITTNOTIFY64=COLLECTOR, COLLECTOR_IGNORES="HIP")
        result = subprocess.run([MARKED], env=environment, stderr=subprocess.PIPE, text=True,
                                timeout=100, check=True)
        self.assertEqual(result.stderr, "mark roctx: a mark 3\nbegin roctx: range\nend roctx\n"
                                        "begin 1 roctx: started\nend 1 roctx\n")

    def run_registered(self, **environment):
        """What the program calls, what is counted, what the stand-in says, and stderr."""
        with tempfile.NamedTemporaryFile("r") as output:
            variables = dict(LD_LIBRARY_PATH=os.path.dirname(REGISTER), REGISTER_OUTPUT=output.name)
            called, counted, errors = self.run_program(**dict(variables, **environment))
            names = {"entry_%d" % entry: name for entry, name in TABLE.items()}
            counted = {names.get(name, name): times for name, times in counted.items()}
            return called, counted, output.read().splitlines(), errors

    def test_rocprofiler_sees_each_call_once(self):
        for asked in [{"ROCP_TOOL_LIBRARIES": "libtool.so"},
                      {"ROCPROFILER_REGISTER_FORCE_LOAD": "1"}, {"LD_PRELOAD": REGISTER}]:
            with self.subTest(asked):
                called, counted, said, errors = self.run_registered(**asked)
                self.assertEqual(said, REGISTERED)
                self.assertEqual(called, counted)
                self.assertEqual(errors, "")

    def test_rocprofiler_and_a_tool_see_each_call_once(self):
        with tempfile.NamedTemporaryFile("r") as output:
            called, counted, _ = self.run_program(
                LD_LIBRARY_PATH=os.path.dirname(REGISTER), REGISTER_OUTPUT=output.name,
                ROCP_TOOL_LIBRARIES="libtool.so", CHIP_TOOL=COUNTER)
            self.assertEqual(output.read().splitlines(), REGISTERED)
        entries = {name: "entry_%d" % entry for entry, name in TABLE.items()}
        # The tool counts what the stand-in itself has called through the table, too.
        for name, times in called.items():
            self.assertEqual(counted[entries[name]], times)
            self.assertGreaterEqual(counted[name], times)

    def test_rocprofiler_is_not_loaded_unless_asked_for(self):
        for variables in [{}, {"ROCP_TOOL_LIBRARIES": " "}, {"ROCPROFILER_REGISTER_FORCE_LOAD": "0"},
                          {"ROCP_TOOL_LIBRARIES": "libtool.so", "ROCPROFILER_REGISTER_ENABLED": "0"},
                          {"ROCP_TOOL_LIBRARIES": "libtool.so", "ROCPROFILER_REGISTER_ENABLED": "False"}]:
            with self.subTest(variables):
                _, counted, said, errors = self.run_registered(**variables)
                self.assertEqual((counted, said, errors), ({}, [], ""))

    def test_rocprofiler_that_is_not_there_is_told_of_only_when_asked(self):
        wanted = {"ROCP_TOOL_LIBRARIES": "libtool.so", "LD_LIBRARY_PATH": ""}
        self.assertEqual(self.run_registered(**wanted)[1:], ({}, [], ""))
        _, _, _, errors = self.run_registered(CHIP_LOG="warn", **wanted)
        self.assertRegex(errors, r"libCHIP: warning: rocprofiler [^\n]*librocprofiler-register.so.0")

    def test_rocprofiler_that_fails_changes_nothing(self):
        _, counted, said, errors = self.run_registered(ROCP_TOOL_LIBRARIES="libtool.so",
                                                       REGISTER_FAILS="1", CHIP_LOG="warn")
        self.assertEqual((counted, said), ({}, REGISTERED))
        self.assertRegex(errors, r"answers 6 to the table hip\)")

    def test_rocprofiler_that_takes_functions_away_leaves_them(self):
        _, counted, said, _ = self.run_registered(ROCP_TOOL_LIBRARIES="libtool.so",
                                                  REGISTER_CLEARS="1")
        self.assertEqual((counted, said), ({}, REGISTERED))

    def test_loader_without_newer_functions_serves(self):
        _, counted, _ = self.run_program(LD_LIBRARY_PATH=OLD_LOADER)
        self.assertEqual(counted["zeContextCreate"], 1)
        self.assertGreaterEqual(counted["zeCommandListAppendMemoryFill"], 3)
        self.assertGreaterEqual(counted["zeCommandListAppendMemoryCopy"], 3)


if __name__ == "__main__":
    unittest.main()
