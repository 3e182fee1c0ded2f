"""aleph suite with an engine that writes down what it is told.

    suite_command_test.py FOLDER      where the programs are
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAB = Path(sys.argv[1]) / "aleph-lab"
SUITE = ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"one\";\n"
         "7k/6pp/8/8/8/8/8/R5K1 w - - bm Ra8; id \"two\";\n")
ENGINE = """import sys
with open(sys.argv[1], "a") as journal:
    for line in sys.stdin:
        journal.write(line)
        journal.flush()
        word = line.split()[0] if line.split() else ""
        answer = {"uci": "uciok", "isready": "readyok",
                  "go": "info depth 1 score cp 500\\nbestmove a1a8"}.get(word)
        if answer:
            print(answer, flush=True)
        if word == "quit":
            break
"""


class SuiteTest(unittest.TestCase):
    def run_suite(self, folder, suite, *words):
        """The output, with the engine's command as {}."""
        (folder / "suite.epd").write_text(suite)
        (folder / "engine.py").write_text(ENGINE)
        command = f"cmd='{sys.executable}' '{folder}/engine.py' '{folder}/journal'"
        words = [word.replace("{}", command) for word in words]
        result = subprocess.run(
            [str(LAB), "suite", str(folder / "suite.epd"), "--nodes", "1", *words,
             "--engine", command], capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def told(self, *words):
        """What the engine heard, as the first words of its lines."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.assertIn("solved 2 of 2", self.run_suite(folder, SUITE, *words))
            lines = (folder / "journal").read_text().split("\n")
            return [line.split()[0] for line in lines if line.split()]

    def test_each_task_is_a_new_game(self):
        words = [word for word in self.told() if word in ("ucinewgame", "go")]
        self.assertEqual(words, ["ucinewgame", "go", "ucinewgame", "go"])

    def test_the_engine_may_remember(self):
        words = self.told("--keep-table")
        self.assertEqual(words.count("go"), 2)
        self.assertLess(words.count("ucinewgame"), 2)

    def test_a_judge_says_what_is_as_good(self):
        with tempfile.TemporaryDirectory() as name:
            output = self.run_suite(Path(name), SUITE.replace("bm Ra8", "bm Ra7", 1), "--verbose",
                                    "--judge", "{}", "--judge-nodes", "7")
            journal = (Path(name) / "journal").read_text()
        self.assertIn("answered a1a8, not solved, as good for the judge (+500 against +500)", output)
        self.assertIn("solved 1 of 2 (50.00 %), 1 other answers are as good: 2 (100.00 %)", output)
        self.assertIn("go nodes 7 searchmoves a1a8\n", journal)
        self.assertIn("go nodes 7 searchmoves a1a7\n", journal)


if __name__ == "__main__":
    if not LAB.exists():
        print("skipped: aleph-lab is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
