"""aleph net as a user meets it: import, list, info, verify, exit codes.

    net_command_test.py FOLDER      where the programs are
"""

import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ALEPH = Path(sys.argv[1]) / "aleph"
STOCKFISH = Path("/usr/games/stockfish")
SHARED = Path(os.environ.get("ALEPH_SHARED", Path(__file__).resolve().parents[2] / "../shared"))
NETS = SHARED / "nets" / "nnue"
LITE = "nn-61e7af4bb97d"


def quantile_file(card):
    """A .qnnue file as docs/formats/qnnue.md describes it, of zeros."""
    width, text = 128, card.encode()
    header = struct.pack("<8s9I", b"ALEPHQN", 1, width, 16, 32, 5, 8, 64, 8128, 410)
    content = header + b"\xab" * 32 + struct.pack("<I", len(text)) + text + bytes(
        8 * (1396 + 16 * width))
    return content + hashlib.sha256(content).digest()


class NetCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = self.folder / "data" / "aleph" / "nets"

    def net(self, *words):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"))
        return subprocess.run([str(ALEPH), "net", *map(str, words)], capture_output=True, text=True,
                              timeout=120, stdin=subprocess.DEVNULL, check=False, env=environment)

    def install_lite(self):
        if not NETS.is_dir():
            self.skipTest("shared networks not found (set ALEPH_SHARED)")
        result = self.net("import", NETS / f"{LITE}.nnue")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result

    def test_help_and_wrong_words(self):
        for words in (("--help",), ("import", "--help"), ("verify", "--help")):
            result = self.net(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("Usage: aleph net", result.stdout)
        for words in ((), ("castle",), ("import",), ("info",), ("list", "more"), ("import", "--no")):
            result = self.net(*words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)
            self.assertTrue(result.stderr.startswith("aleph net"), result.stderr)

    def test_import_list_info_verify(self):
        result = self.install_lite()
        self.assertIn(f"{LITE}.nnue", result.stdout)
        self.assertIn("installed", result.stdout)
        self.assertTrue((self.store / f"{LITE}.nnue").is_file())
        self.assertIn("already there", self.net("import", NETS / f"{LITE}.nnue").stdout)
        self.assertEqual(self.net("import", "-q", NETS / f"{LITE}.nnue").stdout, "")
        self.assertIn("1.2 MB", self.net("list").stdout)
        info = self.net("info", LITE).stdout
        for words in ("1,166,381 bytes", "P_hm 768", "1024 -> 32, 64 -> 32, 128 -> 1"):
            self.assertIn(words, info)
        result = self.net("verify")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.startswith(f"good  {LITE}.nnue"))

    def test_import_to_another_folder(self):
        if not NETS.is_dir():
            self.skipTest("shared networks not found (set ALEPH_SHARED)")
        elsewhere = self.folder / "elsewhere"
        result = self.net("import", NETS, "--to", elsewhere)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(sorted(p.name for p in elsewhere.iterdir()),
                         sorted(p.name for p in NETS.glob("*.nnue")))
        self.assertFalse(self.store.exists())

    def test_a_damaged_network_is_found_out_and_repaired(self):
        self.install_lite()
        path = self.store / f"{LITE}.nnue"
        content = bytearray(path.read_bytes())
        content[500_000] ^= 1
        path.write_bytes(content)
        result = self.net("verify", LITE)
        self.assertEqual(result.returncode, 1)
        self.assertIn("not what the name promises", result.stdout)
        self.assertEqual(self.net("info", LITE).returncode, 1)
        self.assertIn("replaced a damaged file",
                      self.net("import", NETS / f"{LITE}.nnue").stdout)
        self.assertEqual(self.net("verify", LITE).returncode, 0)

    def test_what_is_no_network_is_named(self):
        note = self.folder / "note.txt"
        note.write_text("nothing here")
        for place, reason in ((note, "there is no network in it"),
                              (self.folder / "missing", "No such file"),
                              (self.folder, "there is no network in it")):
            result = self.net("import", place)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(reason, result.stderr)
        for words in (("info", "nn-000000000000"), ("verify", "nn-000000000000")):
            result = self.net(*words)
            self.assertEqual(result.returncode, 1)
            self.assertIn("was not found in", result.stderr)
        self.assertIn("no networks in", self.net("list").stdout)

    def check_a_card_in_short(self, path):
        path.write_bytes(quantile_file(json.dumps({
            "calibration": {"positions": 1200, "loss": 0.0287, "gain_over_best_baseline": 0.23, "groups": [
                {"kind": "all", "coverage": [0.108, 0.25, 0.5, 0.744, 0.9]}, {"kind": 7}, 3]},
            "rounding": {"mean_expected_score": 0.0036, "worst_expected_score": "x"},
            "data": [{"content": "games: 7 rows"}, 5], "config": {"seed": 1}})))
        result = self.net("info", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for line in ("calibration    1,200 positions of other games: loss 0.02870, 23.0 % below",
                     "coverage       q10 10.8 %  q25 25.0 %  q50 50.0 %  q75 74.4 %  q90 90.0 %",
                     "rounding       bytes and floats are 0.0036 of expected score apart on average, 0.000",
                     "data           games: 7 rows\n", "data           5\n"):
            self.assertIn(line, result.stdout)
        self.assertNotIn("seed", result.stdout)

    def test_a_quantile_network_is_described(self):
        path = self.folder / "small.qnnue"
        path.write_bytes(quantile_file('{"name": "small", "positions": 12}'))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        result = self.net("info", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for line in (f"name           qn-{digest[:12]}.qnnue", "base           nn-abababababab.nnue, 128 wide",
                     f"SHA-256        {digest}", "name           small", "positions      12",
                     "layers         128 -> 16, 32 -> 32, 32 -> 5, in 8 stacks by piece count"):
            self.assertIn(line + "\n", result.stdout)
        self.assertEqual(self.net("info", "--json", path).stdout,
                         '{"name": "small", "positions": 12}\n')
        self.check_a_card_in_short(path)
        path.write_bytes(path.read_bytes()[:-1])
        result = self.net("info", path)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("the quantile network is cut short", result.stderr)

    def test_a_folder_that_cannot_be_written(self):
        if not NETS.is_dir():
            self.skipTest("shared networks not found (set ALEPH_SHARED)")
        blocked = self.folder / "file"
        blocked.write_text("")
        result = self.net("import", NETS, "--to", blocked)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write", result.stderr)

    @unittest.skipUnless(STOCKFISH.exists(), "Debian's stockfish is not installed")
    def test_the_network_inside_debians_stockfish(self):
        result = self.net("import", STOCKFISH)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue((self.store / "nn-ad9b42354671.nnue").is_file())
        self.assertEqual(self.net("verify", "ad9b42354671").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
