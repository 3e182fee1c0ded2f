"""The conversations of *.txt, each with an engine of its own (transcript.py describes them).

    transcripts_test.py FOLDER [WORDS]     where the programs are; only dialogues with these words
"""

import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import engine  # noqa: E402
from transcript import Player, make_places, read_dialogues  # noqa: E402

AT_ONCE = 3  # most of the time they wait


def chosen_dialogues():
    words = " ".join(sys.argv[2:])
    every = [d for path in sorted(HERE.glob("*.txt")) for d in read_dialogues(path)]
    return [d for d in every if words in f"{d.file} {d.title}"]


class Transcripts(unittest.TestCase):
    def test_every_dialogue(self):
        dialogues = chosen_dialogues()
        if engine.has_own_network():
            dialogues = [d for d in dialogues if not d.without_network()]
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(AT_ONCE) as pool:
            places = make_places(Path(folder))
            played = [(d, pool.submit(Player(d, places).play)) for d in dialogues]
            for dialogue, future in played:
                with self.subTest(dialogue=f"{dialogue.file}: {dialogue.title}"):
                    future.result()
        print(f"{len(dialogues)} dialogues")

    def test_titles_differ(self):
        titles = [(d.file, d.title) for d in chosen_dialogues()]
        self.assertEqual(len(titles), len(set(titles)))


if __name__ == "__main__":
    engine.require_network()
    unittest.main(argv=sys.argv[:1])
