"""aleph data build, label and gen, killed again and again, and shared by several processes.

    data_resume_test.py FOLDER      where the programs are
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dialogue"))
import engine  # noqa: E402

LAB = Path(sys.argv[1]) / "aleph-lab"
PATIENCE = 600
# Says a score made of the position, and always plays e1f1.
ENGINE = """
while read -r line; do
  case "$line" in
    uci) printf 'id name Script\\nuciok\\n' ;;
    isready) echo readyok ;;
    position*) fen="$line" ;;
    go*)
      sleep 0.02
      sum=$(printf %s "$fen" | cksum)
      echo "info depth 3 score cp $((${sum%% *} % 500)) pv e1f1"
      echo "bestmove e1f1" ;;
    quit) exit 0 ;;
  esac
done
"""


def pawn_fens(count):
    """King and pawn against king: two hundred and forty positions, then the same again."""
    for i in range(count):
        file, rank, king = i % 8, 2 + i // 8 % 5, i // 40 % 6
        rows = [f"{king or ''}k{7 - king or ''}", *["8"] * 6, "4K3"]
        rows[8 - rank] = f"{file or ''}P{7 - file or ''}"
        yield "/".join(rows) + " w - -"


def game(number):
    moves = ["e4 e5 2. Nf3 Nc6 3. Bb5 a6", "d4 Nf6 2. c4 e6 3. Nc3 Bb4", "c4 c5 2. Nf3 Nf6 3. Nc3 d5"]
    return (f'[White "w{number}"]\n[WhiteElo "{1000 + number % 1500}"]\n[BlackElo "1800"]\n'
            f'[Result "1-0"]\n\n1. {moves[number % 3]} 1-0\n\n')


class ResumeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, words, before=()):
        return subprocess.Popen([*before, str(LAB), "data", *map(str, words)],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=engine.environment())

    def data(self, *words, before=()):
        with self.start(words, before) as process:
            output, errors = process.communicate(timeout=PATIENCE)
            return subprocess.CompletedProcess(words, process.returncode, output, errors)

    def succeed(self, *words, before=()):
        result = self.data(*words, before=before)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def kill_twenty_times(self, words, out, longest, check):
        """Starts and kills until that has happened twenty times, then lets the work end. Work that
        ends before its kill is checked, and begun anew."""
        moments = random.Random(1)
        killed = 0
        while killed < 20:
            with self.start((*words, out)) as process:
                try:
                    _, errors = process.communicate(timeout=moments.uniform(0, longest))
                    self.assertEqual(process.returncode, 0, errors)
                    check(out)
                    shutil.rmtree(out)
                except subprocess.TimeoutExpired:
                    killed += 1
                    process.kill()
                    process.communicate()
        said = self.succeed(*words, out)
        check(out)
        return said

    def rows(self, folder):
        return self.succeed("sql", folder, "SELECT * FROM rows")

    def check_same_rows(self, out):
        self.assertEqual(self.rows(out), self.rows(self.folder / "whole"))
        self.assertFalse((out / "segments").exists())

    def check_same_bytes(self, out):
        names = sorted(os.listdir(out))
        self.assertEqual(names, sorted(os.listdir(self.folder / "whole")))
        for name in names:
            self.assertEqual((out / name).read_bytes(), (self.folder / "whole" / name).read_bytes(),
                             name)


class Build(ResumeTest):
    def test_killed_at_twenty_moments(self):
        pgn = self.folder / "games.pgn"
        pgn.write_text("".join(game(i) for i in range(40_000)))
        words = ("build", "--pgn", pgn, "--split", "train=0.9,test=0.1")
        self.succeed(*words, "--workers", "1", "--out", self.folder / "whole")
        self.kill_twenty_times((*words, "--workers", "2", "--out"), self.folder / "parts", 0.5,
                               self.check_same_bytes)


class Label(ResumeTest):
    def setUp(self):
        super().setUp()
        script, positions = self.folder / "engine.sh", self.folder / "positions.epd"
        script.write_text(ENGINE)
        positions.write_text("\n".join(pawn_fens(300)) + "\n")
        self.words = ("label", "--in", positions, "--engine", f"sh '{script}'", "--depths", "1,4",
                      "--segment", "7", "--out")
        self.succeed(*self.words, self.folder / "whole", "--processes", "1")

    def test_killed_at_twenty_moments(self):
        words = (*self.words[:-1], "--processes", "2", "--out")
        said = self.kill_twenty_times(words, self.folder / "parts", 0.6, self.check_same_rows)
        self.assertRegex(said, r"positions +300\nrows +300\n")

    def test_two_ranks(self):
        mpirun = shutil.which("mpirun")
        if mpirun is None:
            self.skipTest("mpirun is not installed (apt-get install libopenmpi-dev openmpi-bin)")
        before = (mpirun, "--allow-run-as-root", "--oversubscribe", "-n", "2")
        result = self.data(*self.words, self.folder / "ranks", "--processes", "1", before=before)
        if "built without MPI" in result.stderr:
            self.skipTest("aleph-lab was built without MPI")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"rows +300\n")
        self.assertEqual(self.rows(self.folder / "ranks"), self.rows(self.folder / "whole"))

    def test_wrong_words(self):
        nothing = self.data(*self.words[:-5], "--out", self.folder / "x")
        self.assertEqual(nothing.returncode, 2)
        self.assertIn("--depths, --nodes or --movetime", nothing.stderr)
        missing = self.data("label", "--in", self.folder / "positions.epd", "--engine",
                            "/nonexistent/engine", "--nodes", "10", "--out", self.folder / "x")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("/nonexistent/engine", missing.stderr)


class Generate(ResumeTest):
    def test_killed_at_twenty_moments(self):
        if engine.NETWORK_FILE is None:
            self.skipTest(f"{engine.NETWORK} is not on this machine")
        words = ("gen", "--games", "24", "--nodes", "1000", "--seed", "7", "--segment", "2",
                 "--maxmoves", "60", "--net", engine.NETWORK_FILE)
        self.succeed(*words, "--threads", "1", "--out", self.folder / "whole")
        parts = self.folder / "parts"
        said = self.kill_twenty_times((*words, "--threads", "2", "--out"), parts, 1.5,
                                      self.check_same_rows)
        self.assertRegex(said, r"games +24\n")
        self.assertIn(" 0 bad", self.succeed("validate", parts))
        self.assertRegex(self.succeed("stats", parts), r"schema +score|score rows|Scores")


if __name__ == "__main__":
    if not LAB.exists():
        print("skipped: aleph-lab is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
