"""aleph data, from a file of games to a checked dataset: the worked example of docs/4-data.md.

    data_command_test.py FOLDER      where the programs are
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAB = Path(sys.argv[1]) / "aleph-lab"
PATIENCE = 300

GAME = """[Event "example {number}"]
[White "w{number}"]
[Black "b{number}"]
[WhiteElo "{white}"]
[BlackElo "{black}"]
[TimeControl "180+2"]
[Result "1-0"]

1. e4 {{[%clk 0:03:01]}} e5 {{[%clk 0:03:00]}} 2. Bc4 {{[%clk 0:02:58]}} Nc6 {{[%clk 0:02:40]}}
3. Qh5 {{[%clk 0:02:50]}} Nf6 {{[%clk 0:02:39]}} 4. Qxf7# {{[%clk 0:02:51]}} 1-0

"""
BAD = '[Event "bad"]\n\n1. e4 e9 *\n\n'


def games(count):
    return "".join(GAME.format(number=i, white=1000 + i % 1500, black=2400 - i % 1500)
                   for i in range(count))


class DataTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def data(self, *words, code=0):
        result = subprocess.run([str(LAB), "data", *map(str, words)], capture_output=True, text=True,
                                timeout=PATIENCE)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_worked_example(self):
        pgn = self.write("games.pgn", games(40) + BAD)
        out = self.folder / "set"
        said = self.data("build", "--pgn", pgn, "--out", out, "--split", "train=0.75,test=0.25")
        self.assertRegex(said.stdout, r"games +40\n")
        self.assertRegex(said.stdout, r"rows +280\n")
        self.assertIn("game 41", said.stderr)
        description = json.loads((out / "dataset.json").read_text())
        self.assertTrue(description["complete"])
        self.assertEqual(sum(split["rows"] for split in description["splits"]), 280)
        self.assertIn("280 rows, 0 bad", self.data("validate", out).stdout)
        counted = self.data("sql", out, "SELECT count(*) AS n, max(rating) AS best FROM rows").stdout
        self.assertEqual(counted.split(), ["n", "best", "280", "2400"])
        seen = self.data("view", out, "--row", 6).stdout
        self.assertIn("Qxf7#", seen)
        self.assertIn("clock 2-3 min", seen)
        again = self.data("build", "--pgn", pgn, "--out", out, "--split", "train=0.75,test=0.25")
        self.assertIn("complete already", again.stdout)

    def test_refusals(self):
        pgn = self.write("games.pgn", games(3))
        out = self.folder / "set"
        self.data("build", "--pgn", pgn, "--out", out, "--split", "train=0.7,test=0.2", code=2)
        self.data("build", "--pgn", self.folder / "none.pgn", "--out", out, code=2)
        self.data("build", "--pgn", pgn, "--out", out, "--schema", "other", code=2)
        self.assertIn("there is no dataset", self.data("validate", self.folder, code=1).stderr)
        self.data("build", "--pgn", pgn, "--out", out)
        other = self.data("build", "--pgn", pgn, "--out", out, "--seed", 7, code=1)
        self.assertIn("other settings", other.stderr)
        self.assertIn("no row 21", self.data("view", out, "--row", 21, code=1).stderr)
        self.data("sql", out, "SELECT nothing FROM rows", code=1)


if __name__ == "__main__":
    if not LAB.exists():
        print(f"skipped: {LAB} is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
