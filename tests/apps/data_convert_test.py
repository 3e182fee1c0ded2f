"""aleph-lab data convert as a user meets it: between files, and between files and datasets.

    data_convert_test.py FOLDER      where the programs are
"""

import gzip
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LAB = Path(sys.argv[1]) / "aleph-lab"
RECORD = """fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
move e2e4
score 31
ply 0
result 1
e
"""
BAD = RECORD.replace("e2e4", "e2e5")
# Black to move, clocks, en passant, castling rights lost, a promotion, and a move that is not known.
RECORDS = RECORD + """fen rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3
move e5f6
score -32768
ply 4
result -1
e
fen r3k2r/8/8/8/8/8/1p6/4K2R b Kq - 17 90
move b2b1n
score 32767
ply 179
result 0
e
fen 4k3/8/8/8/8/8/8/R3K3 w Q - 99 130
move 0000
score 512
ply 7
result 1
e
"""
# The same position as a record of 32 bytes.
BULLET = bytes.fromhex("ffff00000000ffff" "1342253100000000" "888888889bcaadb9" "1f00020404000000")
BINPACK = bytes.fromhex("42494e5026000000" "ffff00000000ffff" "2d844ad200000000" "111111113e955be3"
                        "0c70003c80000000" "0002" "3503ef04")


def data(*words, given=b""):
    return subprocess.run([str(LAB), "data", *map(str, words)], input=given, capture_output=True,
                          timeout=60, check=False)


def run(*words, given=b""):
    return data("convert", *words, given=given)


@unittest.skipUnless(LAB.exists(), "aleph-lab is not built")
class DataConvert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_plain_to_bulletformat_and_back(self):
        plain = self.file("a.plain", RECORD.encode())
        bullet, again = self.folder / "a.bullet", self.folder / "b.plain"
        result = run(plain, bullet)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertEqual(result.stdout, b"1 positions written, 0 bad records\n")
        self.assertEqual(bullet.read_bytes(), BULLET)
        self.assertEqual(run(bullet, again).returncode, 0)
        self.assertEqual(again.read_text(), RECORD.replace("KQkq", "-").replace("e2e4", "0000"))

    def test_binpack_to_standard_output(self):
        result = run(self.file("a.binpack", BINPACK), "-", "--to", "plain", "--limit", "2")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, b"2 positions written, 0 bad records\n")
        self.assertEqual([line for line in result.stdout.decode().splitlines() if "move" in line],
                         ["move e2e4", "move d7d5"])

    def test_standard_input(self):
        out = self.folder / "out"
        result = run("-", out, "--from", "bulletformat", "--to", "plain", given=BULLET * 3)
        self.assertEqual(result.stdout, b"3 positions written, 0 bad records\n")
        self.assertEqual(out.read_text().count("score 31\n"), 3)

    def test_bad_records_are_listed_and_no_failure(self):
        plain = self.file("a.plain", (RECORD + BAD + RECORD).encode())
        result = run(plain, self.folder / "out.bullet")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr.decode(),
                         f"{plain}:8: move: 'e2e5' is illegal: the pawn on e2 cannot go to e5\n")
        self.assertEqual(result.stdout, b"2 positions written, 1 bad records\n")

    def test_positions_that_the_format_cannot_hold_are_left_out(self):
        plain = self.file("a.plain", RECORD.replace("31", "99999").encode())
        result = run(plain, self.folder / "out.bullet")
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"the score 99999 does not fit 16 bits", result.stderr)
        self.assertEqual(result.stdout, b"0 positions written, 0 bad records\n")

    def test_failures(self):
        plain = self.file("a.plain", RECORD.encode())
        result = run(self.folder / "missing.plain", self.folder / "out.bullet")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"aleph: cannot open ", result.stderr)
        result = run(plain, plain / "x.plain")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"aleph: cannot write ", result.stderr)
        self.assertEqual(run(self.file("a.bin", BULLET), self.folder / "b.plain").returncode, 1)
        self.assertFalse((self.folder / "b.plain").exists())

    def test_wrong_usage(self):
        plain = self.file("a.plain", RECORD.encode())
        for words in ((), (plain,), (plain, "out"), (plain, "out.binpack"),
                      (plain, "out", "--to", "binpack"), (plain, "out.plain", "--from", "pgn"),
                      (plain, "out.plain", "--limit", "0")):
            with self.subTest(words=words):
                self.assertEqual(run(*words).returncode, 2)

    def test_help(self):
        self.assertIn(b"--limit", run("--help").stdout)


@unittest.skipUnless(LAB.exists(), "aleph-lab is not built")
class Datasets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def good(self, *words, given=b""):
        result = data(*words, given=given)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout.decode()

    def rows(self, folder, columns):
        text = self.good("sql", folder, f"SELECT {columns} FROM rows ORDER BY game_id")
        return [line.split() for line in text.splitlines()[1:]]

    def refused(self, words, sentence, code=1):
        result = run(*words)
        self.assertEqual((result.returncode, result.stdout), (code, b""))
        self.assertIn(sentence, result.stderr.decode())

    def test_plain_there_and_back(self):
        plain = self.file("a.plain", RECORDS.encode())
        made, again = self.folder / "set", self.folder / "b.plain"
        self.assertEqual(self.good("convert", plain, made, "--to", "dataset"),
                         "4 positions written, 0 bad records\n")
        self.assertEqual(self.good("validate", made), "4 rows, 0 bad\n")
        self.assertEqual(self.rows(made, "depths, scores, outcome, move IS NULL AS none, ply, game_id"),
                         [["[0]", "[31]", "1", "false", "0", "0"],
                          ["[0]", "[-32768]", "-1", "false", "4", "1"],
                          ["[0]", "[32767]", "0", "false", "179", "2"],
                          ["[0]", "[512]", "1", "true", "7", "3"]])
        self.good("convert", made, again)
        self.assertEqual(again.read_text(), RECORDS)
        self.assertIn("4", self.good("stats", made))
        self.assertIn("b1=N", self.good("view", made, "--row", 2))
        # What plain text loses on the way to bulletformat is lost at the end, not before.
        self.good("convert", made, self.folder / "by_set.bullet")
        self.good("convert", plain, self.folder / "by_file.bullet")
        self.assertEqual((self.folder / "by_set.bullet").read_bytes(),
                         (self.folder / "by_file.bullet").read_bytes())

    def test_bulletformat_there_and_back(self):
        bullet = self.file("a.bullet", BULLET * 5)
        made, again = self.folder / "set", self.folder / "b.bullet"
        self.good("convert", bullet, f"{made}/")
        self.assertEqual(self.rows(made, "move, ply"), [["-", "-"]] * 5)
        self.assertEqual(self.good("validate", made), "5 rows, 0 bad\n")
        self.good("convert", made, again)
        self.assertEqual(again.read_bytes(), bullet.read_bytes())

    def test_binpack_becomes_a_dataset(self):
        binpack = self.file("a.binpack", BINPACK)
        made, text = self.folder / "set", self.folder / "direct.plain"
        self.good("convert", binpack, made, "--to", "dataset")
        self.good("validate", made)
        self.good("convert", binpack, text)
        result = run(made, "-", "--to", "plain")
        self.assertEqual(result.stdout, text.read_bytes())

    def test_shards(self):
        """More rows than one shard holds, in their order; the last ones by standard input."""
        count = 200_000
        scores = [number % 3001 for number in range(count)]
        given = b"".join(BULLET[:24] + score.to_bytes(2, "little") + BULLET[26:] for score in scores)
        made = self.folder / "set"
        self.good("convert", "-", made, "--from", "bulletformat", "--to", "dataset", given=given)
        description = json.loads((made / "dataset.json").read_text())
        self.assertEqual([shard["rows"] for shard in description["splits"][0]["shards"]],
                         [196_608, count - 196_608])
        self.assertEqual(description["sources"], [{"file": "standard input", "bytes": None}])
        result = run(made, "-", "--to", "bulletformat", "--split", "train")
        self.assertEqual(result.stderr, b"200,000 positions written, 0 bad records\n")
        self.assertEqual(result.stdout, given)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["set"])

    def test_what_is_bad_or_does_not_fit_is_counted(self):
        plain = self.file("a.plain", (RECORD + BAD + RECORD.replace("31", "99999")).encode())
        made = self.folder / "set"
        result = run(plain, made, "--to", "dataset")
        self.assertEqual((result.returncode, result.stdout),
                         (0, b"1 positions written, 1 bad records\n"))
        self.assertEqual(result.stderr.decode(),
                         f"{plain}:8: move: 'e2e5' is illegal: the pawn on e2 cannot go to e5\n"
                         "1 positions were left out; of the first: "
                         "the score 99999 does not fit 16 bits\n")
        description = json.loads((made / "dataset.json").read_text())
        self.assertEqual(description["counts"], {"bad_records": 1, "left_out": 1, "rows": 1})
        self.assertEqual(description["sources"],
                         [{"file": "a.plain", "bytes": plain.stat().st_size}])

    def test_rows_without_an_outcome_have_no_record(self):
        plain = self.file("a.plain", (RECORDS + RECORD.replace("result 1\n", "")).encode())
        made = self.folder / "set"
        self.good("convert", plain, made, "--to", "dataset")
        result = run(made, "-", "--to", "plain", "--limit", "3")
        self.assertEqual(result.stdout.decode(), "e\n".join(RECORDS.split("e\n")[:3]) + "e\n")
        result = run(made, "-", "--to", "plain")
        self.assertEqual(result.stdout.decode(), RECORDS)
        self.assertIn(b"1 positions were left out; of the first: the result is not known",
                      result.stderr)

    def test_refusals(self):
        plain = self.file("a.plain", RECORD.encode())
        made, out = self.folder / "set", self.folder / "out.plain"
        self.good("convert", plain, made, "--to", "dataset")
        before = (made / "dataset.json").read_bytes()
        for words, sentence in (
                ((plain, made, "--to", "dataset"), f"aleph: {made} is there already\n"),
                ((plain, made), f"aleph: {made} is there already\n"),
                ((plain, f"{made}/"), f"aleph: {made} is there already\n"),
                ((plain, plain, "--to", "dataset"), f"aleph: {plain} is there already\n"),
                ((plain, plain / "set", "--to", "dataset"), f"aleph: cannot write {plain}/set: "),
                ((self.folder, out), f"aleph: there is no dataset in {self.folder}\n"),
                ((made, out, "--split", "test"), f"aleph: {made} has no split test\n")):
            with self.subTest(words=words):
                self.refused(words, sentence)
        for words in ((made, self.folder / "other/"), (made, self.folder / "x", "--to", "dataset"),
                      (plain, out, "--split", "train"), (plain, "-", "--to", "dataset"), (made, "out.binpack"), (made, "out")):
            with self.subTest(words=words):
                self.refused(words, "", code=2)
        self.assertEqual((made / "dataset.json").read_bytes(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.plain", "set"])

    def test_rows_of_another_schema_are_refused(self):
        pgn = self.file("a.pgn", b"1. e4 e5 *\n")
        made = self.folder / "set"
        self.good("build", "--pgn", pgn, "--out", made, "--schema", "policy")
        self.refused((made, self.folder / "a.plain"),
                     f"aleph: {made} holds policy rows, and it takes score rows\n")

    def test_a_damaged_archive_makes_no_dataset(self):
        damaged = self.file("a.plain.gz", gzip.compress(RECORDS.encode() * 50)[:-20])
        made = self.folder / "set"
        result = run(damaged, made, "--to", "dataset")
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.plain.gz"])

    def test_a_damaged_dataset_is_named(self):
        made = self.folder / "set"
        self.good("convert", self.file("a.plain", RECORDS.encode()), made, "--to", "dataset")
        (made / "train-00000.parquet").write_bytes(b"PAR1")
        result = run(made, self.folder / "b.plain")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"aleph: {made}/train-00000.parquet: ", result.stderr.decode())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
