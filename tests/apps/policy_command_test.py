"""aleph policy, and aleph net with dense networks, as a user meets them.

    policy_command_test.py FOLDER      where the programs are
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ALEPH = Path(sys.argv[1]) / "aleph"
SHARED = Path(os.environ.get("ALEPH_SHARED", Path(__file__).resolve().parents[2] / "../shared"))
LEELA = SHARED / "nets" / "lc0"
POSITIONS = Path(__file__).resolve().parents[2] / "bench" / "positions.epd"
CONFIGS = Path(__file__).resolve().parents[2] / "configs" / "models"
GOLDEN = SHARED / "golden" / "lc0"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
PROMOTION = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
# lc0 castles by taking the rook.
AS_KING_MOVE = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}

RESNET = {"kind": "resnet", "channels": 16, "blocks": 1}
TRANSFORMER = {"kind": "transformer", "width": 32, "layers": 1, "heads": 2, "feed_forward": 64}
DESCRIPTIONS = {
    "from-to": {"input": {"kind": "planes18"}, "trunk": RESNET, "heads": [{"kind": "fromto"}]},
    "az": {"input": {"kind": "planes16"}, "trunk": RESNET,
           "heads": [{"kind": "move4096", "channels": 4}, {"kind": "promotion4", "channels": 4},
                     {"kind": "value", "channels": 4}, {"kind": "wdl", "channels": 4}]},
    "human": {"input": {"kind": "tokens74"}, "trunk": TRANSFORMER,
              "heads": [{"kind": "move4096", "from": "cls"}, {"kind": "think_time", "from": "cls"},
                        {"kind": "moves_left", "from": "mean"}]},
    "mute": {"input": {"kind": "planes16"}, "trunk": RESNET,
             "heads": [{"kind": "value", "channels": 4}]},
}


class PolicyCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.store = cls.folder / "data" / "aleph" / "nets"
        for name, description in DESCRIPTIONS.items():
            text = cls.folder / f"{name}.json"
            text.write_text(json.dumps(dict(description, name=name)))
            result = cls.aleph("net", "new", text, cls.net(name))
            assert (result.returncode, result.stderr) == (0, ""), result.stderr

    @classmethod
    def net(cls, name):
        return cls.folder / f"{name}.safetensors"

    @classmethod
    def aleph(cls, *words):
        environment = dict(os.environ, XDG_DATA_HOME=str(cls.folder / "data"))
        return subprocess.run([str(ALEPH), *map(str, words)], capture_output=True, text=True,
                              timeout=300, stdin=subprocess.DEVNULL, check=False, env=environment)

    def policy(self, *words):
        result = self.aleph("policy", *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def policy_json(self, *words):
        return json.loads(self.policy("--json", "--top", "300", *words))

    # ---- policy

    def test_moves_with_their_probabilities(self):
        lines = self.policy("--net", self.net("az"), "--top", "3").splitlines()
        self.assertRegex(lines[0], r"^az: White to move, value [+-]0\.\d{3}, "
                                   r"win [\d.]+ %, draw [\d.]+ %, loss [\d.]+ %$")
        for number, line in enumerate(lines[2:5], 1):
            self.assertRegex(line, rf"^ +{number}  (N?[a-h]\d) +[\d.]+ %( +#+)?$")
        self.assertRegex(lines[5], r"^ +17 more +[\d.]+ %$")
        self.assertEqual(len(lines), 6)

    def test_json_adds_up(self):
        answer = self.policy_json("--net", self.net("az"))
        self.assertEqual((answer["network"], answer["legal_moves"]), ("az", 20))
        self.assertEqual(len(answer["moves"]), 20)
        self.assertAlmostEqual(sum(move["probability"] for move in answer["moves"]), 1, places=4)
        self.assertAlmostEqual(answer["win"] + answer["draw"] + answer["loss"], 1, places=4)
        self.assertIsNone(answer["think_time"])
        likely = [move["probability"] for move in answer["moves"]]
        self.assertEqual(likely, sorted(likely, reverse=True))

    def test_moves_before_the_position(self):
        fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        played = self.policy_json("--net", self.net("az"), "--moves", "e2e4")
        self.assertEqual(played["fen"], fen)
        self.assertEqual(played["moves"], self.policy_json(*fen.split(), "--net", self.net("az"))["moves"])

    def test_temperature(self):
        words = ("--net", self.net("az"))
        usual, flat, sharp = (self.policy_json(*words, "--temperature", t)["moves"][0]["probability"]
                              for t in ("1", "100", "0"))
        self.assertLess(flat, usual)
        self.assertAlmostEqual(flat, 0.05, places=2)
        self.assertEqual(sharp, 1)

    def test_promotions_share(self):
        for name in ("az", "from-to"):
            answer = self.policy_json(PROMOTION, "--net", self.net(name))
            pieces = {m["san"]: m["probability"] for m in answer["moves"] if m["uci"][:4] == "a7a8"}
            self.assertEqual(set(pieces), {"a8=Q", "a8=R", "a8=B", "a8=N"})
            self.assertTrue(all(p > 0 for p in pieces.values()))
        self.assertGreater(pieces["a8=Q"], 30 * pieces["a8=N"])

    def test_rating_and_clock_of_a_human_network(self):
        words = ("--net", self.net("human"))
        usual = self.policy_json(*words)
        self.assertIsNone(usual["value"])
        self.assertIsNotNone(usual["think_time"])
        self.assertEqual(usual["moves"], self.policy_json(*words, "--elo", "1500")["moves"])
        self.assertNotEqual(usual["moves"], self.policy_json(*words, "--elo", "2100")["moves"])
        self.assertNotEqual(usual["moves"], self.policy_json(*words, "--clock", "3")["moves"])
        self.assertIn("s to think", self.policy(*words))

    def test_a_network_that_knows_no_moves(self):
        self.assertIn("nothing to say about moves", self.policy("--net", self.net("mute")))
        self.assertEqual(self.policy_json("--net", self.net("mute"))["moves"], [])

    def test_the_game_is_over(self):
        self.assertEqual(self.policy(MATE, "--net", self.net("az")), "az: Black to move, checkmate\n")
        self.assertEqual(self.policy(STALEMATE, "--net", self.net("az")),
                         "az: Black to move, stalemate\n")

    def test_wrong_words(self):
        for words in (("8/8 w",), ("--moves", "e2e5"), ("--elo", "x"), ("--elo", "-1"),
                      ("--top", "0"), ("--temperature", "-1"), ("--clock", "-3"), ("--castle",)):
            result = self.aleph("policy", "--net", self.net("az"), *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertTrue(result.stderr.startswith("aleph policy: "), result.stderr)

    def test_networks_that_are_none(self):
        cut = self.folder / "cut.safetensors"
        cut.write_bytes(self.net("az").read_bytes()[:1000])
        note = self.folder / "note.safetensors"
        note.write_text("nothing here")
        for name, part in (("no-such-network", "neither a file nor a policy network"),
                           (cut, "cut.safetensors: "), (note, "note.safetensors: ")):
            result = self.aleph("policy", "--net", name)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertTrue(result.stderr.startswith("aleph policy: "), result.stderr)
            self.assertIn(part, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)

    # ---- net

    def test_info(self):
        info = self.aleph("net", "info", self.net("az")).stdout
        for words in ("name           az", "planes16", "residual, 1 blocks of 16 channels",
                      "move4096, promotion4, value, wdl", "MFLOP a position", "safetensors",
                      "random weights of seed 1"):
            self.assertIn(words, info)
        spec = json.loads(self.aleph("net", "info", "--json", self.net("human")).stdout)
        self.assertEqual((spec["name"], spec["input"]["kind"]), ("human", "tokens74"))

    def test_imported_networks_have_names(self):
        # In the store of another test run nothing else is there.
        result = self.aleph("net", "import", self.net("from-to"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue((self.store / "from-to.safetensors").is_file())
        self.assertIn("from-to.safetensors", self.aleph("net", "list").stdout)
        by_name = self.policy("--net", "from-to")
        self.assertEqual(by_name, self.policy("--net", self.net("from-to")))
        self.assertEqual(by_name, self.policy())  # the only one there is
        self.assertIn("planes18", self.aleph("net", "info", "from-to").stdout)

    def test_bench(self):
        lines = self.aleph("net", "bench", self.net("az"), "--batch", "1,3", "--seconds", "0.05",
                           "--tsv").stdout.splitlines()
        self.assertEqual([line.split("\t")[:2] for line in lines],
                         [["fp32", "1"], ["fp32", "3"], ["int8", "1"], ["int8", "3"]])
        for words in (("--batch", "0"), ("--precision", "fp64"), ("--visits", "10")):
            self.assertEqual(self.aleph("net", "bench", self.net("az"), *words).returncode, 2)

    def bench_cache(self, *words):
        result = self.aleph("net", "bench", self.net("az"), "--cache", "--seconds", "0.05", *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_bench_of_the_cache(self):
        words = ("--positions", POSITIONS, "--visits", "300", "--cache-size", "1")
        text = self.bench_cache(*words)
        self.assertRegex(text, r"hits +[\d,]+  [\d.]+ %\na hit, with its key +[\d.]+ us  [\d.]+ % of")
        once, again = (self.bench_cache(*words, "--tsv").split("\t") for _ in range(2))
        asked, hits, _, _, _, used, limit = map(float, once)
        self.assertEqual(once[:2] + once[5:], again[:2] + again[5:])  # all but the times
        self.assertGreater(asked, 10_000)
        self.assertGreater(hits, asked / 20)
        # More answers than there is room for, and yet within the limit.
        self.assertEqual(limit, 1 << 20)
        self.assertLessEqual(used, limit)
        self.assertGreater(used, limit / 2)
        wrong = self.folder / "wrong.epd"
        wrong.write_text("# nothing\n8/8 w\n")
        result = self.aleph("net", "bench", self.net("az"), "--cache", "--positions", wrong)
        self.assertEqual((result.returncode, result.stdout.count("hits")), (1, 0))
        self.assertIn("wrong.epd:2: ", result.stderr)

    def test_agree(self):
        number = r"(\d+\.\d+)"
        pattern = (rf"^az: fp32 and int8 on 40 positions\n\nsame best move +{number} %\n"
                   rf"policy divergence +{number} .*\nvalue difference +{number} .mean., {number} .*\n"
                   rf"files +{number} MB and {number} MB, {number} x smaller\n$")
        positions = self.folder / "positions.csv"
        positions.write_text(f'fen,eval\n{PROMOTION},3\n{STALEMATE},0\n"{PROMOTION}",9\n')
        for words in ((), ("--positions", positions), ("--seed", 7)):
            result = self.aleph("net", "agree", self.net("az"), "--count", "40", *words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            found = re.match(pattern, result.stdout)
            self.assertTrue(found, result.stdout)
            same, divergence, mean, largest, big, small, _ = map(float, found.groups())
            self.assertTrue(50 < same <= 100 and divergence < 0.1, result.stdout)
            self.assertTrue(mean <= largest < 0.2 and small < big, result.stdout)
        self.assertNotIn("value", self.aleph("net", "agree", self.net("from-to"), "--count", "3").stdout)
        self.assertNotIn("move", self.aleph("net", "agree", self.net("mute"), "--count", "3").stdout)

    def test_agree_refuses(self):
        bad = self.folder / "bad.epd"
        bad.write_text(f"{PROMOTION}\n8/8 w - -\n")
        over = self.folder / "over.epd"
        over.write_text(f"# nothing to play\n{MATE}\n")
        small = self.folder / "agree-small.safetensors"
        self.aleph("net", "quantize", self.net("az"), small)
        for words, part in (((self.net("az"), "--positions", bad), "bad.epd, line 2: "),
                            ((self.net("az"), "--positions", over), "no position to play"),
                            ((self.net("az"), "--positions", "no-such-file"), "cannot read"),
                            ((small,), "8 bits already"), (("no-such-network",), "neither a file")):
            result = self.aleph("net", "agree", *words)
            self.assertEqual((result.returncode, result.stdout), (1, ""), words)
            self.assertTrue(result.stderr.startswith("aleph net agree: "), result.stderr)
            self.assertIn(part, result.stderr)
        self.assertEqual(self.aleph("net", "agree", self.net("az"), "--count", "0").returncode, 2)

    def test_quantize(self):
        target = self.folder / "small.safetensors"
        result = self.aleph("net", "quantize", self.net("az"), target)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("int8 in", self.aleph("net", "info", target).stdout)
        self.assertLess(target.stat().st_size, self.net("az").stat().st_size / 2)
        exact, rounded = (self.policy_json("--net", net) for net in (self.net("az"), target))
        for key in ("value", "win", "draw", "loss"):
            self.assertAlmostEqual(exact[key], rounded[key], delta=0.05)
        result = self.aleph("net", "quantize", target, self.folder / "smaller.safetensors")
        self.assertEqual(result.returncode, 1)
        self.assertIn("8 bits already", result.stderr)

    def test_export(self):
        target = self.folder / "az.onnx"
        result = self.aleph("net", "export", self.net("az"), "--onnx", target)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertGreater(target.stat().st_size, 10_000)

    def test_a_description_that_is_none(self):
        text = self.folder / "wrong.json"
        wrong = dict(DESCRIPTIONS["az"], trunk={"kind": "resnet", "chanels": 3})
        for content, part in (("{", ""), (json.dumps(wrong), "chanels")):
            text.write_text(content)
            result = self.aleph("net", "new", text, self.folder / "wrong.safetensors")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertTrue(result.stderr.startswith("aleph net new: "), result.stderr)
            self.assertIn(part, result.stderr)

    def test_a_description_in_yaml(self):
        target = self.folder / "yaml.safetensors"
        result = self.aleph("net", "new", CONFIGS / "az-cnn-small.yml", target)
        if result.returncode == 0:
            self.assertIn("planes16", self.aleph("net", "info", target).stdout)
            wrong = self.folder / "wrong.yml"
            text = (CONFIGS / "az-cnn-small.yml").read_text(encoding="utf-8")
            wrong.write_text(text.replace("kind: planes16", "kind: planes17"))
            result = self.aleph("net", "new", wrong, target)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertRegex(result.stderr, r"wrong\.yml:\d+: input\.kind: ")
        else:  # built without yaml-cpp
            self.assertIn("YAML is read only by an aleph that", result.stderr)
            self.assertFalse(target.exists())
        self.assertEqual(len(result.stderr.splitlines()), 1)

    # ---- real networks

    def compare_with_golden(self, network, golden, tolerance):
        results = json.loads(golden.read_text(encoding="utf-8"))["results"]
        for entry in results[:6]:
            start, _, moves = entry["position"].partition(" moves ")
            fen = [] if start == "startpos" else start.removeprefix("fen ").split()
            answer = self.policy_json(*fen, "--moves", moves, "--net", network)
            got = {move["uci"]: 100 * move["probability"] for move in answer["moves"]}
            for uci, expected in entry["policy"].items():
                uci = uci if uci in got else AS_KING_MOVE[uci]
                self.assertAlmostEqual(got.pop(uci), expected["p"], delta=tolerance)
            self.assertEqual(got, {})
            self.assertAlmostEqual(answer["value"], float(entry["V"]), delta=1e-3)

    def test_maia_and_its_import(self):
        if not (LEELA / "maia-1500.pb.gz").exists() or not GOLDEN.is_dir():
            self.skipTest("shared networks not found (set ALEPH_SHARED)")
        network = LEELA / "maia-1500.pb.gz"
        self.compare_with_golden(network, GOLDEN / "maia-1500.json", 0.1)
        elsewhere = self.folder / "elsewhere"
        result = self.aleph("net", "import", network, "--to", elsewhere)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        imported = elsewhere / "maia-1500.safetensors"
        self.assertEqual(self.policy_json("--net", network)["moves"],
                         self.policy_json("--net", imported)["moves"])
        self.assertIn("planes112, format 1", self.aleph("net", "info", imported).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
