#!/usr/bin/env python3
"""chip-prof from end to end: chip_prof_test.py --chip-prof PROGRAM --program PROGRAM [--browser PROGRAM]
[--pictures DIR] [unittest's options]"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None


def profile(*arguments, program=None, code=0):
    """Runs chip-prof; its standard error output."""
    command = [OPTIONS.chip_prof, *arguments] + (program or [])
    result = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    if result.returncode != code:
        raise AssertionError(f"{command}: exit code {result.returncode}, not {code}\n{result.stderr}")
    return result.stderr


def tables(text):
    """Title -> name -> the cells of its row."""
    found, rows = {}, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.rstrip().rstrip("|").split(" | ")]
        if re.match(r"(BACKEND_|Device profiling)", line):
            rows = found.setdefault(cells[0], {"title": line})
        elif rows is not None and len(cells) == 8:
            rows[cells[0]] = cells[1:]
    return found


class ChipProf(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_counts_calls_and_errors(self):
        found = tables(profile(program=[OPTIONS.program, "calls"]))
        hip = found["BACKEND_HIP"]
        self.assertEqual(hip["Name"], ["Time", "Time(%)", "Calls", "Average", "Min", "Max", "Error"])
        calls = {"hipMalloc": 2, "hipFree": 2, "hipMemset3D": 1, "hipMemcpy": 1, "hipDeviceSynchronize": 1,
                 "hipSetDevice": 3, "hipGetLastError": 1, "hipGetErrorName": 1, "hipGetDevice": 5}
        self.assertEqual({name: int(row[2]) for name, row in hip.items() if name not in ("Name", "Total", "title")}, calls)
        self.assertEqual({name for name in calls if hip[name][6] != "0"}, {"hipSetDevice"})
        self.assertEqual(hip["hipSetDevice"][6], "3")
        self.assertEqual(hip["Total"][2], str(sum(calls.values())))
        self.assertEqual(hip["Total"][6], "3")
        self.assertIn("1 Process | 2 Threads", hip["title"])
        self.assertGreaterEqual(int(found["BACKEND_ZE"]["zeMemAllocDevice"][2]), 1)

    def test_counts_calls_of_functions_that_the_program_looks_up_itself(self):
        library = os.path.join(os.path.dirname(OPTIONS.chip_prof), "..", "lib", "libCHIP.so")
        script = "\n".join(["import ctypes, sys", "hip, count, found = ctypes.CDLL(sys.argv[1]), ctypes.c_int(), ctypes.c_void_p()",
                            "assert hip.hipGetDeviceCount(ctypes.byref(count)) == 0",
                            "assert hip.hipGetProcAddress(b'hipGetDevice', ctypes.byref(found), 604, 0, None) == 0",
                            "assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(found.value)(None) != 0"])
        hip = tables(profile(program=[sys.executable, "-c", script, library]))["BACKEND_HIP"]
        self.assertEqual([hip[name][2] for name in ("hipGetDeviceCount", "hipGetProcAddress", "hipGetDevice")], ["1"] * 3)
        self.assertEqual(hip["hipGetDevice"][6], "1")

    def test_writes_tables_into_a_file(self):
        self.assertEqual(profile("--output", self.path("t.txt"), program=[OPTIONS.program, "calls"]), "")
        with open(self.path("t.txt"), encoding="utf-8") as file:
            self.assertIn("BACKEND_HIP", file.read())

    def test_counts_calls_of_children(self):
        hip = tables(profile(program=[OPTIONS.program, "fork"]))["BACKEND_HIP"]
        self.assertEqual(hip["hipGetDevice"][2], "7")
        self.assertIn("2 Processes", hip["title"])

    def test_keeps_what_was_seen_before_a_program_is_killed(self):
        text = profile(program=[OPTIONS.program, "killed"], code=-signal.SIGKILL)
        self.assertEqual(tables(text)["BACKEND_HIP"]["hipGetDevice"][2], "2")

    def test_writes_a_timeline_with_flows(self):
        text = profile("--timeline", self.path("t.json"), program=[OPTIONS.program, "work"])
        device = tables(text)["Device profiling"]
        self.assertEqual(device["saxpy(int, float, float const*, float*)"][2], "100")
        self.assertEqual(device["(copy)"][2], "50")
        with open(self.path("t.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        launches = {event["id"]: event for event in events if event["ph"] == "s"}
        ends = {event["id"]: event for event in events if event["ph"] == "f"}
        self.assertEqual(len(launches), 200)
        self.assertEqual(set(launches), set(ends))
        work = {(event["pid"], event["tid"], event["ts"]) for event in events if event.get("cat") == "device"}
        calls = {(event["pid"], event["tid"], event["ts"]) for event in events if event.get("cat") == "hip"}
        self.assertTrue(all((end["pid"], end["tid"], end["ts"]) in work for end in ends.values()))
        self.assertTrue(all((start["pid"], start["tid"], start["ts"]) in calls for start in launches.values()))
        # Execution comes after the launch: ticks of calls and times of work are on one clock.
        self.assertTrue(all(launches[flow]["ts"] < ends[flow]["ts"] < launches[flow]["ts"] + 1e6 for flow in ends))
        self.assertEqual(len({event["tid"] for event in events if event.get("cat") == "device"}), 2)

    def test_shows_ranges_and_marks(self):
        profile("--timeline", self.path("t.json"), program=[OPTIONS.program, "ranges"])
        with open(self.path("t.json"), encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
        call = next(event for event in events if event.get("name") == "hipGetDevice")
        marks = [event for event in events if event.get("cat") == "marker"]
        of_thread = [event for event in marks + [call] if event["tid"] == call["tid"]]
        of_thread.sort(key=lambda event: event["ts"])
        self.assertEqual([(event["ph"], event.get("name")) for event in of_thread],
                         [("B", "outer"), ("B", "inner"), ("X", "hipGetDevice"), ("E", None), ("i", "a mark"),
                          ("b", "of two threads"), ("E", None)])
        start = next(event for event in marks if event["ph"] == "b")
        stop = next(event for event in marks if event["ph"] == "e")
        self.assertEqual(start["id"], stop["id"])
        self.assertNotEqual(start["tid"], stop["tid"])

    def test_bounds_what_a_million_calls_take(self):
        text = profile("--timeline", self.path("t.json"), "--events-mb", "2", program=[OPTIONS.program, "many"])
        self.assertEqual(tables(text)["BACKEND_HIP"]["hipGetDevice"][2], "1000000")
        left_out = int(re.search(r"(\d+) events are left out", text)[1])
        with open(self.path("t.json"), encoding="utf-8") as file:
            trace = json.load(file)
        kept = sum(event["ph"] == "X" for event in trace["traceEvents"])
        self.assertLessEqual(kept * 32, 2 << 20)
        self.assertGreaterEqual(kept * 32, 1 << 20)
        calls = sum(int(rows["Total"][2]) for rows in tables(text).values())
        self.assertEqual(kept + left_out, calls)
        self.assertEqual(trace["otherData"]["events_left_out"], left_out)

    def test_keeps_an_old_file_when_the_program_cannot_run(self):
        with open(self.path("old"), "w", encoding="utf-8") as file:
            file.write("of another run")
        profile("--timeline", self.path("old"), "--page", self.path("new"), program=["/no/such/program"], code=127)
        with open(self.path("old"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "of another run")
        self.assertFalse(os.path.exists(self.path("new")))

    def test_serves_from_a_folder_with_a_space_in_its_name(self):
        prefix = self.path("a prefix")
        installed = os.path.dirname(os.path.dirname(OPTIONS.chip_prof))
        for name in ("bin/chip-prof", "lib/libchip_prof.so"):
            os.makedirs(os.path.dirname(os.path.join(prefix, name)), exist_ok=True)
            shutil.copy2(os.path.join(installed, name), os.path.join(prefix, name))
        result = subprocess.run([os.path.join(prefix, "bin/chip-prof"), OPTIONS.program, "calls"], capture_output=True,
                                text=True, timeout=200, check=True)
        self.assertNotIn("ld.so", result.stderr)
        self.assertGreaterEqual(int(tables(result.stderr)["BACKEND_ZE"]["zeMemAllocDevice"][2]), 1)

    def test_leaves_files_alone_that_have_its_descriptor(self):
        # A program that closes all descriptors, as daemons do, and opens a file of its own.
        other = self.path("other")
        text = profile("--timeline", self.path("t.json"), program=[OPTIONS.program, "descriptors", other])
        self.assertEqual(tables(text)["BACKEND_HIP"]["hipGetDevice"][2], "200001")
        self.assertEqual(os.path.getsize(other), 4)
        self.assertNotIn("left out", text)

    def test_keeps_exit_codes(self):
        self.assertIn("no call of HIP", profile(program=["sh", "-c", "exit 7"], code=7))

    def test_ends_by_the_program_s_signal(self):
        profile(program=["sh", "-c", "kill -USR1 $$"], code=-signal.SIGUSR1)

    def test_passes_signals_on(self):
        with subprocess.Popen([OPTIONS.chip_prof, OPTIONS.program, "wait"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
            self.assertEqual(process.stdout.readline(), "waiting\n")
            process.terminate()
            try:
                text = process.communicate(timeout=20)[1]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        self.assertEqual(process.returncode, 5)
        self.assertEqual(tables(text)["BACKEND_HIP"]["hipGetDevice"][2], "1")

    def test_says_in_one_line_what_is_wrong(self):
        for arguments, code, text in [(["/no/such/program"], 127, "cannot run /no/such/program"),
                                      ([self.folder.name], 126, "cannot run"), ([], 2, "no program"),
                                      (["--what"], 2, "--what"), (["--page"], 2, "--page needs"),
                                      (["--events-mb", "x", "true"], 2, "--events-mb is 'x'"),
                                      (["--page", "/no/such/folder/page", "true"], 1, "/no/such/folder/page")]:
            with self.subTest(arguments=arguments):
                said = profile(*arguments, code=code)
                self.assertIn(text, said)
                self.assertEqual(said.count("\n"), 1, said)

    def test_leaves_no_files(self):
        environment = {**os.environ, "TMPDIR": self.folder.name}
        subprocess.run([OPTIONS.chip_prof, OPTIONS.program, "calls"], check=True, env=environment, capture_output=True)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_writes_a_page_that_a_browser_shows(self):
        page = self.path("page.html")
        profile("--page", page, program=[OPTIONS.program, "work"])
        with open(page, encoding="utf-8") as file:
            self.assertIsNone(re.search(r"(src|href)\s*=|https?://(?!www\.w3\.org/2000/svg)", file.read()))
        if not OPTIONS.browser:
            self.skipTest("there is no browser")
        browser = [OPTIONS.browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.path('browser')}",
                   "--window-size=1000,1100", "--virtual-time-budget=3000"]
        dump = subprocess.run([*browser, "--dump-dom", f"file://{page}"], capture_output=True, text=True, timeout=100,
                              check=True).stdout
        self.assertGreater(dump.count("<circle"), 199)
        self.assertGreater(dump.count("<rect"), 20)
        for text in ("saxpy(int, float, float const*, float*)", "device 0 stream 1", "hipGetDevice", "Longest"):
            self.assertIn(text, dump)
        picture = os.path.join(OPTIONS.pictures or self.folder.name, "chip-prof.png")
        subprocess.run([*browser, f"--screenshot={picture}", f"file://{page}"], capture_output=True, timeout=100, check=True)
        self.assertGreater(os.path.getsize(picture), 10_000)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chip-prof", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--browser")
    parser.add_argument("--pictures")
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
