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
        answer = {"uci": "uciok", "isready": "readyok", "go": "bestmove a1a8"}.get(word)
        if answer:
            print(answer, flush=True)
        if word == "quit":
            break
"""


class SuiteTest(unittest.TestCase):
    def told(self, *words):
        """What the engine heard, as the first words of its lines."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "suite.epd").write_text(SUITE)
            (folder / "engine.py").write_text(ENGINE)
            command = f"cmd='{sys.executable}' '{folder}/engine.py' '{folder}/journal'"
            result = subprocess.run(
                [str(LAB), "suite", str(folder / "suite.epd"), "--nodes", "1", *words,
                 "--engine", command], capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("solved 2 of 2", result.stdout)
            lines = (folder / "journal").read_text().split("\n")
            return [line.split()[0] for line in lines if line.split()]

    def test_each_task_is_a_new_game(self):
        words = [word for word in self.told() if word in ("ucinewgame", "go")]
        self.assertEqual(words, ["ucinewgame", "go", "ucinewgame", "go"])

    def test_the_engine_may_remember(self):
        words = self.told("--keep-table")
        self.assertEqual(words.count("go"), 2)
        self.assertLess(words.count("ucinewgame"), 2)


if __name__ == "__main__":
    if not LAB.exists():
        print("skipped: aleph-lab is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
