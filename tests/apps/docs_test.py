"""What the documents say about the programs is what the programs say.

    docs_test.py FOLDER      where the programs are
"""

import subprocess
import sys
import unittest
from pathlib import Path

FOLDER = Path(sys.argv[1])
ROOT = Path(__file__).resolve().parents[2]


def run(program, *words):
    return subprocess.run([str(FOLDER / program), *words], capture_output=True, text=True,
                          timeout=60, stdin=subprocess.DEVNULL, check=True).stdout


def commands(program):
    listed = run(program, "help").split("Commands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in listed]


class Documents(unittest.TestCase):
    def test_the_options_are_those_of_the_engine(self):
        text = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        self.assertEqual(text, run("aleph", "options"), "run: aleph options > docs/options.md")

    def test_the_readme_has_every_command(self):
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        for program in ("aleph", "aleph-lab", "aleph-train"):
            if not (FOLDER / program).exists():
                continue
            for name in commands(program):
                with self.subTest(program=program, command=name):
                    self.assertRegex(text, rf"`aleph {name}\b" if name != "uci" else "speaks UCI")

    @unittest.skipUnless((FOLDER / "aleph-lab").exists(), "aleph-lab is not built")
    def test_the_page_about_matches_has_every_option(self):
        text = (ROOT / "docs" / "5-match.md").read_text(encoding="utf-8")
        for line in run("aleph-lab", "match", "--help").splitlines():
            if line.startswith("  --"):
                with self.subTest(option=line.split()[0]):
                    self.assertIn(line.split()[0], text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
