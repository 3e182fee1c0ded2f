"""aleph-lab pgn as a user meets it.

    pgn_command_test.py FOLDER      where the programs are
"""

import gzip
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAB = Path(sys.argv[1]) / "aleph-lab"
GAMES = '[Event "1"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[Event "2"]\n\n1. e4 Nxe9 *\n\n1. d4 *\n'


def run(*words, text=""):
    return subprocess.run([str(LAB), "pgn", *words], input=text, capture_output=True, text=True,
                          timeout=60, check=False)


@unittest.skipUnless(LAB.exists(), "aleph-lab is not built")
class PgnStats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "games.pgn"
        self.file.write_text(GAMES)

    def test_bad_games_are_listed_and_no_failure(self):
        result = run("stats", str(self.file))
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, f"{self.file}:8: game 2: move 1 (black) 'Nxe9' is not a move\n")
        self.assertRegex(result.stdout, r"games\.pgn +2 +3 +1 +0 ")

    def test_standard_input_and_json(self):
        result = run("stats", "-", "--json", "--threads", "2", "--errors", "0", text=GAMES)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        answer = json.loads(result.stdout)
        self.assertEqual(answer["total"]["games"], 2)
        self.assertEqual(answer["files"][0]["file"], "standard input")

    def test_several_files_have_a_total(self):
        packed = self.file.with_suffix(".gz")
        packed.write_bytes(gzip.compress(GAMES.encode()))
        result = run("stats", str(self.file), str(packed))
        self.assertRegex(result.stdout, r"\ntotal +4 +6 +2 +0 ")

    def test_a_file_that_is_missing_is_a_failure_of_its_own(self):
        result = run("stats", "missing.pgn", str(self.file))
        self.assertEqual(result.returncode, 1)
        self.assertIn("aleph: cannot open missing.pgn: ", result.stderr)
        self.assertIn("games.pgn", result.stdout)

    def test_a_damaged_archive_gives_what_it_can(self):
        packed = self.file.with_suffix(".gz")
        packed.write_bytes(gzip.compress(GAMES.encode() * 5000)[:-30])
        result = run("stats", str(packed))
        self.assertEqual(result.returncode, 0)
        self.assertIn("cut short after", result.stderr)

    def test_wrong_usage(self):
        for words in ((), ("stats",), ("stat",), ("stats", "x", "--errors", "many"),
                      ("stats", "x", "--threads", "0")):
            with self.subTest(words=words):
                self.assertEqual(run(*words).returncode, 2)

    def test_help(self):
        self.assertIn("stats", run("--help").stdout)
        self.assertIn("--threads", run("stats", "--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
