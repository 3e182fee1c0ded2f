"""tools/check_layers.py finds each kind of violation, at its line, and nothing in a clean tree."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402

LAYERS = """aleph_layer(base)
aleph_layer(chess USES base)
aleph_layer(search USES chess)
if(ALEPH_TRAIN)
  aleph_layer(train USES chess)
endif()
"""


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.write("cmake/layers.cmake", LAYERS)
        self.write("src/base/text.h", "#pragma once\n#include <string>\n")
        self.write("src/chess/move.h", '#include "base/text.h"\n')
        self.write("src/search/search.h", '#include "base/text.h"\n#include "chess/move.h"\n')
        self.write("src/train/step.h", '#include "chess/move.h"\n')
        self.write("src/train/step.cpp", '#include "train/step.h"\n#include <torch/torch.h>\n')
        self.write("apps/common/table.h", "#pragma once\n")
        self.write("apps/aleph/own.h", "#pragma once\n")
        self.write("apps/aleph/main.cpp",
                   '#include "common/table.h"\n#include "search/search.h"\n#include "own.h"\n')
        self.write("tests/chess/move_test.cpp", '#include "chess/move.h"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def only_violation(self):
        violations = check_layers.check_tree(self.root)
        self.assertEqual(len(violations), 1, violations)
        return violations[0]

    def test_clean_tree(self):
        self.assertEqual(check_layers.check_tree(self.root), [])

    def test_upward_include(self):
        self.write("src/chess/bad.cpp", '\n  #  include "search/search.h"\n')
        self.assertEqual(self.only_violation(),
                         'src/chess/bad.cpp:2: "search/search.h": src/chess may not include search')

    def test_sideways_include(self):
        self.write("src/search/bad.h", '#include "train/step.h"\n')
        self.assertIn("src/search/bad.h:1:", self.only_violation())

    def test_torch_outside_train(self):
        self.write("src/search/bad.cpp", "#include <ATen/ATen.h>\n")
        self.assertIn("only .cpp files of src/train", self.only_violation())

    def test_torch_in_a_header_of_train(self):
        self.write("src/train/bad.h", "#include <torch/torch.h>\n")
        self.assertIn("src/train/bad.h:1:", self.only_violation())

    def test_torch_in_a_program(self):
        self.write("apps/aleph/bad.cpp", "#include <torch/torch.h>\n")
        self.assertIn("apps/aleph/bad.cpp:1:", self.only_violation())

    def test_src_includes_apps(self):
        self.write("src/search/bad.cpp", '#include "common/table.h"\n')
        self.assertIn("src may not include apps", self.only_violation())

    def test_missing_file_and_dots(self):
        self.write("src/search/bad.cpp", '#include "chess/no_such.h"\n#include "../chess/move.h"\n')
        violations = check_layers.check_tree(self.root)
        self.assertEqual([v.split(": ")[0] for v in violations],
                         ["src/search/bad.cpp:1", "src/search/bad.cpp:2"])

    def test_own_file_in_angle_brackets(self):
        self.write("src/chess/bad.cpp", "#include <search/search.h>\n")
        self.assertIn("with quotes", self.only_violation())

    def test_folder_that_is_no_layer(self):
        self.write("src/misc/any.h", "#pragma once\n")
        self.assertIn("src/misc:1: not in cmake/layers.cmake", self.only_violation())

    def test_layer_that_uses_a_later_one(self):
        self.write("cmake/layers.cmake", LAYERS.replace("(base)", "(base USES chess)"))
        self.assertIn("cmake/layers.cmake:1:", self.only_violation())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
