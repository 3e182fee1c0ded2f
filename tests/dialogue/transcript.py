r"""Conversations with an engine, written down in *.txt.

    == title            a new engine; all that follows is said to this one
    # remark            as are empty lines
    > command           sent as a line. \r \t \n \\ \xNN mean what they mean in Python; {net} is a
                        network file, {policy} a dense one, {folder} the folder of make_places()
    < pattern           a later line matches this in full; lines before it are skipped
    ! pattern           no line from here to the next <, or to the end, matches this
    = N pattern         so many lines of the whole conversation match this
    ~ within N s        how long each of the next answers may take
    ~ pause N s         time in which the engine may say something wrong
    ~ no network        of the whole conversation, which is left out if the program brings one along
    ~ eof               the input ends
    ~ end               the engine ends by itself, with code 0

In patterns {move} is a move and {info} the start of an info line with a score. Every line of the
engine is judged by engine.Grammar, too; at last it must quit with code 0 and nothing in stderr.
"""

import json
import re
import subprocess
import time
from dataclasses import dataclass, field

from engine import MOVE, NETWORK_FILE, PATIENCE, WITH_NETWORK, WITHOUT_NETWORK, Engine, program

SIGNS = (">", "<", "!", "=", "~")
INFO = r"info depth \d+ seldepth \d+ multipv \d+ score"
ESCAPES = {"r": b"\r", "t": b"\t", "n": b"\n", "\\": b"\\"}


@dataclass
class Dialogue:
    file: str
    title: str
    steps: list = field(default_factory=list)  # (line number, sign, text)

    def without_network(self):
        return any((sign, text) == ("~", "no network") for _, sign, text in self.steps)


def read_dialogues(path):
    dialogues = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("== "):
            dialogues.append(Dialogue(path.name, line[3:]))
            continue
        sign, _, text = line.partition(" ")
        if sign not in SIGNS or not dialogues:
            raise ValueError(f"{path.name}:{number}: {line!r} is not part of a dialogue")
        dialogues[-1].steps.append((number, sign, text))
    return dialogues


def make_places(folder):
    """Networks, good and bad, in a folder whose name is not easy."""
    place = folder / "a value of ünits"
    place.mkdir()
    (place / "copy of it.nnue").symlink_to(NETWORK_FILE)
    (place / "text.nnue").write_text("this is not a network\n" * 100)
    (place / "empty.nnue").write_text("")
    with open(NETWORK_FILE, "rb") as network:
        (place / "cut.nnue").write_bytes(network.read(1_000_000))
    make_policy_network(place / "tiny.safetensors")
    return place


def make_policy_network(path):
    description = path.with_suffix(".json")
    description.write_text(json.dumps({
        "name": "tiny", "input": {"kind": "planes16"},
        "trunk": {"kind": "resnet", "channels": 16, "blocks": 1},
        "heads": [{"kind": "fromto"}, {"kind": "value", "channels": 4}]}))
    subprocess.run([program(), "net", "new", description, path], check=True)


class Player:
    """Plays one dialogue; AssertionError names the place in the file."""

    def __init__(self, dialogue, folder):
        self.dialogue = dialogue
        self.names = {"{net}": str(NETWORK_FILE), "{folder}": str(folder),
                      "{policy}": str(folder / "tiny.safetensors")}
        self.patience = PATIENCE
        self.forbidden = []
        self.line_number = 0

    def play(self):
        home = WITHOUT_NETWORK if self.dialogue.without_network() else WITH_NETWORK
        counts = [step for step in self.dialogue.steps if step[1] == "="]
        try:
            with Engine(data_home=home) as engine:
                for self.line_number, sign, text in self.dialogue.steps:
                    self._step(engine, sign, text)
                engine.end(seconds=self.patience)
                self._check_forbidden(engine.unread())
                for self.line_number, _, text in counts:
                    self._count(engine, text)
        except AssertionError as problem:
            raise AssertionError(f"{self.dialogue.file}:{self.line_number}: {problem}") from None

    def _step(self, engine, sign, text):
        if sign == ">":
            engine.send_bytes(self._command(text))
        elif sign == "<":
            self._check_forbidden(engine.until(self._pattern(text), self.patience)[:-1])
            self.forbidden = []
        elif sign == "!":
            self.forbidden.append(self._pattern(text))
        elif sign == "~":
            self._direct(engine, text)

    def _direct(self, engine, text):
        timed = re.fullmatch(r"(within|pause) ([\d.]+) s", text)
        if timed and timed[1] == "within":
            self.patience = float(timed[2])
        elif timed:
            time.sleep(float(timed[2]))
        elif text == "eof":
            engine.close_input()
        elif text == "end":
            engine.end(command=None, seconds=self.patience)
        elif text != "no network":
            raise ValueError(f"{self.dialogue.file}:{self.line_number}: unknown direction {text!r}")

    def _command(self, text):
        for name, value in self.names.items():
            text = text.replace(name, value)
        return re.sub(rb"\\(?:x([0-9A-Fa-f]{2})|([rtn\\]))",
                      lambda m: bytes([int(m[1], 16)]) if m[1] else ESCAPES[m[2].decode()],
                      text.encode()) + b"\n"

    def _pattern(self, text):
        for name, value in self.names.items():
            text = text.replace(name, re.escape(value))
        return text.replace("{move}", MOVE).replace("{info}", INFO)

    def _check_forbidden(self, lines):
        for line in lines:
            for pattern in self.forbidden:
                assert not re.fullmatch(pattern, line), f"this must not be said: {line}"

    def _count(self, engine, text):
        wanted, _, pattern = text.partition(" ")
        found = engine.count(self._pattern(pattern))
        assert found == int(wanted), f"{found} lines match {pattern!r} instead of {wanted}"
