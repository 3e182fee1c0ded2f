"""UCI commands as arguments of the program, and bench in all its ways.

    arguments_test.py FOLDER      where the programs are
"""

import re
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine  # noqa: E402
from engine import run  # noqa: E402

BENCH = "16 1 8"
SUMMARY = re.compile(r"(\d+) nodes (\d+) nps")


class Arguments(unittest.TestCase):
    def lines(self, *words, text=""):
        result = run(*words, text=text)
        self.assertEqual((result.returncode, result.stderr), (0, ""), words)
        return result.stdout.splitlines()

    def test_one_search(self):
        lines = self.lines("go depth 5")
        self.assertRegex(lines[-1], engine.ANSWER)
        self.assertTrue(any(line.startswith("info depth 5 ") for line in lines))

    def test_every_argument_is_a_line(self):
        lines = self.lines("setoption name MultiPV value 2", "position startpos moves e2e4", "fen",
                           "go depth 3", "go depth 4")
        self.assertTrue(lines[0].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"))
        self.assertEqual(sum(line.startswith("bestmove") for line in lines), 2)
        self.assertTrue(any(re.match(r"info depth 4 .* multipv 2 ", line) for line in lines))

    def test_the_input_is_not_read(self):
        lines = self.lines("go depth 1", text="uci\ngo depth 2\n")
        self.assertEqual(sum(line.startswith("bestmove") for line in lines), 1)
        self.assertNotIn("uciok", lines)

    def test_quit_ends_it(self):
        lines = self.lines("isready", "quit", "uci")
        self.assertEqual(lines[-1], "readyok")

    def test_the_standard_commands(self):
        self.assertEqual(self.lines("isready", "uci")[-1], "uciok")
        self.assertIn("Nodes searched: 400", self.lines("go perft 2"))
        self.assertTrue(self.lines("d")[-1].startswith("Key: "))
        self.assertEqual(self.lines("position startpos", "fen")[-1][-12:], "w KQkq - 0 1")
        self.assertEqual(self.lines("compiler", "compiler")[0], self.lines("compiler")[0])

    def test_uci_reads_the_input(self):
        self.assertEqual(self.lines("uci", text="isready\nquit\nuci\n")[-1], "readyok")
        self.assertEqual(self.lines(text="isready\nquit\nuci\n")[-1], "readyok")

    def test_what_is_no_command(self):
        for words in (("castle",), ("castle", "go depth 1"), ("go-depth",), ("",)):
            result = run(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertTrue(result.stderr.startswith("aleph: "), words)

    def test_an_unknown_line_after_a_known_one(self):
        lines = self.lines("isready", "castle", "go depth 1")
        self.assertTrue(any(line.startswith("info string unknown command") for line in lines))
        self.assertRegex(lines[-1], engine.ANSWER)


class Bench(unittest.TestCase):
    def typed(self, aleph, *before):
        lines = aleph.ask(*before, f"bench {BENCH}", answer=SUMMARY.pattern)
        return SUMMARY.fullmatch(lines[-1])[1]

    def test_the_number_is_always_the_same(self):
        results = [run("bench", *BENCH.split()) for _ in range(2)]
        for result in results:
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        numbers = [SUMMARY.fullmatch(result.stdout.splitlines()[-1])[1] for result in results]
        with engine.Engine() as aleph:
            numbers.append(self.typed(aleph))
            numbers.append(self.typed(aleph))
            # Nothing that was set, searched or learned before matters.
            aleph.ask("go nodes 20000", answer="bestmove .*")
            numbers.append(self.typed(
                aleph, "setoption name Hash value 1", "setoption name Threads value 2",
                "setoption name MultiPV value 3", "setoption name UCI_Chess960 value true",
                "position startpos moves e2e4 e7e5"))
        self.assertEqual(set(numbers), {numbers[0]})
        self.assertGreater(int(numbers[0]), 1000)

    def test_openbench_finds_its_numbers(self):
        """The way its client reads them: all output, last lines first, punctuation as blanks."""
        output = run("bench", "16", "1", "2").stdout
        lines = [re.sub(r"[^a-zA-Z0-9 ]+", " ", line) for line in output.strip().split("\n")[::-1]]
        nodes = next(m for m in (re.search(r"(\d+) nodes", line) for line in lines) if m)
        speed = next(m for m in (re.search(r"(\d+) nps", line) for line in lines) if m)
        self.assertEqual((nodes[1], speed[1]), SUMMARY.fullmatch(output.splitlines()[-1]).groups())

    def test_wrong_words(self):
        for words in (("x",), ("16", "0"), ("16", "1", "-3"), ("16", "1", "2", "/no/such/file"),
                      ("16", "1", "2", "default", "sometime"), ("--no-such-option",)):
            result = run("bench", *words)
            self.assertIn(result.returncode, (1, 2), words)
            self.assertEqual(result.stdout, "", words)
            self.assertTrue(result.stderr.startswith("aleph"), words)


class Speedtest(unittest.TestCase):
    def test_it_ends_with_a_summary(self):
        result = run("speedtest", "1", "2", "1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertEqual(sum(line.startswith("game ") for line in lines), 5)
        summary = dict(line.split(maxsplit=1) for line in lines[lines.index("") + 1:])
        self.assertEqual(list(summary), ["version", "processor", "threads", "hash", "network",
                                         "positions", "time", "hashfull", "nodes", "nodes/second"])
        self.assertEqual((summary["threads"], summary["hash"]), ("1", "2 MiB"))
        self.assertGreater(int(summary["nodes"].replace(",", "")), 0)

    def test_wrong_words(self):
        for words in (("x",), ("0",), ("1", "x"), ("1", "1", "0"), ("1", "1", "1", "1"),
                      ("--no-such-option",)):
            result = run("speedtest", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertTrue(result.stderr.startswith("aleph speedtest: "), words)

    def test_help_tells_how_long_it_takes(self):
        self.assertIn("30", run("speedtest", "--help").stdout)


class Options(unittest.TestCase):
    """Every option that is declared can be parsed, and set to what it declares."""

    LINE = re.compile(r"option name (?P<name>\S.*?) type (?:"
                      r"(?P<spin>spin) default (?P<value>-?\d+)"
                      r" min (?P<low>-?\d+) max (?P<high>-?\d+)"
                      r"|(?P<check>check) default (?:true|false)|(?P<button>button)"
                      r"|(?P<string>string) default \S.*"
                      r"|(?P<combo>combo) default (?P<choice>\S+)(?: var \S+)+)")
    COSTLY = ("Hash", "Threads")  # whose largest values are too much for most machines

    def declared(self, aleph):
        lines = [line for line in aleph.ask("uci", answer="uciok") if line.startswith("option")]
        for line in lines:
            self.assertRegex(line, self.LINE)
        return [self.LINE.fullmatch(line) for line in lines]

    def test_declarations(self):
        with engine.Engine() as aleph:
            options = self.declared(aleph)
        names = [option["name"] for option in options]
        self.assertEqual(len(names), len({name.lower() for name in names}))
        for option in options:
            # python-chess, cutechess and others look for these words.
            words = option["name"].lower().split()
            self.assertFalse({"name", "type", "default", "min", "max", "var", "value"} & set(words))
            if option["spin"]:
                low, value, high = (int(option[key]) for key in ("low", "value", "high"))
                self.assertTrue(low <= value <= high < 2**31, option[0])

    def test_every_value_that_is_declared(self):
        with engine.Engine() as aleph:
            for option in self.declared(aleph):
                name = option["name"]
                values = {"spin": [option["low"], option["high"], option["value"]],
                          "check": ["true", "false"], "string": ["<empty>"], "button": [],
                          "combo": [option["choice"]]}
                kind = next(kind for kind in values if option[kind])
                if name in self.COSTLY:
                    values["spin"].remove(option["high"])
                if kind == "button":
                    aleph.send(f"setoption name {name}")
                for value in values[kind]:
                    aleph.send(f"setoption name {name} value {value}")
                    aleph.synchronise()
            aleph.ask("go depth 2", answer="bestmove .*")
            aleph.end()
            self.assertEqual([line for line in aleph.lines if "refused" in line], [])


if __name__ == "__main__":
    engine.require_network()
    unittest.main(argv=sys.argv[:1])
