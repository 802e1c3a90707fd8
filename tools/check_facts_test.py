#!/usr/bin/env python3
"""check_facts.py on small trees, right and wrong."""

import pathlib
import unittest

import small_tree

CHECK = pathlib.Path(__file__).with_name("check_facts.py")


class Checked(small_tree.Trees):
    def said_of(self, text, name="engine/run/run.cpp", table="", header=""):
        return self.said(CHECK, {name: text, "engine/run/run.hpp": header, "tools/facts.txt": table})

    def refuse(self, text, **more):
        self.assertIn("engine/run/run.cpp:1: searches in a sentence", self.said_of(text, **more))

    def accept(self, text, **more):
        self.assertEqual(self.said_of(text, **more), "")

    def test_searches_in_a_sentence(self):
        self.refuse('bool is = text.find("was not written") != npos;')
        self.refuse('bool is = report.explanation.find("written") != npos;')
        self.refuse('bool is = error.message.starts_with(start);')
        self.refuse('bool is = error->next_step == "save it";')
        self.refuse('bool is = around.reasons().front().find("idle") == npos;')
        self.refuse('bool is = rule == "shared broadcast";')
        self.refuse('std::regex seconds("in .* s");')

    def test_constants_are_looked_up(self):
        constant = 'constexpr std::string_view kNobody = "which nobody has written";'
        self.refuse("bool is = text.contains(kNobody);", header=constant)
        self.refuse("bool is = text.contains(kNobody); " + constant)
        self.accept("bool is = text.contains(kNobody);", header='constexpr std::string_view kNobody = "cp.async";')

    def test_formats_are_none(self):
        self.accept('bool is = line.starts_with(".entry ") || name.ends_with(".cu");')
        self.accept("bool is = message.find('\\n') != npos;")
        self.accept('bool is = error.code == ErrorCode::kernel_text;')
        self.accept('say("it was not written");  // text.find("was not written")')

    def test_tests_may_look_for_words(self):
        self.accept('EXPECT_NE(text.find("was not written"), npos);', name="engine/run/run_test.cpp")

    def test_the_table(self):
        text = 'bool is = log.find("out of memory") != npos;'
        self.accept(text, table="# others\nengine/run/run.cpp 1 the compiler's log\n")
        self.refuse(text + text, table="engine/run/run.cpp 1 the compiler's log\n")
        self.assertIn("correct that", self.said_of("int a;", table="engine/run/run.cpp 1 the compiler's log\n"))
        self.assertIn("correct that", self.said_of("int a;", table="engine/run/gone.cpp 1 the compiler's log\n"))


if __name__ == "__main__":
    unittest.main()
