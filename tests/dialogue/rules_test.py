"""The rules and judges that other tests believe in (rules.py, judge.py, engine.py) are right."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
from judge import Judge  # noqa: E402
from engine import SCORE_INFO, Grammar  # noqa: E402
from rules import START, Board, chess960_start, perft  # noqa: E402

# Numbers of the Chess Programming Wiki and of Stockfish's tests.
COUNTS = (
    (START, 3, 8_902),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2_039),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2_812),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1_486),
    ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", 3, 14_569),
    ("rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9", 2, 916),
    ("rr6/2kpp3/1ppnb1p1/p4q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 b E - 1 20", 2, 1_177),
)


class Rules(unittest.TestCase):
    def test_perft(self):
        for fen, depth, count in COUNTS:
            with self.subTest(fen=fen):
                self.assertEqual(perft(Board(fen, chess960=True), depth), count)

    def test_both_ways_to_write_castling(self):
        fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
        self.assertTrue({"e1g1", "e1c1"} < set(Board(fen).moves()))
        self.assertTrue({"e1h1", "e1a1"} < set(Board(fen, chess960=True).moves()))
        self.assertEqual(len(Board(fen).moves()), len(Board(fen, chess960=True).moves()))

    def test_ends_of_games(self):
        self.assertFalse(Board().is_over())
        for fen, mate in (("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", True),
                          ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", False),
                          ("7k/8/6K1/8/8/8/8/8 b - - 0 1", False),
                          ("7k/8/6K1/8/8/8/8/6B1 b - - 0 1", False),
                          ("7k/8/6KR/8/8/8/8/8 b - - 100 1", False)):
            with self.subTest(fen=fen):
                self.assertTrue(Board(fen).is_over())
                self.assertEqual(Board(fen).is_mate(), mate)
        board = Board()
        for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
            self.assertFalse(board.is_over())
            board.make(move)
        self.assertTrue(board.is_over())

    def test_a_fen_comes_back(self):
        board = Board("r3k2r/8/8/8/1p6/8/P7/R3K2R w HAha - 3 1")
        board.make("a2a4")
        self.assertEqual(board.fen(), "r3k2r/8/8/8/Pp6/8/8/R3K2R b HAha a3 0 1")
        self.assertEqual(chess960_start(518).split()[0], START.split()[0])


def info(score="cp 10", line="", depth=1, number=1, nodes=1):
    return (f"info depth {depth} seldepth 1 multipv {number} score {score} nodes {nodes} nps 1 "
            f"hashfull 0 tbhits 0 time 1{line and ' pv ' + line}")


class Judges(unittest.TestCase):
    """Who watches the watchmen."""

    def problems(self, fen, text, answer="bestmove a2a3"):
        judge = Judge(fen)
        judge.read_search([text, answer])
        return judge.problems

    def test_lines(self):
        self.assertEqual(self.problems(START, info(line="e2e4 e7e5")), [])
        for line, answer in (("e2e5", "bestmove a2a3"), ("e2e4 e2e4", "bestmove a2a3"),
                             ("", "bestmove a2a3"), ("e2e4", "bestmove e2e5"),
                             ("e2e4", "bestmove e2e4 ponder e2e4"), ("e2e4", "bestmove (none)"),
                             ("f2f3 e7e5 g2g4 d8h4 a2a3", "bestmove a2a3")):
            with self.subTest(line=line, answer=answer):
                self.assertEqual(len(self.problems(START, info(line=line), answer)), 1)

    def test_mates(self):
        fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
        answer = "bestmove d1d8"
        self.assertEqual(self.problems(fen, info("mate 1", "d1d8"), answer), [])
        self.assertEqual(self.problems(fen, info("mate 2 lowerbound", "d1d8"), answer), [])
        for score, line in (("mate 2", "d1d8"), ("mate 1", "d1d7"), ("mate -1", "d1d7 h7h6"),
                            ("mate 0", "d1d8")):
            with self.subTest(score=score, line=line):
                self.assertEqual(len(self.problems(fen, info(score, line), answer)), 1)

    def test_several_lines(self):
        def blocks(*lines):
            judge = Judge(START)
            judge.read_blocks([SCORE_INFO.fullmatch(line) for line in lines], 2)
            return len(judge.problems)
        best, last = info("cp 30", "e2e4"), info("cp 30", "e2e4", 2)
        self.assertEqual(blocks(best, info("cp 20", "d2d4", number=2), last), 0)
        self.assertEqual(blocks(best, info("cp 40", "d2d4", number=2), last), 1)
        self.assertEqual(blocks(best, info("mate 4", "d2d4", number=2), last), 1)
        self.assertEqual(blocks(best, info("cp 20", "e2e4 e7e5", number=2), last), 1)
        self.assertEqual(blocks(best, info("cp 20", "d2d4", number=3), last), 1)

    def test_grammar(self):
        def problems(*lines):
            grammar = Grammar()
            for line in lines:
                grammar.read(line)
            return len(grammar.problems)
        good = info(line="e2e4 e7e5")
        self.assertEqual(problems("id name x", good, "bestmove e2e4 ponder e7e5", "readyok"), 0)
        self.assertEqual(problems(info("mate 0"), "bestmove (none)"), 0)
        for lines in (("bestmove e2e4",), (good, "bestmove d2d4"), (good, "bestmove (none)"),
                      (good, "bestmove e2e4 ponder e7e6"), (good, "bestmove e2e4", "bestmove e2e4"),
                      (good, "bestmove"), (good.replace("cp 10", "cp 1.5"),),
                      (good.replace("nps 1", "nps inf"),), (good.replace("time 1", "time -1"),),
                      (good + " ",), (info(nodes=9), good), ("info depth 1",), ("a\x1bb",),
                      (good.replace("nodes", "wdl 1 2 3 nodes"),)):
            with self.subTest(lines=lines):
                self.assertEqual(problems(*lines), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
