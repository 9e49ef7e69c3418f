#!/usr/bin/env python3
"""Tests of the generator of the reference (src/hip/documentation/document.py)."""

import contextlib
import io
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.environ["CHIP_DOCUMENTATION_DIRECTORY"])
sys.dont_write_bytecode = True
import document  # noqa: E402

PHRASES = os.path.join(os.environ["CHIP_DOCUMENTATION_DIRECTORY"], "phrases.txt")
GOOD = """/// Creates an event that records time stamps, on the current device.
/// Errors: hipErrorInvalidValue (`event` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipEventCreate("""


class Copy(unittest.TestCase):
    """Works on a copy of the headers, in which a test changes the comment of hipEventCreate."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.headers = os.path.join(self.directory.name, "include")
        self.pages = os.path.join(self.directory.name, "pages")
        self.exceptions = os.path.join(self.directory.name, "exceptions.txt")
        document.generate.write(self.exceptions, "# None.\n")
        self.source = os.path.join(self.directory.name, "event.cpp")
        self.phrases = os.path.join(self.directory.name, "phrases.txt")
        shutil.copytree(os.environ["CHIP_INCLUDE"], self.headers)
        shutil.copyfile(PHRASES, self.phrases)
        document.generate.write(self.source, "hipError_t hipEventCreate(hipEvent_t *event) {}\n")

    def replace(self, old, new, header="api/event.h"):
        path = os.path.join(self.headers, "hip", header)
        text = document.generate.read(path)
        self.assertEqual(text.count(old), 1)
        document.generate.write(path, text.replace(old, new))

    def problems(self, old, new):
        """What is wrong with the headers after hipEventCreate's comment changed."""
        self.replace(GOOD, GOOD.replace(old, new))
        with self.assertRaises(document.Error) as raised:
            document.load(self.headers, self.phrases)
        return str(raised.exception)

    def expect(self, message, old, new=""):
        self.assertEqual(self.problems(old, new), "api/event.h: hipEventCreate: " + message)

    def run_command(self, command):
        """The exit status of document.py and what it says."""
        said = io.StringIO()
        sys.argv = ["document.py", command, "--headers", self.headers, "--sources", self.source,
                    "--pages", self.pages, "--exceptions", self.exceptions]
        with contextlib.redirect_stderr(said):
            return document.main(), said.getvalue()

    def page(self, name):
        return document.generate.read(os.path.join(self.pages, name))


class Check(Copy):
    def test_finds_nothing_wrong_with_our_headers(self):
        document.load(self.headers, self.phrases)

    def test_finds_a_function_without_a_text(self):
        self.expect("the comment lacks a text",
                    "/// Creates an event that records time stamps, on the current device.\n")

    def test_finds_a_function_without_errors(self):
        self.expect("the comment lacks Errors",
                    "/// Errors: hipErrorInvalidValue (`event` is null), @start.\n")

    def test_finds_a_function_without_its_order(self):
        self.expect("the comment lacks Stream", "Stream: @none. ")

    def test_finds_a_function_that_does_not_say_whether_it_is_captured(self):
        self.expect("the comment lacks Capture", " Capture: @allowed.")

    def test_finds_a_function_without_a_comment(self):
        self.expect("the comment lacks a text", GOOD[:GOOD.index("hipError_t hipEventCreate(")])

    def test_finds_a_part_that_stands_twice(self):
        self.expect("the part Stream stands twice", "Capture: @", "Stream: @none. Capture: @")

    def test_finds_an_error_that_does_not_exist(self):
        self.expect("the headers have no hipErrorInvalidValues", "hipErrorInvalidValue",
                    "hipErrorInvalidValues")

    def test_finds_an_error_that_is_something_else(self):
        self.expect("hipEventDefault is not an error", "hipErrorInvalidValue", "hipEventDefault")

    def test_finds_an_error_without_a_condition(self):
        self.assertIn("not a list of errors with conditions in parentheses: hipErrorOutOfMemory",
                      self.problems(", @start", ", hipErrorOutOfMemory, @start"))

    def test_finds_a_name_that_the_headers_lack(self):
        self.expect("the headers have no hipEventRecords", "an event that records",
                    "an event for hipEventRecords that records")

    def test_does_not_take_a_name_in_a_comment_for_a_declaration(self):
        self.replace("#pragma once", "// hipEventRecords\n#pragma once")
        self.expect("the headers have no hipEventRecords", "an event that records",
                    "an event for hipEventRecords that records")

    def test_finds_a_parameter_that_does_not_exist(self):
        self.expect("there is no parameter `events`", "`event`", "`events`")

    def test_finds_an_ellipsis(self):
        self.expect("text: an ellipsis or an @ without a phrase", "the current device.",
                    "the current device...")

    def test_finds_a_text_that_is_no_sentence(self):
        self.expect("the text is not made of sentences", "the current device.", "the current device")

    def test_finds_a_phrase_that_does_not_exist(self):
        self.expect("there is no phrase @permitted", "@allowed", "@permitted")

    def test_finds_a_phrase_that_nobody_uses(self):
        with open(self.phrases, "a", encoding="utf-8") as file:
            file.write("@idle: Nothing happens.\n")
        with self.assertRaisesRegex(document.Error, "not used: idle"):
            document.load(self.headers, self.phrases)

    def test_finds_a_header_that_is_no_chapter(self):
        path = os.path.join(self.headers, "hip", "api", "new.h")
        document.generate.write(path, "HIP_API_BEGIN\nhipError_t hipNew(void);\nHIP_API_END\n")
        with self.assertRaisesRegex(document.Error, "headers differ: api/new.h"):
            document.load(self.headers, self.phrases)

    def test_names_every_function_at_fault(self):
        self.replace("hipErrorNotReady (the work of an event is not done)", "hipErrorNotDone (x)")
        self.assertEqual(len(self.problems(" Capture: @allowed.", "").splitlines()), 2)


class Like(Copy):
    def parts(self, comment):
        self.replace(GOOD, comment + "hipError_t hipEventCreate(")
        chapters = document.load(self.headers, self.phrases)
        return next(entry.parts for _, _, entries in chapters for entry in entries
                    if entry.name == "hipEventCreate")

    def test_takes_over_the_text_and_the_parts(self):
        parts = self.parts("/// Says more. @like hipEventQuery\n")
        self.assertTrue(parts[""].startswith("Says more. Returns hipSuccess"))
        self.assertIn("hipErrorNotReady", parts["Errors"])
        self.assertEqual(set(parts), {"", *document.PARTS})

    def test_leaves_a_part_that_is_given(self):
        parts = self.parts("/// @like hipEventQuery\n/// Stream: It waits.\n")
        self.assertEqual(parts["Stream"], "It waits.")
        self.assertIn("hipErrorCapturedEvent", parts["Capture"])

    def test_needs_the_other_functions_parameters(self):
        with self.assertRaisesRegex(document.Error, "there is no parameter `start`"):
            self.parts("/// @like hipEventElapsedTime\n")

    def test_needs_the_other_function(self):
        with self.assertRaisesRegex(document.Error, "@like hipEventAsk: there is no such function"):
            self.parts("/// @like hipEventAsk\n")

    def test_does_not_go_in_circles(self):
        with self.assertRaisesRegex(document.Error, "@like hipEventCreate: there is no such function"):
            self.parts("/// @like hipEventCreate\n")


class Pages(Copy):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_command("write"), (0, ""))

    def test_are_what_the_headers_say_after_they_are_written(self):
        self.assertEqual(self.run_command("check"), (0, ""))

    def test_have_all_parts_of_a_function_with_its_phrases_written_out(self):
        page = self.page("event.md")
        start = page.index("### hipEventCreate\n")
        section = page[start:page.index("###", start + 3)]
        self.assertIn("hipError_t hipEventCreate(hipEvent_t *event);", section)
        for part in document.PARTS:
            self.assertIn("- **%s:**" % part, section)
        self.assertIn("  - hipErrorNoDevice: there is no device.\n", section)
        self.assertNotIn("@", section)

    def test_list_the_conditions_of_one_error_together(self):
        page = self.page("event.md")
        self.assertNotRegex(page, r"(?s)(- hipError\w+:)((?!###).)*\1")

    def test_mark_what_no_source_defines(self):
        marks = [part.count("Not supported yet") for part in self.page("event.md").split("\n### ")[1:]]
        self.assertEqual(marks[0], 0)
        self.assertEqual(set(marks[1:]), {1})

    def test_do_not_mark_the_functions_of_another_library(self):
        self.assertNotIn("Not supported yet", self.page("hiprtc.md"))

    def test_name_every_function_that_the_headers_declare(self):
        functions = document.generate.declared_functions(self.headers, [])
        text = "".join(self.page(name) for name in os.listdir(self.pages))
        for function in functions:
            self.assertIn("### %s\n" % function.name, text)

    def test_have_a_heading_for_each_section_of_a_header_and_no_other(self):
        for name in os.listdir(self.pages):
            self.assertNotRegex(self.page(name), r"(?m)^## *$")

    def test_are_not_right_after_a_comment_changed(self):
        self.replace("Creates an event that records time stamps", "Makes an event with time stamps")
        status, said = self.run_command("check")
        self.assertEqual(status, 1)
        self.assertIn("not what the headers say: event.md\n", said)

    def test_are_not_right_if_one_is_missing_or_superfluous(self):
        os.rename(os.path.join(self.pages, "event.md"), os.path.join(self.pages, "old.md"))
        status, said = self.run_command("check")
        self.assertEqual(status, 1)
        self.assertIn("event.md, old.md", said)
        self.assertEqual(self.run_command("write"), (0, ""))
        self.assertEqual(self.run_command("check"), (0, ""))


class Support(Copy):
    """The page of the functions that cannot work. Of all functions only hipEventCreate has a body."""

    def written(self, exceptions):
        document.generate.write(self.exceptions, exceptions)
        status, said = self.run_command("write")
        self.assertEqual((status, said), (0, ""))
        return self.page(document.SUPPORT)

    def refused(self, exceptions):
        document.generate.write(self.exceptions, exceptions)
        status, said = self.run_command("write")
        self.assertEqual(status, 1)
        return said

    def test_names_each_exception_with_its_result_and_reason(self):
        page = self.written("hipErrorInvalidValue hipEventCreate: There are no events here.\n")
        self.assertIn("| [hipEventCreate](api/event.md#hipeventcreate) | `hipErrorInvalidValue` | "
                      "There are no events here. |\n", page)
        self.assertIn("- 1 cannot", page)
        self.assertIn("- 0 do what", page)

    def test_names_what_is_not_there_yet(self):
        page = self.written("")
        self.assertIn("[hipMalloc](api/memory.md#hipmalloc)", page.split("## Not there yet")[1])
        self.assertIn("- 1 do what", page)
        self.assertNotIn("hiprtcVersion", page)

    def test_is_not_right_after_an_exception_changed(self):
        self.written("hipErrorInvalidValue hipEventCreate: There are no events here.\n")
        self.assertEqual(self.run_command("check"), (0, ""))
        document.generate.write(self.exceptions, "")
        self.assertIn("api-support.md", self.run_command("check")[1])

    def test_refuses_functions_that_are_unknown_or_have_no_body(self):
        self.assertIn("no function hipNothing", self.refused("hipSuccess hipNothing: It is not.\n"))
        self.assertIn("hipMalloc has no body", self.refused("hipSuccess hipMalloc: It is not.\n"))

    def test_refuses_a_result_that_the_comment_does_not_name(self):
        self.assertIn("does not name hipErrorAssert",
                      self.refused("hipErrorAssert hipEventCreate: It asserts.\n"))

    def test_misses_a_function_that_is_not_supported_for_any_arguments(self):
        self.replace(GOOD, GOOD.replace(", @start", ", hipErrorNotSupported (otherwise), @start"))
        self.assertIn("lacks hipEventCreate", self.refused(""))
        self.written("hipErrorNotSupported hipEventCreate: There are no events here.\n")

    def test_refuses_lines_without_a_reason_and_functions_named_twice(self):
        self.assertIn("cannot read", self.refused("hipSuccess hipEventCreate\n"))
        self.assertIn("stands twice",
                      self.refused("hipSuccess hipEventCreate hipEventCreate: It is not.\n"))

    def test_refuses_more_exceptions_than_are_allowed(self):
        names = " ".join("hipNothing%d" % i for i in range(document.MOST_EXCEPTIONS + 1))
        self.assertIn("31 functions, at most 30", self.refused("hipSuccess %s: They are not.\n" % names))


if __name__ == "__main__":
    unittest.main()
