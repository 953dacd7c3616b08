#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The layer check must find a forbidden include, and the table must have no cycle."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools/check_layers.py"


def run_check(root):
    return subprocess.run([sys.executable, CHECK, "--root", root], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        (self.root / "tools").mkdir()
        for module in ("core", "mesh"):
            (self.root / "src/toile" / module).mkdir(parents=True)
        self.write("tools/layers.txt", "core:\nmesh: core\n")
        self.write("src/toile/mesh/a.h", '#include "toile/core/types.h"\n')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def test_allowed_includes_pass(self):
        self.assertEqual(run_check(self.root).returncode, 0)

    def test_an_include_of_a_higher_layer_is_named_with_file_and_line(self):
        self.write("src/toile/core/b.cpp", '\n#include "toile/mesh/a.h"\n')
        result = run_check(self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("src/toile/core/b.cpp:2", result.stdout)

    def test_a_module_outside_the_table_is_named(self):
        (self.root / "src/toile/utils").mkdir()
        self.write("src/toile/utils/x.h", "")
        result = run_check(self.root)
        self.assertEqual(result.returncode, 1)
        self.assertIn("'utils' is not in tools/layers.txt", result.stdout)

    def test_a_table_with_an_upward_row_is_refused(self):
        self.write("tools/layers.txt", "core: mesh\nmesh: core\n")
        self.assertNotEqual(run_check(self.root).returncode, 0)


if __name__ == "__main__":
    unittest.main()
