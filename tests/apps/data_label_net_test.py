"""aleph data label --net: labels against what aleph eval prints of the same positions.

    data_label_net_test.py FOLDER      where the programs are
"""

import json
import random
import re
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
PATIENCE = 300
POSITIONS = 200
SMALL = {"name": "small", "input": {"kind": "planes16"},
         "trunk": {"kind": "resnet", "channels": 16, "blocks": 1},
         "heads": [{"kind": "move4096", "channels": 4}, {"kind": "wdl", "channels": 4}]}
FINAL = re.compile(r"Final evaluation +(?:([-+]\d+\.\d\d) \(white side\).*|none \(in check\))")


def random_fens(count):
    """Kings and some pieces anywhere: about half of these are legal."""
    rng = random.Random(5)
    for _ in range(count):
        squares = rng.sample(range(64), 18)
        board = dict(zip(squares, "KkQqRrBbNn"))
        for square in squares[10:]:
            if 8 <= square < 56:
                board[square] = rng.choice("Pp")
        rows = ["".join(board.get(8 * row + file, "1") for file in range(8)) for row in range(8)]
        board_text = re.sub("1+", lambda ones: str(len(ones[0])), "/".join(rows))
        yield f"{board_text} {rng.choice('wb')} - - 0 1"


def final_value(lines):
    """Centipawns for White; nothing if in check."""
    found = next(match for match in map(FINAL.fullmatch, lines) if match)
    return None if found[1] is None else round(100 * float(found[1]))


class LabelByNetwork(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.positions = self.folder / "positions.epd"
        self.fens = list(random_fens(3 * POSITIONS))
        self.positions.write_text("\n".join(self.fens) + "\n")

    def label(self, out, *words, before=()):
        return subprocess.run([*before, str(LAB), "data", "label", "--in", str(self.positions),
                               "--out", str(self.folder / out), *map(str, words)],
                              capture_output=True, text=True, timeout=PATIENCE, check=False,
                              env=engine.environment())

    def sql(self, out, question):
        said = subprocess.run([str(LAB), "data", "sql", str(self.folder / out), question],
                              capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        return [line.split() for line in said.splitlines() if line[:1].isdigit()]

    def rows(self, out):
        """Of each position, by its line: the score for the side to move."""
        rows = self.sql(out, "SELECT game_id, scores[1], depths[1], move FROM rows")
        self.assertTrue(all(depth == "0" and move == "-" for _, _, depth, move in rows))
        return {int(line): int(score) for line, score, _, _ in rows}

    def require_network(self):
        if engine.NETWORK_FILE is None:
            self.skipTest(f"{engine.NETWORK} is not on this machine")

    def test_labels_are_what_eval_prints(self):
        self.require_network()
        words = ("--limit", POSITIONS, "--segment", "30")
        # By name and by path it is the same network, and the same rows.
        result = self.label("one", "--net", "nn-ad9b42354671", "--processes", "1", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, rf"network: {engine.NETWORK} from .*\n")
        self.assertRegex(result.stdout, rf"rows +{POSITIONS}\n")
        again = self.label("two", "--net", engine.NETWORK_FILE, "--processes", "2", *words)
        self.assertEqual(again.returncode, 0, again.stderr)
        rows = self.rows("one")
        self.assertEqual(rows, self.rows("two"))
        self.assertEqual(len(rows), POSITIONS)

        compared = 0
        with engine.Engine("uci") as conversation:
            for line, score in rows.items():
                fen = self.fens[line - 1]
                printed = final_value(conversation.ask(f"position fen {fen}", "eval",
                                                       answer=FINAL.pattern))
                if printed is None:
                    continue
                self.assertEqual(score, printed if " w " in fen else -printed, fen)
                if compared < 3:
                    said = engine.run("eval", "--net", str(engine.NETWORK_FILE), fen)
                    self.assertEqual(final_value(said.stdout.splitlines()), printed)
                compared += 1
        self.assertGreater(compared, POSITIONS // 2)

        settings = json.loads((self.folder / "one" / "dataset.json").read_text())["settings"]
        self.assertEqual(settings["network_name"], engine.NETWORK)
        self.assertTrue(settings["network"].startswith("ad9b42354671"))

    def test_labels_of_a_dense_network_are_what_policy_prints(self):
        description, network = self.folder / "small.json", self.folder / "small.safetensors"
        description.write_text(json.dumps(SMALL))
        made = engine.run("net", "new", str(description), str(network))
        self.assertEqual(made.returncode, 0, made.stderr)
        words = ("--net", network, "--top", "3", "--limit", "100")
        result = self.label("one", *words, "--processes", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("network: small from ", result.stdout)
        self.assertEqual(self.label("two", *words, "--processes", "2").returncode, 0)
        question = ("SELECT game_id, scores[1], move - policy_moves[1], policy_probabilities[1], "
                    "policy_probabilities[3] FROM rows")
        rows = self.sql("one", question)
        self.assertEqual(rows, self.sql("two", question))
        self.assertEqual(len(rows), 100)
        compared = 0
        for line, score, difference, first, third in rows:
            if difference == "-":  # the game is over
                continue
            self.assertEqual(difference, "0")
            if compared == 20:
                break
            said = engine.run("policy", "--net", str(network), "--json", self.fens[int(line) - 1])
            answer = json.loads(said.stdout)
            self.assertLessEqual(int(score) * (1 if answer["value"] < 0 else -1), 1)
            moves = [10_000 * move["probability"] for move in answer["moves"]] + [0, 0]
            self.assertAlmostEqual(int(first), moves[0], delta=1)
            self.assertAlmostEqual(int(third), moves[2], delta=1)
            compared += 1
        self.assertEqual(compared, 20)
        settings = json.loads((self.folder / "one" / "dataset.json").read_text())["settings"]
        self.assertEqual((settings["network_name"], settings["top"]), ("small", 3))

    def test_two_ranks(self):
        self.require_network()
        mpirun = shutil.which("mpirun")
        if mpirun is None:
            self.skipTest("mpirun is not installed (apt-get install libopenmpi-dev openmpi-bin)")
        words = ("--net", engine.NETWORK_FILE, "--segment", "10", "--processes", "1")
        result = self.label("ranks", *words, before=(mpirun, "--allow-run-as-root",
                                                     "--oversubscribe", "-n", "2"))
        if "built without MPI" in result.stderr:
            self.skipTest("aleph-lab was built without MPI")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.label("alone", *words).returncode, 0)
        self.assertEqual(self.rows("ranks"), self.rows("alone"))

    def test_wrong_words(self):
        for words in (("--engine", "x"), ("--depths", "1,2"), ("--nodes", "10"),
                      ("--movetime", "10"), ("--multipv", "2"), ("--option", "Hash=1")):
            result = self.label("x", "--net", engine.NETWORK, *words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"--net excludes {words[0]}\n", result.stderr)
        alone = self.label("x", "--top", "2")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("--top requires --net", alone.stderr)
        nobody = self.label("x")
        self.assertEqual(nobody.returncode, 2)
        self.assertIn("--engine or --net is required", nobody.stderr)

    def test_no_network(self):
        for network, sentence in ((self.positions, "positions.epd: this is not a Stockfish network"),
                                  ("nn-000000000000", "was not found in"),
                                  (self.folder / "x.nnue", "there is no network file")):
            result = self.label("x", "--net", network)
            self.assertEqual(result.returncode, 1)
            self.assertIn(sentence, result.stderr)
            # Two lines: that some positions are left out comes first.
            self.assertEqual(result.stderr.splitlines()[-1].count("aleph: "), 1)
            self.assertFalse((self.folder / "x").exists())


if __name__ == "__main__":
    if not LAB.exists():
        print("skipped: aleph-lab is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
