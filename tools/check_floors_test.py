#!/usr/bin/env python3
"""check_floors.py on small trees, right and wrong."""

import pathlib
import unittest

import small_tree

CHECK = pathlib.Path(__file__).with_name("check_floors.py")

RIGHT = {
    "tools/floors.txt": "# a comment\nengine/base\n\nengine/ptx  # PTX text\nviz/plot\napp\n",
    "engine/base/CMakeLists.txt": "warplens_library(warplens_base SOURCES error.cpp)",
    "engine/base/error.cpp": "#include <string>\n",
    "engine/base/error.hpp": "",
    "engine/ptx/CMakeLists.txt": "warplens_library(warplens_ptx\n  SOURCES parser.cpp ../ptx/lexer.cpp\n  LINKS warplens_base)",
    "engine/ptx/parser.cpp": '#include "engine/base/error.hpp"\n',
    "engine/ptx/lexer.cpp": "",
    "viz/plot/CMakeLists.txt": "warplens_library(warplens_plot SOURCES plot.cpp PRIVATE_LINKS warplens_ptx)",
    "viz/plot/plot.cpp": '#include "engine/ptx/parser.hpp"\n',
    "app/main.cpp": "#include <GLFW/glfw3.h>\n#include <imgui.h>\n#include <glad/gl.h>\n",
}


class Checked(small_tree.Trees):
    def said_of(self, files):
        """What the check says of the right tree with these files instead or besides: {path: text}."""
        return self.said(CHECK, RIGHT | files)

    def refuse(self, path, text, why):
        said = self.said_of({path: text})
        self.assertIn(path, said)
        self.assertIn(why, said)

    def accept(self, path, text):
        self.assertEqual(self.said_of({path: text}), "")

    def test_the_right_tree(self):
        self.assertEqual(self.said_of({}), "")

    def test_rooms(self):
        self.refuse("engine/base/error.cpp", '#include "engine/ptx/parser.hpp"\n', "is not on a lower floor than engine/base")
        self.accept("viz/plot/plot.cpp", '#include "engine/ptx/parser.hpp"\n')
        self.assertIn("engine/new: on no floor of tools/floors.txt", self.said_of({"engine/new/new.cpp": ""}))

    def test_rooms_of_a_floor_do_not_know_each_other(self):
        same = RIGHT["tools/floors.txt"].replace("engine/base\n\nengine/ptx", "engine/base engine/ptx")
        said = self.said_of({"tools/floors.txt": same})
        self.assertIn("engine/ptx/parser.cpp: engine/base/error.hpp is not on a lower floor than engine/ptx", said)

    def test_the_table(self):
        floors = RIGHT["tools/floors.txt"]
        self.refuse("tools/floors.txt", floors + "engine/old\n", "engine/old has no sources")
        self.refuse("tools/floors.txt", floors + "app\n", "app is named twice")

    def test_the_printed_table_is_accepted(self):
        done = small_tree.run(CHECK, RIGHT, "--table")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "app engine/base\nengine/ptx\nviz/plot\n")

    def test_layers(self):
        self.refuse("engine/ptx/parser.cpp", '#include "app/paths.hpp"\n', "engine does not know app")
        self.refuse("engine/ptx/parser_test.cpp", '#include "viz/plot/plot.hpp"\n', "engine does not know viz")
        self.refuse("viz/plot/plot.cpp", '  # include "app/window.hpp"\n', "viz does not know app")
        self.refuse("engine/ptx/CMakeLists.txt", "warplens_library(warplens_ptx SOURCES parser.cpp LINKS warplens_base warplens_plot)",
                    "engine may not link warplens_plot")

    def test_links(self):
        without = "warplens_library(warplens_ptx SOURCES parser.cpp lexer.cpp)"
        said = self.said_of({"engine/ptx/CMakeLists.txt": without})
        self.assertIn("engine/ptx/parser.cpp: engine/base/error.hpp is of warplens_base, which warplens_ptx does not link", said)
        said = self.said_of({"engine/ptx/CMakeLists.txt": without, "engine/ptx/parser.cpp": "",
                                   "engine/ptx/parser.hpp": '#include "engine/base/error.hpp"\n'})
        self.assertIn("engine/ptx/parser.hpp: engine/base/error.hpp is of warplens_base", said)

    def test_links_reach_as_far_as_they_are_public(self):
        test = {"viz/plot/plot_test.cpp": '#include "engine/base/error.hpp"\n'}
        made = RIGHT["viz/plot/CMakeLists.txt"]
        target = "\nwarplens_test(plot_test SOURCES plot_test.cpp LINKS {})"
        self.assertEqual(self.said_of(test | {"viz/plot/CMakeLists.txt": made + target.format("warplens_ptx")}), "")
        said = self.said_of(test | {"viz/plot/CMakeLists.txt": made + target.format("warplens_plot")})
        self.assertIn("plot_test does not link", said)

    def test_tests(self):
        self.accept("engine/ptx/testing/ptx_support.hpp", '#include "engine/base/error.hpp"\n')
        self.accept("engine/ptx/parser_test.cpp", '#include "engine/ptx/testing/ptx_support.hpp"\n')
        self.refuse("engine/ptx/parser.cpp", '#include "engine/base/error.hpp"\n#include "engine/ptx/testing/ptx_support.hpp"\n',
                    "is for tests")

    def test_what_is_outside(self):
        self.refuse("viz/plot/plot.cpp", '#include "engine/ptx/parser.hpp"\n#include <imgui.h>\n', "see ImGui")
        self.refuse("viz/plot/glfw.cpp", "#include <GLFW/glfw3.h>\n", "only app sees GLFW")
        self.refuse("viz/plot/gl.cpp", "#include <glad/gl.h>\n", "see GL")
        self.refuse("engine/ptx/cuda.cpp", "#include <cuda.h>\n", "only engine/gpu sees the CUDA driver")
        self.refuse("app/cuda.cpp", '  dlopen("libcuda.so.1", 1)\n', "only engine/gpu sees the CUDA driver")
        self.refuse("engine/ptx/nvrtc.cpp", 'const char* name = "libnvrtc.so.13";\n', "only engine/compile sees NVRTC")
        for path, text in {"viz/paint/imgui.cpp": "#include <imgui.h>\n", "viz/live/plots.cpp": "#include <glad/gl.h>\n",
                           "engine/gpu/driver.cpp": "#include <cuda.h>\n",
                           "engine/compile/nvrtc.cpp": 'const char* name = "libnvrtc.so.13";\n'}.items():
            table = RIGHT["tools/floors.txt"] + str(pathlib.PurePosixPath(path).parent) + "\n"
            self.assertEqual(self.said_of({path: text, "tools/floors.txt": table}), "")

    def test_sizes(self):
        self.accept("app/main.cpp", "\n" * 600)
        self.refuse("app/main.cpp", "\n" * 601, "600 is the most")
        self.accept("app/paths.hpp", "\n" * 150)
        self.refuse("app/paths.hpp", "\n" * 151, "150 is the most")
        self.assertEqual(self.said_of({f"app/file{n}.cpp": "" for n in range(39)}), "")
        self.assertIn("app: 41 sources; 40 is the most", self.said_of({f"app/file{n}.cpp": "" for n in range(40)}))


if __name__ == "__main__":
    unittest.main()
