#!/usr/bin/env python3
"""Tests of the generator of functions without a body (src/hip/unsupported/generate.py)."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.environ["CHIP_GENERATOR_DIRECTORY"])
sys.dont_write_bytecode = True
import generate  # noqa: E402

DECLARATIONS = """
/// Says `hipNotAFunction(int x);` in a comment.
#pragma once
HIP_API_BEGIN
#define HIP_SOMETHING 1
/// Takes a default.
hipError_t hipFirst(void **address, size_t size, unsigned int flags __dparm(hipDefault));
HIP_DEPRECATED("use (this) instead")
hipError_t hipSecond(void);
const char *hipThird(hipError_t error);
HIP_API_END
"""


def parse(text):
    return generate.parse_header(text, "x.h")


def missing(source):
    return [function.name for function in
            generate.missing_functions(parse(DECLARATIONS), [source], {"hipFirst": "hipFirstR0600"})]


class Parser(unittest.TestCase):
    def test_reads_names_and_types(self):
        functions = parse(DECLARATIONS)
        self.assertEqual([function.name for function in functions],
                         ["hipFirst", "hipSecond", "hipThird"])
        self.assertEqual(functions[0].parameters, ["void **", "size_t", "unsigned int"])
        self.assertEqual(functions[1].parameters, [])
        self.assertEqual(functions[2].returns, "const char *")

    def test_ignores_what_is_outside_of_a_block(self):
        self.assertEqual(parse("hipError_t hipOutside(int x);\n"), [])

    def refuses(self, block):
        with self.assertRaises(generate.Error):
            parse("HIP_API_BEGIN\n%s\nHIP_API_END\n" % block)

    def test_refuses_other_names(self):
        self.refuses("hipError_t other(int x);")

    def test_refuses_a_parameter_without_a_name(self):
        self.refuses("hipError_t hipX(int);")

    def test_refuses_a_function_pointer(self):
        self.refuses("hipError_t hipX(void (*f)(int));")

    def test_refuses_a_body(self):
        self.refuses("inline hipError_t hipX(int x) { return hipSuccess; }")

    def test_refuses_conditions(self):
        self.refuses("#ifdef SOMETHING\nhipError_t hipX(int x);\n#endif")

    def test_refuses_a_block_without_end(self):
        with self.assertRaises(generate.Error):
            parse("HIP_API_BEGIN\nhipError_t hipX(int x);\n")


class Definitions(unittest.TestCase):
    def test_a_body_counts(self):
        self.assertEqual(missing("hipError_t hipFirst(void **a, size_t s, unsigned int) {\n}"),
                         ["hipSecond", "hipThird"])

    def test_a_body_over_several_lines_counts(self):
        self.assertEqual(missing("const char *\nhipThird(hipError_t error)\n    noexcept try {\n}"),
                         ["hipFirst", "hipSecond"])

    def test_a_body_under_the_other_name_counts(self):
        self.assertEqual(missing("hipError_t hipFirstR0600(void **a) {}"), ["hipSecond", "hipThird"])

    def test_a_declaration_does_not_count(self):
        self.assertIn("hipSecond", missing("hipError_t hipSecond();\nvoid f() {}"))

    def test_a_call_does_not_count(self):
        self.assertIn("hipSecond", missing("void f() {\n  return hipSecond();\n}"))

    def test_a_comment_does_not_count(self):
        self.assertIn("hipSecond", missing("// hipError_t hipSecond() {\n/*\nhipError_t hipSecond() {}\n*/"))

    def test_a_longer_name_does_not_count(self):
        self.assertIn("hipSecond", missing("hipError_t hipSecond_spt() {}"))


class Table(unittest.TestCase):
    def test_returns_what_the_hook_says(self):
        text = generate.table(parse(DECLARATIONS))
        self.assertIn('extern "C" hipError_t hipSecond() { return chip::hip::unsupported("hipSecond"); }',
                      text)

    def test_returns_an_empty_text_where_a_text_is_asked_for(self):
        self.assertIn('hipThird(hipError_t) { static_cast<void>(chip::hip::unsupported("hipThird")); '
                      'return ""; }', generate.table(parse(DECLARATIONS)))

    def test_refuses_a_result_that_nothing_stands_in_for(self):
        with self.assertRaises(generate.Error):
            generate.table(parse("HIP_API_BEGIN\nhipThing hipX(int x);\nHIP_API_END\n"))


class OurHeaders(unittest.TestCase):
    def functions(self):
        return generate.declared_functions(os.environ["CHIP_INCLUDE"], generate.NOT_IN_TABLE)

    def test_are_read_to_the_last_function(self):
        names = {function.name for function in self.functions()}
        # One from each header that the table includes, one of each way to write a result.
        for name in ["hipMalloc", "hipGetErrorName", "hipCreateChannelDesc", "hipExtModuleLaunchKernel",
                     "hipGetDevicePropertiesR0000", "hipGLGetDevices", "hipMemcpy_spt"]:
            self.assertIn(name, names)

    def test_every_function_without_a_body_has_one_in_the_table(self):
        functions = self.functions()
        with tempfile.TemporaryDirectory() as directory:
            source, names = os.path.join(directory, "t.cpp"), os.path.join(directory, "names")
            sys.argv = ["generate.py", "table", "--headers", os.environ["CHIP_INCLUDE"],
                        "--output", source, "--list", names]
            self.assertEqual(generate.main(), 0)
            with open(names, encoding="utf-8") as file:
                self.assertEqual(len(file.read().split()), len(functions))
            with open(source, encoding="utf-8") as file:
                self.assertEqual(file.read().count("chip::hip::unsupported("), len(functions))


if __name__ == "__main__":
    unittest.main()
