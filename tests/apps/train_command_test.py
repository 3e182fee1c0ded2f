"""aleph train, as a user meets it: runs that are killed and go on, processes that work together, and
messages about what is wrong.

    train_command_test.py FOLDER      where the programs are
"""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

FOLDER = Path(sys.argv[1])
LAB, TRAIN = FOLDER / "aleph-lab", FOLDER / "aleph-train"
PATIENCE = 300

LINES = [
    "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0",
    "1. f3 e5 2. g4 Qh4# 0-1",
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 "
    "10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ "
    "Nxb8 17. Rd8# 1-0",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ 8. Qd2 Bxd2+ "
    "9. Kxd2 Kxd8 1/2-1/2",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O 1/2-1/2",
    "1. Nf3 Nf6 2. c4 g6 3. Nc3 Bg7 4. d4 O-O 5. e4 d6 6. Be2 e5 7. O-O Nc6 8. d5 Ne7 1/2-1/2",
]
GAME = """[Event "example {number}"]
[White "w{number}"]
[Black "b{number}"]
[WhiteElo "{white}"]
[BlackElo "{black}"]
[Result "{result}"]

{moves}

"""
CNN = """input: {kind: planes18}
trunk: {kind: resnet, channels: 8, blocks: 2}
heads:
  - {kind: fromto}
"""
TRANSFORMER = """input: {kind: tokens69}
trunk:
  {kind: transformer, width: 16, layers: 1, heads: 2, feed_forward: 32, embedding: {scaled: true}}
heads:
  - {kind: fromto}
"""
CONFIG = """name: {name}
model: {model}.yml
data: {{dataset: set, validation_rows: 50}}
losses:
  - {{kind: from_to, smoothing: 0.1}}
  - {{kind: legal_policy}}
schedule: {{kind: cosine, rate: 0.005, warmup: 5}}
steps: {steps}
batch: 32
micro_batch: 16
threads: 1
seed: 3
log_every: 1
validate_every: 25
checkpoint_every: {checkpoint_every}
{more}
"""


def games(count):
    text = ""
    for i in range(count):
        moves = LINES[i % len(LINES)]
        text += GAME.format(number=i, white=2000 + 10 * i, black=2300 - i, moves=moves,
                            result=moves.split()[-1])
    return text


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class TrainTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.home.name)
        pgn = cls.folder / "games.pgn"
        pgn.write_text(games(60))
        subprocess.run([str(LAB), "data", "build", "--pgn", str(pgn), "--out",
                        str(cls.folder / "set"), "--schema", "policy", "--split",
                        "train=0.75,test=0.25"], check=True, capture_output=True, timeout=PATIENCE)
        (cls.folder / "cnn.yml").write_text(CNN)
        (cls.folder / "transformer.yml").write_text(TRANSFORMER)

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def config(self, name, model="cnn", steps=50, checkpoint_every=10, more=""):
        path = self.folder / f"{name}.yml"
        path.write_text(CONFIG.format(name=name, model=model, steps=steps,
                                      checkpoint_every=checkpoint_every, more=more))
        return path

    def start(self, *words, rank=None, world=1, port=0):
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("RANK", "WORLD_SIZE", "MASTER_", "OMPI_", "SLURM_"))}
        if rank is not None:
            environment.update(RANK=str(rank), WORLD_SIZE=str(world), MASTER_ADDR="127.0.0.1",
                               MASTER_PORT=str(port))
        return subprocess.Popen([str(TRAIN), "train", *map(str, words)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment,
                                cwd=self.folder)

    def end(self, process, code=0, patience=PATIENCE):
        out, errors = process.communicate(timeout=patience)
        self.assertEqual(process.returncode, code, out + errors)
        return out + errors

    def train(self, *words, code=0):
        return self.end(self.start(*words), code)

    def entries(self, run, kind="train"):
        lines = (self.folder / run / "log.jsonl").read_text().splitlines()
        return [entry for entry in map(json.loads, lines) if entry["kind"] == kind]

    def test_a_run_from_config_to_network(self):
        said = self.train(self.config("plain", steps=30), "--out", "plain")
        self.assertIn("all steps are done after 30 steps, 960 samples", said)
        self.assertIn("legal1", said)
        run = self.folder / "plain"
        for name in ("plain.safetensors", "log.csv", "log.jsonl", "index.html", "config.yml"):
            self.assertTrue((run / name).exists(), name)
        self.assertTrue(list(run.glob("events.out.tfevents.*")))
        self.assertEqual([entry["step"] for entry in self.entries("plain")], list(range(1, 31)))
        said = self.train("parity", run / "plain.safetensors", "--positions", "50")
        self.assertIn("positions: 50", said)
        self.assertIn("fromto", said)
        again = self.train(self.config("plain", steps=30), "--out", "plain", code=1)
        self.assertIn("has a run in it already", again)

    def test_what_is_wrong_is_said_with_its_line(self):
        path = self.config("wrong", more="bach: 3")
        self.assertRegex(self.train(path, code=1), r"wrong\.yml:\d+: bach is not known; did you mean "
                                                   r"batch\?")
        path.write_text(path.read_text().replace("dataset: set", "dataset: nowhere")
                        .replace("bach: 3", ""))
        self.assertRegex(self.train(path, code=1), r"wrong\.yml:3: data\.dataset is missing")
        (self.folder / "sparse.yml").write_text("kind: nnue\n")
        self.assertIn("sparse.yml", self.train(self.folder / "sparse.yml", code=1))
        self.assertIn("cannot open", self.train(self.folder / "none.yml", code=1))
        self.train(code=2)
        self.train("parity", self.folder / "none.safetensors", code=1)

    def kill_at_random(self, rng, path, out):
        """Starts, waits until it learns, and kills it a little later. False: it was over before."""
        log = self.folder / out / "log.jsonl"
        process = self.start(path, "--out", out, "--resume")
        began = time.monotonic()
        changed = log.stat().st_mtime_ns if log.exists() else 0
        while process.poll() is None and time.monotonic() - began < PATIENCE:
            if log.exists() and log.stat().st_mtime_ns != changed:
                break
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.6))
        if process.poll() is not None:
            self.end(process)
            return False
        process.kill()
        process.communicate()
        return True

    def test_twenty_kills_change_nothing(self):
        path = self.config("killed", steps=1500, checkpoint_every=7, more="average_last: 3")
        self.train(path, "--out", "whole")
        expected = (self.folder / "whole" / "killed.safetensors").read_bytes()
        rng, kills, runs = random.Random(1), 0, 0
        while kills < 20:
            out = f"killed{runs}"
            runs += 1
            while kills < 20 and self.kill_at_random(rng, path, out):
                kills += 1
            self.train(path, "--out", out, "--resume")
            self.assertEqual((self.folder / out / "killed.safetensors").read_bytes(), expected)
            losses = [(entry["step"], entry["loss"]) for entry in self.entries(out)]
            self.assertEqual(losses,
                             [(entry["step"], entry["loss"]) for entry in self.entries("whole")])
        print(f"{kills} kills in {runs} runs")

    def group(self, path, out, world, *words):
        port = free_port()
        return [self.start(path, "--out", out, *words, rank=rank, world=world, port=port)
                for rank in range(world)]

    def assert_same_losses(self, a, b, within):
        self.assertEqual(len(a), len(b))
        for one, other in zip(a, b):
            self.assertEqual(one["step"], other["step"])
            self.assertLess(abs(one["loss"] - other["loss"]), within * max(1, abs(one["loss"])),
                            one["step"])

    def test_two_processes_learn_what_one_would(self):
        for model in ("transformer", "cnn"):
            path = self.config(f"shared-{model}", model=model)
            self.train(path, "--out", f"one-{model}")
            for process in self.group(path, f"two-{model}", 2):
                self.end(process)
            self.assert_same_losses(self.entries(f"one-{model}"), self.entries(f"two-{model}"), 1e-5)
            self.assert_same_losses(self.entries(f"one-{model}", "validation"),
                                    self.entries(f"two-{model}", "validation"), 1e-4)
            self.assertTrue((self.folder / f"two-{model}" / f"shared-{model}.safetensors").exists())

    @unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
    def test_mpirun_starts_a_group(self):
        path = self.config("mpi", model="transformer", steps=20)
        self.train(path, "--out", "alone")
        environment = dict(os.environ, MASTER_PORT=str(free_port()))
        subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", str(TRAIN),
                        "train", str(path), "--out", "mpi"], check=True, cwd=self.folder,
                       env=environment, timeout=PATIENCE, capture_output=True)
        self.assert_same_losses(self.entries("alone"), self.entries("mpi"), 1e-5)

    def test_another_number_of_processes_goes_on(self):
        path = self.config("regroup", model="transformer", steps=40)
        self.train(path, "--out", "regroup-whole")
        shutil.copytree(self.folder / "regroup-whole", self.folder / "regroup")
        for file in sorted((self.folder / "regroup" / "checkpoints").iterdir())[1:]:
            file.unlink()
        for process in self.group(path, "regroup", 2, "--resume"):
            self.end(process)
        self.assert_same_losses(self.entries("regroup-whole"), self.entries("regroup"), 1e-5)

    def test_a_process_that_dies_ends_the_run(self):
        path = self.config("orphan", model="transformer", steps=100000, checkpoint_every=100000)
        first, second = self.group(path, "orphan", 2)
        log = self.folder / "orphan" / "log.jsonl"
        began = time.monotonic()
        while not (log.exists() and log.stat().st_size) and time.monotonic() - began < 60:
            time.sleep(0.05)
        second.kill()
        second.communicate()
        said = self.end(first, code=1, patience=60)
        self.assertRegex(said, r"aleph train: step \d+: .*process")

    def test_a_comparison(self):
        configs = [self.config("left", model="cnn", steps=30),
                   self.config("right", model="transformer", steps=30)]
        self.train("compare", *configs, "--out", "compared")
        report = (self.folder / "compared" / "report.md").read_text()
        for part in ("# left and right, compared", "## What follows", "## Step by step", "| 30 |"):
            self.assertIn(part, report)
        self.assertIn("<svg", (self.folder / "compared" / "report.html").read_text())
        other = self.config("other", steps=31)
        said = self.train("compare", configs[0], other, "--out", "refused", code=1)
        self.assertIn("steps differs", said)


if __name__ == "__main__":
    for program in (LAB, TRAIN):
        if not program.exists():
            print(f"skipped: {program} is not built")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])
