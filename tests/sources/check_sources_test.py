"""Each rule of check_sources.py finds its violation in a small tree, and nothing in one without."""
import os
import tempfile
import unittest

import check_sources


class CheckSources(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, check_sources, "ROOT", check_sources.ROOT)
        check_sources.ROOT = folder.name
        self.write("src/queue/queue.h", "int queue();\n")
        self.write("src/ze/driver.h", "int driver();\n")

    def write(self, name, text):
        path = os.path.join(check_sources.ROOT, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def violations(self, rule):
        return list(check_sources.RULES[rule](check_sources.files()))

    def test_a_clean_tree_has_no_violation(self):
        self.write("src/queue/queue.cpp", '#include "queue.h"\n#include "../ze/driver.h"\n')
        for rule in check_sources.RULES:
            self.assertEqual(self.violations(rule), [])

    def test_layers_finds_an_include_that_points_up(self):
        self.write("src/ze/driver.cpp", '#include "driver.h"\n#include "../queue/queue.h"\n')
        self.assertEqual(self.violations("layers"), ["src/ze/driver.cpp:2: src/ze must not include src/queue/queue.h"])

    def test_layers_lets_a_row_name_a_file_of_a_room(self):
        self.write("src/ze_driver/backend.h", "")
        self.write("src/ze_driver/program.h", "")
        self.write("src/ze_cpu/contract/all.h",
                   '#include "../../ze_driver/program.h"\n#include "../../ze_driver/backend.h"\n')
        self.assertEqual(self.violations("layers"), [
            "src/ze_cpu/contract/all.h:2: src/ze_cpu/contract must not include src/ze_driver/backend.h"])

    def includes_refused(self, rooms):
        """Each room includes all of them: the pairs of those that may not."""
        files = {os.path.join(room, "all.h"): room for room in rooms}
        for name in files:
            self.write(name, "".join(f'#include "{os.path.relpath(other, "src")}"\n' for other in files))
        return sorted((files[violation.split(":")[0]], files[violation.split(" ")[-1]])
                      for violation in self.violations("layers"))

    def test_layers_knows_the_order_of_the_folders_of_the_driver_front(self):
        front = [f"src/ze_driver{folder}" for folder in
                 ("/api", "/ipc", "/events", "/records", "", "/memory", "/modules", "/lists", "/driver")]
        below = [(lower, upper) for index, lower in enumerate(front) for upper in front[index + 1:]]
        self.assertEqual(self.includes_refused(front), sorted(below))

    def test_layers_keeps_the_parts_of_the_cpu_driver_apart(self):
        driver, front = "src/ze_cpu", "src/ze_driver"
        contract, executor, compiler = "src/ze_cpu/contract", "src/ze_cpu/exec", "src/ze_cpu/jit"
        program = "src/ze_cpu/program"
        refused = self.includes_refused(["src/common", contract, executor, program, compiler, driver, front])
        self.assertEqual([pair for pair in refused if pair[0].startswith(driver)], sorted([
            (contract, driver), (contract, executor), (contract, program), (contract, compiler), (contract, front),
            (executor, driver), (executor, program), (executor, compiler), (executor, front),
            (program, driver), (program, compiler), (program, front),
            (compiler, driver), (compiler, executor), (compiler, front), (driver, compiler)]))

    def test_layers_finds_a_room_without_a_row(self):
        self.write("src/attic/box.h", "")
        self.assertEqual(len(self.violations("layers")), 1)

    def test_sizes_finds_a_long_file(self):
        self.write("src/ze/long.cpp", "\n" * (check_sources.MOST_LINES + 1))
        self.assertEqual(self.violations("sizes"), ["src/ze/long.cpp: 601 lines, at most 600 are allowed"])

    def test_sizes_finds_a_full_folder(self):
        for number in range(check_sources.MOST_FILES):
            self.write(f"src/ze/{number}.h", "")
        self.assertEqual(self.violations("sizes"), ["src/ze: 26 files, at most 25 are allowed"])

    def test_targets_finds_a_question_for_a_target(self):
        self.write("tests/ze/CMakeLists.txt", "if(TARGET a)\nendif()\nif(A AND NOT TARGET b)\nelseif(TARGET c OR D)\nendif()\n")
        self.write("src/ze/part.cmake", "add_custom_command(TARGET a POST_BUILD)\nif(TARGETS_ARE_MANY)\nendif()\n")
        self.write("HIP/cmake/hip-config.cmake", "if(NOT TARGET a)\nendif()\n")
        found = [violation.split(": ")[0] for violation in self.violations("targets")]
        self.assertEqual(found, [f"tests/ze/CMakeLists.txt:{line}" for line in (1, 3, 4)])

    def test_format_finds_what_the_formatter_would_change(self):
        self.write("src/ze/driver.cpp", "int   driver( ) ;\n")
        self.assertEqual(len(self.violations("format")), 1)


if __name__ == "__main__":
    unittest.main()
