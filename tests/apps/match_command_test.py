"""aleph match with two real engines, as a user meets it.

    match_command_test.py FOLDER      where the programs are
"""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "dialogue"))
import engine  # noqa: E402

LAB = Path(sys.argv[1]) / "aleph-lab"
ALEPH = engine.program().resolve()
BOOK = ("rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3\n"
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n"
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\n")
# Few nodes and short games; a machine under load may be slow to start a program.
QUICK = ("--maxmoves", "12", "--readytimeout", "100")
EACH = ("--each", "nodes=100", "option.Hash=1")
PATIENCE = 300


class MatchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.pgn, self.state = self.folder / "games.pgn", self.folder / "games.pgn.state"
        self.book = self.folder / "book.epd"
        self.book.write_text(BOOK)

    def engines(self, first=ALEPH, second=ALEPH):
        return ("--engine", "name=one", f"cmd='{first}'",
                "--engine", "name=two", f"cmd='{second}'", *EACH)

    def start(self, *words):
        return subprocess.Popen([str(LAB), "match", *words], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=engine.environment())

    def match(self, *words):
        with self.start(*words) as process:
            try:
                output, errors = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
            return subprocess.CompletedProcess(words, process.returncode, output, errors)

    def play(self, *words):
        result = self.match(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def rounds_in_pgn(self):
        return re.findall(r'^\[Round "(.*)"\]$', self.pgn.read_text(), re.MULTILINE)


class Play(MatchTest):
    def test_a_short_match(self):
        output = self.play(*self.engines(), *QUICK, "--games", "6", "--openings", str(self.book),
                           "--pgn", str(self.pgn), "--check-pv", "--fail-on-fault")
        self.assertIn("one", output)
        self.assertIn("two", output)
        self.assertRegex(output, r"Elo")
        text = self.pgn.read_text()
        self.assertEqual(sorted(self.rounds_in_pgn()),
                         [f"{round_}.{game}" for round_ in (1, 2, 3) for game in (1, 2)])
        for color in ("White", "Black"):
            for name in ("one", "two"):
                self.assertEqual(text.count(f'[{color} "{name}"]'), 3)
        self.assertNotRegex(text, r'\[EndReason ".*(illegal|crash|time)')
        stats = subprocess.run([str(LAB), "pgn", "stats", str(self.pgn)], capture_output=True,
                               text=True, timeout=PATIENCE, check=True)
        self.assertEqual(stats.stderr, "")
        self.assertEqual(sum(line.startswith("game\t") for line in
                             self.state.read_text().splitlines()), 6)

    def test_the_same_games_again(self):
        """With fixed nodes and new processes nothing is left to chance."""
        games = []
        for name in ("a.pgn", "b.pgn"):
            self.play(*self.engines(), *QUICK, "--concurrency", "2", "--restart", "--games", "2",
                      "--openings", str(self.book), "--pgn", str(self.folder / name))
            text = (self.folder / name).read_text()
            # The two may have ended in either order.
            games.append(sorted(re.sub(r"\{[^}]*\}", "", game).split("\n\n")[1]
                                for game in text.split("[Event ")[1:]))
        self.assertEqual(len(games[0]), 2)
        self.assertEqual(games[0], games[1])

    def test_a_file_describes_the_match_and_words_count_more(self):
        config = self.folder / "match.yml"
        config.write_text(f"engines:\n  - {{name: one, cmd: \"'{ALEPH}'\"}}\n"
                          f"  - {{name: two, cmd: \"'{ALEPH}'\"}}\n"
                          "each: {nodes: 100, options: {Hash: 1}}\n"
                          f"games: 50\npgn: '{self.pgn}'\nmaxmoves: 12\nreadytimeout: 100\n")
        self.play("--config", str(config), "--games", "2", "--engine", "name=two", "nodes=50")
        self.assertEqual(len(self.rounds_in_pgn()), 2)
        state = self.state.read_text()
        self.assertRegex(state, r"engine: one .* nodes=100\n")
        self.assertRegex(state, r"engine: two .* nodes=50\n")


class Refusals(MatchTest):
    def refused(self, sentence, *words, code=2):
        result = self.match(*words)
        self.assertEqual((result.returncode, result.stdout), (code, ""), words)
        self.assertRegex(result.stderr.splitlines()[0], rf"\Aaleph match: {sentence}\Z")

    def test_wrong_words(self):
        engines = self.engines()
        self.refused("there is no engine: name two with --engine")
        self.refused("engine 'a' has no cmd=", "--engine", "name=a", "depth=1")
        self.refused("engine 'a' has no limit.*", "--engine", "name=a", "cmd=x")
        self.refused("engine 'a': 'nodes=x' should be nodes=NUMBER, 1 or more",
                     "--engine", "name=a", "cmd=x", "nodes=x")
        self.refused("engine 'a': 'speed' is not known.*", "--engine", "name=a", "cmd=x", "speed=1")
        self.refused("--games: .*", *engines, "--games", "0")
        self.refused("--order: .*", *engines, "--order", "best")
        self.refused("--games excludes --rounds", *engines, "--games", "2", "--rounds", "1")
        self.refused("--draw: 'moves=3' is not known.*", *engines, "--draw", "moves=3")
        self.refused("--sprt: elo0=5 must be less than elo1=5", *engines, "--sprt", "elo0=5")
        self.refused("--resume needs --pgn or --state", *engines, "--resume")
        self.refused(".*--no-such-option", *engines, "--no-such-option")

    def test_wrong_files(self):
        config = self.folder / "match.yml"
        self.refused(f"cannot open {re.escape(str(config))}: .*", "--config", str(config))
        config.write_text("games: 2\nenginess: []\n")
        self.refused(rf"{re.escape(str(config))}:2: 'enginess' is not known: there are engines, .*",
                     "--config", str(config))
        config.write_text("games: two\n")
        self.refused(rf"{re.escape(str(config))}:1: games should be a number from 1 .* not 'two'",
                     f"--config={config}")

    def test_a_flag_of_a_file_can_be_taken_back(self):
        config = self.folder / "match.yml"
        config.write_text("resume: true\nengines: [{cmd: x, depth: 1}]\n")
        words = ("--config", str(config))
        self.refused("--resume needs --pgn or --state", *words)
        self.refused("a match needs two engines or more", *words, "--resume=false", code=1)

    def test_matches_that_cannot_begin(self):
        def failed(sentence, *words):
            self.refused(sentence, *words, code=1)
        failed("a match needs two engines or more", "--engine", "name=a", f"cmd={ALEPH}", "depth=1")
        failed("two engines are called 'one'.*", *self.engines()[:3], *self.engines())
        failed("engine 'two': cannot start /no/such/engine: .*",
               *self.engines(second="/no/such/engine"))
        failed("engine 'one': has no option 'Hsh'", *self.engines(), "option.Hsh=1")
        failed("cannot open .*missing.epd: .*", *self.engines(), "--openings",
               str(self.folder / "missing.epd"))
        failed("an SPRT is for two engines", *self.engines(), "--engine", "name=three",
               f"cmd={ALEPH}", "--sprt")


class Resume(MatchTest):
    def words(self, first=ALEPH, games=30):
        return (*self.engines(first), *QUICK, "--games", str(games), "--openings", str(self.book),
                "--pgn", str(self.pgn))

    def games_over(self):
        return self.state.read_text().count("\ngame\t") if self.state.exists() else 0

    def kill_after(self, games, first=ALEPH):
        """As a power cut would. The engines see the end of their input and go."""
        with self.start(*self.words(first)) as process:
            while self.games_over() < games and process.poll() is None:
                time.sleep(0.005)
            process.kill()
            process.communicate(timeout=PATIENCE)

    def test_a_match_that_was_killed_goes_on(self):
        self.kill_after(4)
        before = self.games_over()
        self.assertGreaterEqual(before, 4)
        result = self.match(*self.words())
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, "belongs to an earlier match: continue that with --resume")
        with open(self.pgn, "a", encoding="utf-8") as pgn:
            pgn.write('[Event "cut off"]\n[Round "99.1"]\n\n1. e4')
        self.play(*self.words(), "--resume")
        rounds = self.rounds_in_pgn()
        self.assertEqual(len(rounds), 30)
        self.assertEqual(len(set(rounds)), 30)
        self.assertNotIn("cut off", self.pgn.read_text())

    def test_another_program_is_refused(self):
        program = self.folder / "engine"
        shutil.copy(ALEPH, program)
        self.kill_after(1, program)
        newer = shutil.copy(ALEPH, self.folder / "newer")
        with open(newer, "ab") as file:
            file.write(b"\0")
        newer.replace(program)  # as compilers do: the old one may still be ending
        result = self.match(*self.words(program), "--resume")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"\Aaleph match: cannot resume: .* another program, "
                         r"'program of one: .* SHA-256 \w{64}', where there is now "
                         r"'program of one: .* SHA-256 \w{64}'; --force-resume .*\n\Z")
        self.play(*self.words(program), "--force-resume")
        self.assertEqual(len(set(self.rounds_in_pgn())), 30)

    def test_ctrl_c_tells_the_result_so_far(self):
        with self.start(*self.words(games=10_000)) as process:
            while self.games_over() < 1 and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, errors), (1, ""))
        self.assertIn("one", output)


if __name__ == "__main__":
    if not LAB.exists():
        print("skipped: aleph-lab is not built")
        sys.exit(77)
    engine.require_network()
    unittest.main(argv=sys.argv[:1])
