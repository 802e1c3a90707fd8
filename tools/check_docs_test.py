#!/usr/bin/env python3
"""check_docs.py on small trees, right and wrong."""

import pathlib
import unittest

import small_tree

CHECK = pathlib.Path(__file__).with_name("check_docs.py")

RIGHT = {
    "README.md": "# All\n\n[guide](docs/guide.md#one-way) and [away](https://example.org/x.md), ![](docs/pictures/a.png)\n\n    [code](nowhere)\n",
    "docs/guide.md": "# Guide\n\n## One way\n\n[here](#one-way) [up](../README.md) `[span](nowhere)`\n\n```\n[fenced](nowhere)\n```\n",
    "docs/pictures/a.png": "x",
    "engine/a.cpp": "// docs/guide.md has more, and so has https://example.org/docs/other.md\n",
    "build/lost.md": "[lost](nowhere)\n",
}


class Checked(small_tree.Trees):
    def said_of(self, files):
        """What the check says of the right tree with these files instead or besides: {path: text}."""
        return self.said(CHECK, RIGHT | files)

    def test_the_right_tree(self):
        self.assertEqual(self.said_of({}), "")

    def test_links(self):
        self.assertIn("docs/more.md:3: (gone.md) leads to no file", self.said_of({"docs/more.md": "# More\n\n[gone](gone.md)\n"}))
        self.assertIn("(guide.md#no-way) leads to no heading", self.said_of({"docs/more.md": "[no](guide.md#no-way)\n"}))
        self.assertIn("(pictures/b.png) leads to no file", self.said_of({"docs/more.md": '![b](pictures/b.png "a title")\n'}))

    def test_names_of_pages(self):
        self.assertIn("engine/b.hpp:1: there is no docs/old.md", self.said_of({"engine/b.hpp": "// docs/old.md says so.\n"}))

    def test_pictures(self):
        many = {f"docs/pictures/{number}.png": "x" for number in range(40)}
        self.assertIn("41 pictures; 40 is the most", self.said_of(many))
        self.assertIn("docs/pictures/b.png: 150001 bytes", self.said_of({"docs/pictures/b.png": "x" * 150_001}))
        self.assertEqual(self.said_of({"viz/testdata/b.png": "x" * 150_001}), "")


if __name__ == "__main__":
    unittest.main()
