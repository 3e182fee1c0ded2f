"""Commands at bad moments, rubbish, ends of all kinds: one answer per search, no crash, no hang.

    races_test.py FOLDER      where the programs are
"""

import random
import resource
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine  # noqa: E402

ANSWER = "bestmove .*"
PAIRS = 200
GARBAGE_LINES = 10_000

WORDS = ("uci isready setoption name value Hash Threads MultiPV Ponder true false EvalFile Minimal "
         "UCI_Chess960 UCI_ShowWDL Clear ucinewgame position startpos fen moves e2e4 e7e5 g1f3 "
         "e1g1 a7a8q 0000 go depth nodes movetime wtime btime winc binc movestogo mate infinite "
         "ponder searchmoves stop ponderhit d print eval compiler 0 1 2 3 -1 "
         "8/8/8/4k3/8/8/4P3/4K3 w b - KQkq").split()


class Stops(unittest.TestCase):
    def check_pairs(self, *options, commands=("go infinite",), ends=("stop",), pause=0.0):
        numbers = random.Random(7)
        with engine.Engine() as aleph:
            aleph.send(*options)
            aleph.synchronise()
            for _ in range(PAIRS):
                aleph.send(numbers.choice(commands))
                if pause:
                    time.sleep(numbers.random() * pause)
                aleph.send(numbers.choice(ends))
                aleph.until(ANSWER)
            aleph.synchronise()
            aleph.end()
            self.assertEqual(aleph.count(ANSWER), PAIRS)

    def test_pairs_one_after_the_other(self):
        self.check_pairs()

    def test_pairs_with_pauses(self):
        self.check_pairs(pause=0.004)

    def test_pairs_with_threads(self):
        self.check_pairs("setoption name Threads value 2", "setoption name Hash value 4")

    def test_stop_at_about_the_time_the_search_ends(self):
        self.check_pairs(commands=("go depth 1", "go depth 3", "go nodes 50", "go movetime 1"),
                         ends=("stop", "stop\nstop", "stop\nisready"), pause=0.002)

    def test_ponder(self):
        self.check_pairs(commands=("go ponder wtime 20 btime 20", "go ponder depth 2",
                                   "go ponder movetime 1"),
                         ends=("ponderhit", "stop", "ponderhit\nstop", "stop\nponderhit"),
                         pause=0.002)

    def test_all_pairs_in_one_piece(self):
        with engine.Engine() as aleph:
            aleph.send(*("go infinite", "stop") * PAIRS, "isready")
            for _ in range(PAIRS):
                aleph.until(ANSWER)
            aleph.synchronise()
            aleph.end()
            self.assertEqual(aleph.count(ANSWER), PAIRS)

    def test_go_after_go(self):
        with engine.Engine() as aleph:
            aleph.send(*("go infinite", "position startpos moves e2e4", "go depth 3") * 50)
            for _ in range(100):
                aleph.until(ANSWER)
            aleph.synchronise()
            aleph.end()
            self.assertEqual(aleph.count(ANSWER), 100)

    def test_options_between_searches(self):
        with engine.Engine() as aleph:
            for number in range(30):
                aleph.send("go infinite", f"setoption name Threads value {1 + number % 3}",
                           f"setoption name Hash value {1 + number % 4}", "isready", "stop")
                if number % 3 == 0:
                    aleph.send("ucinewgame", "setoption name Clear Hash")
                aleph.until(ANSWER)
            aleph.end()
            self.assertEqual(aleph.count(ANSWER), 30)


class Ends(unittest.TestCase):
    def end_at_random_moments(self, command):
        numbers = random.Random(3)
        for number in range(15):
            with engine.Engine() as aleph:
                aleph.send("setoption name Hash value 1",
                           f"setoption name Threads value {1 + number % 2}")
                if number % 3:
                    aleph.synchronise()
                aleph.send(numbers.choice(("go infinite", "go ponder wtime 9", "go nodes 9")))
                time.sleep(numbers.random() * 0.02)
                aleph.end(command)
                self.assertLessEqual(aleph.count(ANSWER), 1)

    def test_quit(self):
        self.end_at_random_moments("quit")

    def test_end_of_the_input(self):
        self.end_at_random_moments(None)

    def test_a_last_line_without_an_end(self):
        with engine.Engine() as aleph:
            aleph.send_bytes(b"uci")
            aleph.end(None)
            self.assertEqual(aleph.count("uciok"), 1)

    def test_a_gui_that_is_gone(self):
        """Nobody reads any more: the engine must not live on."""
        process = subprocess.Popen([str(engine.program())], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, env=engine.environment())
        process.stdin.write(b"isready\n")
        process.stdin.flush()
        while process.stdout.readline() not in (b"readyok\n", b""):
            pass
        process.stdout.close()
        try:
            process.stdin.write(b"go movetime 10\nisready\nuci\n")
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait(engine.PATIENCE)

    def test_threads_that_find_no_memory(self):
        """As on a small machine: the engine says so and goes on with fewer."""
        space = 3 << 30
        probe = subprocess.run([str(engine.program()), "isready"], capture_output=True, check=False,
                               preexec_fn=lambda: limit_memory(space), env=engine.environment())
        if probe.returncode != 0:
            self.skipTest("a sanitizer needs all the addresses there are")
        process = subprocess.run(
            [str(engine.program())], text=True, capture_output=True, timeout=engine.PATIENCE,
            input="isready\nsetoption name Threads value 1024\nisready\n"
                  "setoption name Threads value 1\ngo nodes 100\nwait\nquit\n",
            preexec_fn=lambda: limit_memory(space), env=engine.environment(), check=False)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertEqual(process.stdout.count("readyok\n"), 2)
        self.assertRegex(process.stdout, r"info string .*Threads.*")
        self.assertEqual(process.stdout.count("\nbestmove "), 1)


def limit_memory(space):
    resource.setrlimit(resource.RLIMIT_AS, (space, space))


class Rubbish(unittest.TestCase):
    def setUp(self):
        self.engine = self.enterContext(engine.Engine())
        self.engine.synchronise()

    def test_random_bytes(self):
        numbers = random.Random(1)
        lines = (numbers.randbytes(numbers.randrange(1, 80)).replace(b"\n", b" ")
                 for _ in range(GARBAGE_LINES))
        self.engine.send_bytes(b"\n".join(lines) + b"\n")
        self.engine.synchronise()
        self.assertEqual(self.engine.count(ANSWER), 0)

    def test_random_words(self):
        """Known words in any order. The numbers are small, so nothing takes long."""
        numbers = random.Random(2)
        for start in range(0, GARBAGE_LINES, 500):
            lines = [" ".join(numbers.choices(WORDS, k=numbers.randrange(1, 9)))
                     for _ in range(500)]
            self.engine.send(*lines)
            self.engine.synchronise()
            self.assertEqual(self.engine.grammar.problems, [], f"from line {start}")

    def test_damaged_commands(self):
        numbers = random.Random(3)
        commands = ("position fen r3k2r/p1ppqpb1/bn2pnp1/3P4/1p2P3/2N5/PPPBB1PP/R3K2R w KQkq - 0 1",
                    "position startpos moves e2e4 e7e5 g1f3 b8c6", "setoption name MultiPV value 3",
                    "setoption name UCI_Chess960 value true", "go depth 1 searchmoves e2e4")
        lines = []
        for _ in range(GARBAGE_LINES // 4):
            text = bytearray(numbers.choice(commands).encode())
            for _ in range(numbers.randrange(1, 4)):
                text[numbers.randrange(len(text))] = numbers.choice(b"/pPkKqQ1 8wb-09eax\x00\xff\t")
            lines.append(bytes(text))
        self.engine.send_bytes(b"\n".join(lines) + b"\n")
        self.engine.send("stop")
        self.engine.synchronise()

    def test_a_very_long_line(self):
        for line in ("x" * (1 << 20), "position startpos moves " + "e2e4 " * 100_000,
                     "position fen " + "8/" * 100_000, "setoption name " + "a " * 100_000,
                     "setoption name EvalFile value " + "f" * 100_000,
                     "go searchmoves " + "e2e4 " * 100_000 + "depth 2"):
            self.engine.send(line)
            self.engine.synchronise()
        longest = max(map(len, self.engine.lines))
        self.assertLess(longest, 1000, "an error message must not be as long as the input")
        self.engine.send("stop", "setoption name EvalFile value", "go depth 2")
        self.engine.until(ANSWER)


if __name__ == "__main__":
    engine.require_network()
    unittest.main(argv=sys.argv[:1])
