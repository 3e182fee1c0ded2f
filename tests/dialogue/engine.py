"""A running engine, seen as a GUI sees it: lines in, lines out, and the grammar of every line."""

import atexit
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NETWORK = "nn-ad9b42354671.nnue"
PATIENCE = 60.0  # seconds; how long an answer may take on a machine that is busy with other things

MOVE = r"[a-h][1-8][a-h][1-8][qrbn]?"
SCORE_INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth (?P<seldepth>\d+) multipv (?P<multipv>[1-9]\d*)"
    r" score (?P<kind>cp|mate) (?P<score>-?\d+)(?P<bound> lowerbound| upperbound)?"
    r"(?: wdl (?P<win>\d+) (?P<draw>\d+) (?P<loss>\d+))?"
    r" nodes (?P<nodes>\d+) nps (?P<nps>\d+) hashfull (?P<hashfull>\d+) tbhits (?P<tbhits>\d+)"
    rf" time (?P<time>\d+)(?: pv(?P<pv>(?: {MOVE})+))?")
MOVE_INFO = re.compile(rf"info depth \d+ currmove {MOVE} currmovenumber [1-9]\d*")
ANSWER = re.compile(rf"bestmove (?:\(none\)|(?P<best>{MOVE})(?: ponder (?P<ponder>{MOVE}))?)")


def program():
    return Path(sys.argv[1]) / "aleph"


def _data_home(network):
    """A data directory that holds this network and nothing else."""
    folder = tempfile.TemporaryDirectory(prefix="aleph-dialogue-")
    atexit.register(folder.cleanup)
    if network is not None:
        nets = Path(folder.name) / "aleph" / "nets"
        nets.mkdir(parents=True)
        (nets / NETWORK).symlink_to(network.resolve())
    return folder.name


def _find_network():
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    folders = [os.environ.get("ALEPH_NETS") or ROOT / "build" / "nets", Path(home) / "aleph/nets"]
    return next((path for path in (Path(folder) / NETWORK for folder in folders)
                 if path.is_file()), None)


NETWORK_FILE = _find_network()
WITH_NETWORK = _data_home(NETWORK_FILE)
WITHOUT_NETWORK = _data_home(None)


def environment(data_home=WITH_NETWORK):
    return dict(os.environ, XDG_DATA_HOME=data_home)


def has_own_network():
    """Whether the program brings a network along, so that it cannot be without one."""
    with Engine(data_home=WITHOUT_NETWORK) as engine:
        engine.send("isready")
        return any("network: " in line for line in engine.until("readyok"))


def require_network():
    """For the end of a test script: without a network there is nothing to talk about."""
    if NETWORK_FILE is None:
        print(f"skipped: {NETWORK} is not on this machine (tools/import_default_net.sh)")
        sys.exit(77)


def run(*words, data_home=WITH_NETWORK, text=""):
    """One command of the shell."""
    return subprocess.run([str(program()), *words], input=text, capture_output=True, text=True,
                          timeout=PATIENCE, check=False, env=environment(data_home))


class Grammar:
    """Judges every line of a conversation; problems are kept as sentences."""

    def __init__(self):
        self.problems = []
        self._last = None  # the last info with a score since the last answer

    def read(self, line):
        info, answer = SCORE_INFO.fullmatch(line), ANSWER.fullmatch(line)
        if info:
            self._read_info(line, info)
        elif answer:
            self._read_answer(line, answer)
        elif not line.isprintable():
            self.problems.append(f"control characters: {line!r}")
        elif MOVE_INFO.fullmatch(line) or line.startswith("info string "):
            pass
        elif line.startswith(("info", "bestmove")):
            self.problems.append(f"malformed: {line}")

    def _read_info(self, line, info):
        chances = [info[name] for name in ("win", "draw", "loss")]
        if chances[0] is not None and sum(map(int, chances)) != 1000:
            self.problems.append(f"the chances are not 1000 in sum: {line}")
        if int(info["hashfull"]) > 1000:
            self.problems.append(f"more than full: {line}")
        for name in ("nodes", "time"):
            if self._last and int(info[name]) < int(self._last[name]):
                self.problems.append(f"{name} run backwards: {line}")
        self._last = info

    def _read_answer(self, line, answer):
        line_shown = (self._last["pv"] or "").split() if self._last else []
        if self._last is None:
            self.problems.append(f"no score before {line}")
        elif answer["best"] is None and line_shown:
            self.problems.append(f"a line before {line}: {line_shown}")
        elif answer["best"] is not None and line_shown[:1] != [answer["best"]]:
            self.problems.append(f"the last line was {line_shown} before {line}")
        elif answer["ponder"] and len(line_shown) > 1 and line_shown[1] != answer["ponder"]:
            self.problems.append(f"the last line was {line_shown} before {line}")
        self._last = None


class Engine:
    """With a `with` statement; leaving it ends the engine and checks that it ended well."""

    def __init__(self, *words, data_home=WITH_NETWORK):
        self.lines = []  # all that it said
        self.grammar = Grammar()
        self._read = 0   # how many of the lines were looked at
        self._closed = False
        self._heard = threading.Condition()
        self._process = subprocess.Popen(
            [str(program()), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=environment(data_home))
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self):
        return self

    def __exit__(self, kind, _value, _traceback):
        try:
            if kind is None:
                self.end()
        finally:
            if self._process.poll() is None:
                self._process.kill()
            self._process.wait()
            self._listener.join()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                try:
                    pipe.close()
                except BrokenPipeError:
                    pass

    def _listen(self):
        for raw in self._process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            with self._heard:
                self.lines.append(line)
                self.grammar.read(line)
                self._heard.notify_all()
        with self._heard:
            self._closed = True
            self._heard.notify_all()

    def send(self, *commands):
        self.send_bytes("".join(command + "\n" for command in commands).encode())

    def send_bytes(self, text):
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def until(self, pattern, seconds=PATIENCE):
        """The lines up to and including the first that matches the whole pattern."""
        expression = re.compile(pattern)
        deadline = time.monotonic() + seconds
        start = self._read
        with self._heard:
            while True:
                while self._read < len(self.lines):
                    self._read += 1
                    if expression.fullmatch(self.lines[self._read - 1]):
                        return self.lines[start:self._read]
                if self._closed:
                    raise AssertionError(f"ended without {pattern!r}{self._tail(start)}")
                if not self._heard.wait(deadline - time.monotonic()):
                    raise AssertionError(f"no {pattern!r} in {seconds} s{self._tail(start)}")

    def _tail(self, start):
        return "; it said:\n" + "\n".join("    " + line for line in self.lines[start:][-20:])

    def unread(self):
        """What it said since the last match."""
        with self._heard:
            return self.lines[self._read:]

    def ask(self, *commands, answer):
        self.send(*commands)
        return self.until(answer)

    def synchronise(self):
        """All commands so far were read."""
        return self.ask("isready", answer="readyok")

    def close_input(self):
        self._process.stdin.close()

    def end(self, command="quit", seconds=PATIENCE):
        """Says goodbye, and checks the exit code, the silence of stderr and the grammar."""
        if not self._process.stdin.closed:
            if command:
                try:
                    self.send(command)
                except BrokenPipeError:
                    pass  # it ended before: the exit code tells how
            self.close_input()
        code = self._process.wait(seconds)
        self._listener.join()
        errors = self._process.stderr.read().decode("utf-8", "replace")
        problems = list(self.grammar.problems)
        if code != 0:
            problems.append(f"exit code {code}")
        if errors:
            problems.append(f"stderr: {errors}")
        if problems:
            raise AssertionError("\n".join(problems[:10]))

    def count(self, pattern):
        with self._heard:
            return sum(1 for line in self.lines if re.fullmatch(pattern, line))
