"""The whole road of an NNUE network, with the real parts: games, positions labelled by another network,
training, and Debian's Stockfish, which must read the file and say what Aleph says of it.

    train_nnue_test.py FOLDER      where the programs are
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(sys.argv[1]).resolve()
ALEPH, LAB, TRAIN = FOLDER / "aleph", FOLDER / "aleph-lab", FOLDER / "aleph-train"
STOCKFISH = Path("/usr/games/stockfish")
VALUE = re.compile(r"(?m)^NNUE evaluation +([-+]\d+\.\d\d) \(white side\)")

GAMES = """[Event "one"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0

[Event "two"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. e4 d6 6. Be2 e5 7. O-O Nc6 8. d5 Ne7 1/2-1/2

"""
# As wide as Stockfish 15.1's own, so that Debian's program takes it.
CONFIG = """kind: nnue
width: 1024
data: {folder: labels}
validation: {folder: labels, positions: 50}
batch: 64
epochs: 2
rate: {peak: 0.01, warmup: 1}
threads: 1
out: run
"""
FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
)


class TrainNnue(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def run_in_folder(self, *words, text=None):
        result = subprocess.run([str(word) for word in words], cwd=self.folder, input=text,
                                capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def trained(self):
        (self.folder / "games.pgn").write_text(GAMES)
        (self.folder / "run.yml").write_text(CONFIG)
        self.run_in_folder(LAB, "data", "build", "--pgn", "games.pgn", "--schema", "policy",
                           "--out", "moves")
        self.run_in_folder(TRAIN, "train", "nnue-baseline", ".")
        (teacher,) = self.folder.glob("nn-*.nnue")
        self.run_in_folder(LAB, "data", "neighbours", "--in", "moves", "--out", "labels",
                           "--net", teacher, "--count", "5")
        self.run_in_folder(TRAIN, "train", "run.yml")
        (network,) = (self.folder / "run").glob("nn-*.nnue")
        return network

    def test_stockfish_reads_what_was_trained_and_agrees_with_aleph(self):
        network = self.trained()
        self.assertIn("1024", self.run_in_folder(ALEPH, "net", "info", network))
        if not STOCKFISH.exists():
            self.skipTest(f"{STOCKFISH} is not installed")
        talk = [f"setoption name EvalFile value {network}"]
        for fen in FENS:
            talk += [f"position fen {fen}", "eval"]
        said = self.run_in_folder(STOCKFISH, text="\n".join([*talk, "quit", ""]))
        theirs = VALUE.findall(said)
        self.assertEqual(len(theirs), len(FENS), said)
        self.assertGreater(len(set(theirs)), 1)
        ours = [VALUE.search(self.run_in_folder(ALEPH, "eval", fen, "--net", network)).group(1)
                for fen in FENS]
        self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
