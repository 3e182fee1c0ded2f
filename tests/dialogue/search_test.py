"""What searches say is true: every line legal, every mate a mate, no node too many.

    search_test.py FOLDER      where the programs are
"""

import random
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine  # noqa: E402
from judge import Judge  # noqa: E402
from rules import START, Board, chess960_start  # noqa: E402

ANSWER = "bestmove .*"

MATES = (  # FEN, moves to mate, side to move wins
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("3r1r1k/1p3p1p/p2p4/4n1NN/6bQ/1BPq4/P3p1PP/1R5K w - - 0 1", 3),
    ("8/8/8/8/8/5K2/8/5k1R b - - 0 1", None),
    ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", -1),
    ("8/8/8/8/8/1K6/8/k1Q5 b - - 0 1", None),
    ("k7/8/2K5/8/8/8/8/7Q w - - 0 1", None),
    ("8/8/8/8/3k4/8/1R6/R5K1 w - - 0 1", None),
)


def random_game(seed, fen=START, chess960=False, most=120):
    """The moves of a game of random length, which is not over."""
    numbers = random.Random(seed)
    board, moves = Board(fen, chess960), []
    for _ in range(numbers.randrange(most)):
        move = numbers.choice(board.moves())
        after = board.copy()
        after.make(move)
        if after.is_over():
            break
        board = after
        moves.append(move)
    return board, moves


class SearchCase(unittest.TestCase):
    def setUp(self):
        self.problems = []
        self.engine = self.enterContext(engine.Engine())

    def search(self, judge, limits):
        lines = self.engine.ask(judge.command, f"go {limits}", answer=ANSWER)
        infos = judge.read_search(lines)
        self.problems += judge.problems
        judge.problems = []
        return infos

    def check(self):
        self.assertFalse(self.problems, "\n" + "\n".join(self.problems))


class Searches(SearchCase):
    def test_random_positions(self):
        numbers = random.Random(1)
        for seed in range(100):
            board, moves = random_game(seed)
            judge = Judge(board.fen()) if seed % 2 else Judge(START, moves)
            limits = numbers.choice((f"depth {numbers.randrange(1, 9)}", "movetime 5",
                                     f"nodes {numbers.randrange(1, 3000)}", "wtime 50 btime 50"))
            self.search(judge, limits)
        self.check()

    def test_random_positions_with_threads(self):
        self.engine.send("setoption name Threads value 3", "setoption name Hash value 2")
        for seed in range(100, 115):
            self.search(Judge(START, random_game(seed)[1]), "nodes 2000" if seed % 2 else "depth 6")
        self.check()

    def test_chess960(self):
        self.engine.send("setoption name UCI_Chess960 value true")
        for number in range(0, 960, 61):
            fen = chess960_start(number)
            _, moves = random_game(number, fen, chess960=True, most=30)
            self.search(Judge(fen, moves, chess960=True), "depth 6")
        self.check()

    def test_lines_end_where_the_game_ends(self):
        shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
        for moves in (shuffle, shuffle + shuffle[:2], shuffle + shuffle[:3], shuffle * 2):
            self.search(Judge(START, moves), "depth 7")
        for clock in (90, 97, 98, 99):
            self.search(Judge(f"4k3/8/8/8/8/8/3r4/R3K3 w - - {clock} 80"), "depth 9")
        for fen in ("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1", "7k/8/8/8/8/8/1n6/K1B5 w - - 0 1",
                    "7k/7p/8/8/8/8/8/K1B5 w - - 0 1"):
            self.search(Judge(fen), "depth 9")
        self.check()

    def test_mates(self):
        for fen, moves in MATES:
            infos = self.search(Judge(fen), f"mate {abs(moves)}" if moves else "depth 12")
            last = infos[-1]
            if moves is not None:
                self.assertEqual((last["kind"], int(last["score"])), ("mate", moves), last[0])
        self.check()

    def test_mates_with_a_table_that_knows_them(self):
        for fen, _ in MATES[:5]:
            for _ in range(3):
                self.search(Judge(fen), "depth 10")
            board = Board(fen)
            board.make(self.engine.lines[-1].split()[1])
            self.search(Judge(board.fen()), "depth 10")
        self.check()

    def test_nodes_are_kept_to_the_last(self):
        judge = Judge("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
        for nodes in (*range(1, 60), *range(60, 4000, 131), 20_000):
            if nodes % 2:
                self.engine.send("ucinewgame")
            last = self.search(judge, f"nodes {nodes}")[-1]
            if int(last["nodes"]) != nodes:
                self.problems.append(f"{last['nodes']} nodes instead of {nodes}: {last[0]}")
        self.check()

    def test_the_same_search_twice(self):
        def once():
            self.engine.send("ucinewgame")
            return [info.group("depth", "score", "nodes", "pv")
                    for info in self.search(Judge(START), "depth 9")]
        self.assertEqual(once(), once())

    def test_movetime(self):
        self.engine.synchronise()
        self.engine.send("setoption name Move Overhead value 0")
        last = self.search(Judge(START), "movetime 150")[-1]
        self.assertGreaterEqual(int(last["time"]), 100)
        self.assertLess(int(last["time"]), 10_000)

    def test_a_long_game(self):
        shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 1000
        self.engine.send("position startpos moves " + " ".join(shuffle))
        lines = self.engine.ask("go depth 5", answer=ANSWER)
        judge = Judge(START, shuffle[:8])
        judge.read_search(lines)
        self.assertEqual(judge.problems, [])


class Strength(SearchCase):
    def setUp(self):
        super().setUp()
        self.engine.send("setoption name UCI_LimitStrength value true")

    def test_weak_players_say_the_truth(self):
        for seed, elo in enumerate((1320, 1500, 1800, 2200, 2600, 3000, 3190)):
            self.engine.send(f"setoption name UCI_Elo value {elo}")
            for number in range(3):
                judge = Judge(START, random_game(10 * seed + number)[1])
                self.search(judge, "wtime 9999 btime 9999")
        self.check()

    def test_a_weak_player_does_not_always_play_the_same(self):
        self.engine.send("setoption name UCI_Elo value 1700")
        played = set()
        for _ in range(30):
            self.engine.send("ucinewgame")
            self.search(Judge(START), "wtime 9999 btime 9999")
            played.add(self.engine.lines[-1].split()[1])
        self.check()
        self.assertGreater(len(played), 1, played)


class MultiPv(SearchCase):
    def test_lines_are_distinct_and_ordered(self):
        blocks = 0
        for seed, count in enumerate((2, 3, 4, 7, 20, 256, 3, 5, 3, 2)):
            self.engine.send(f"setoption name MultiPV value {count}")
            judge = Judge(START, random_game(seed)[1])
            blocks += judge.read_blocks(self.search(judge, "depth 6"), count)
            self.problems += judge.problems
        self.check()
        self.assertGreaterEqual(blocks, 60)

    def test_lines_of_a_search_that_is_stopped(self):
        self.engine.send("setoption name MultiPV value 4")
        for nodes in range(1, 2000, 67):
            self.search(Judge(START), f"nodes {nodes}")
        self.check()

    def test_mates_among_the_lines(self):
        self.engine.send("setoption name MultiPV value 3")
        for fen, _ in MATES:
            self.search(Judge(fen), "depth 8")
        self.check()


if __name__ == "__main__":
    engine.require_network()
    unittest.main(argv=sys.argv[:1])
