"""aleph data hdf5 against h5py and PyTables: each reads what the others write, exactly.

    hdf5_peers_test.py FOLDER      where the programs are
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DEBIANS_PYTHON = "/usr/bin/python3"
try:
    import h5py
    import numpy
    import tables
except ImportError:
    # Debian's modules belong to its own Python, which need not be the one that runs the tests.
    if os.path.exists(DEBIANS_PYTHON) and not os.path.samefile(DEBIANS_PYTHON, sys.executable):
        os.execv(DEBIANS_PYTHON, [DEBIANS_PYTHON, *sys.argv])
    h5py = numpy = tables = None

LAB = Path(sys.argv[1]) / "aleph-lab"
NAME = "encoded_data"

# En passant and castling kingside by both; a promotion and castling queenside; a mate.
PGN = """[White "A"]
[WhiteElo "2500"]
[BlackElo "2450"]

1. e4 Nf6 2. e5 d5 3. exd6 e6 4. Nf3 Bxd6 5. Be2 O-O 6. O-O a6 1/2-1/2

[White "B"]
[WhiteElo "2100"]
[BlackElo "2450"]

1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=Q Qxa8 6. Nc3 e6 7. d4 Be7 8. Bf4 Nf6
9. Qd2 O-O 10. O-O-O 1-0

[White "C"]

1. f3 e5 2. g4 Qh4# 0-1
"""
GAMES = ["e2e4 g8f6 e4e5 d7d5 e5d6 e7e6 g1f3 f8d6 f1e2 e8g8 e1g1 a7a6",
         "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8 d8a8 b1c3 e7e6 d2d4 f8e7 c1f4 g8f6 "
         "d1d2 e8g8 e1c1",
         "f2f3 e7e5 g2g4 d8h4"]

FLAGS = ["white_kingside_castling_rights", "white_queenside_castling_rights",
         "black_kingside_castling_rights", "black_queenside_castling_rights"]
FIELDS = ["board_position", "turn", *FLAGS, "from_square", "to_square"]
RIGHTS_LOST = {4: (0, 1), 7: (0,), 0: (1,), 60: (2, 3), 63: (2,), 56: (3,)}  # by square
CODES = {" ": 0, **{letter: 2 + code for code, letter in enumerate("pPrRnNbBqQkK")}}


def square(name):
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


class SlowBoard:
    """Plays moves that are known to be legal, as simply as can be: a check on the engine's rows."""

    def __init__(self):
        self.squares = list("RNBQKBNR" + "P" * 8 + " " * 32 + "p" * 8 + "rnbqkbnr")
        self.turn = 0
        self.rights = [True] * 4

    def row(self, move):
        return (tuple(CODES[piece] for piece in self.squares), self.turn, *self.rights,
                square(move[:2]), square(move[2:4]))

    def play(self, move):
        start, end = square(move[:2]), square(move[2:4])
        piece = self.squares[start]
        if piece in "Pp" and start % 8 != end % 8 and self.squares[end] == " ":
            self.squares[start - start % 8 + end % 8] = " "  # en passant
        if piece in "Kk" and abs(start - end) == 2:
            rook = start + 3 if end > start else start - 4
            self.squares[(start + end) // 2], self.squares[rook] = self.squares[rook], " "
        if piece in "Pp" and end // 8 in (0, 7):
            piece = "Q" if piece == "P" else "q"
        self.squares[start], self.squares[end] = " ", piece
        for touched in (start, end):
            for flag in RIGHTS_LOST.get(touched, ()):
                self.rights[flag] = False
        self.turn = 1 - self.turn


def rows_of(games):
    rows = []
    for game in games:
        board = SlowBoard()
        for move in game.split():
            rows.append(board.row(move))
            board.play(move)
    return rows


def row_type(number="u1", flag="?", board="u1", order=None, more=()):
    types = {"board_position": (board, (64,)), "turn": (number,), "from_square": (number,),
             "to_square": (number,), **{name: (flag,) for name in FLAGS}}
    return numpy.dtype([(name, *types[name]) for name in order or FIELDS] + list(more))


def as_array(rows, dtype):
    array = numpy.zeros(len(rows), dtype)
    for name, values in zip(FIELDS, zip(*rows)):
        array[name] = numpy.array(values)
    return array


def data(*words, text=""):
    return subprocess.run([str(LAB), "data", *map(str, words)], input=text, capture_output=True,
                          text=True, timeout=120, check=False)


def run(*words, text=""):
    return data("hdf5", *words, text=text)


@unittest.skipUnless(LAB.exists(), "aleph-lab is not built")
@unittest.skipIf(h5py is None, "h5py and PyTables are not both installed (make setup-test)")
class Peers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.rows = rows_of(GAMES)

    def good(self, *words, text=""):
        result = run(*words, text=text)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def check_ours(self, file, rows):
        """That both peers find these rows in a file of ours."""
        expected = as_array(rows, row_type())
        with h5py.File(file, "r") as opened:
            self.assertEqual(opened[NAME].dtype, row_type())
            self.assertEqual(opened[NAME][:].tobytes(), expected.tobytes())
        with tables.open_file(str(file)) as opened:
            table = opened.get_node("/" + NAME)
            self.assertEqual(table.colnames, FIELDS)
            found = table.read()
        self.assertEqual(len(found), len(rows))
        for name in FIELDS:
            numpy.testing.assert_array_equal(found[name], expected[name], name)

    def check_read(self, file, rows):
        """That we find these rows in a file of theirs: written again, they are the same."""
        again = self.folder / "again.h5"
        output = self.good("import", file, "--out", again)
        self.assertRegex(output, rf"(?m)^legal +{len(rows)}$")
        self.assertRegex(output, r"(?m)^illegal +0$")
        self.check_ours(again, rows)

    def test_export_is_what_a_slow_board_says(self):
        file = self.folder / "games.h5"
        output = self.good("export", "--pgn", "-", "--out", file, text=PGN)
        self.assertRegex(output, rf"(?m)^rows +{len(self.rows)}$")
        self.check_ours(file, self.rows)

    def test_export_selects_games(self):
        pgn = self.folder / "games.pgn"
        pgn.write_text(PGN)
        file = self.folder / "some.h5"
        self.good("export", "--pgn", pgn, pgn, "--out", file, "--only-checkmates")
        self.check_ours(file, rows_of(GAMES[2:]) * 2)
        self.good("export", "--pgn", pgn, "--out", file, "--min-elo", "2400")
        self.check_ours(file, rows_of(GAMES[:1]))

    def test_h5py(self):
        types = [row_type(), row_type("i1", "i1", "i1"), row_type("<i8", "u1", ">i4"),
                 row_type(">u2", "?", "<u8", order=FIELDS[::-1]),
                 row_type(more=[("length", "i1"), ("moves", "i2", (11,)), ("note", "S7")])]
        ways = [{}, {"chunks": (7,)}, {"chunks": (5,), "compression": "gzip", "shuffle": True},
                {"maxshape": (None,), "fletcher32": True}]
        for number, (dtype, way) in enumerate((dtype, way) for dtype in types for way in ways):
            with self.subTest(dtype=dtype, way=way):
                file = self.folder / f"h5py{number}.h5"
                with h5py.File(file, "w") as made:
                    made.create_dataset(NAME, data=as_array(self.rows, dtype), **way)
                self.check_read(file, self.rows)

    def test_pytables(self):
        columns = [(tables.UInt8Col, tables.BoolCol), (tables.Int8Col, tables.Int8Col),
                   (tables.Int64Col, tables.BoolCol)]
        for number, (integer, flag) in enumerate(columns):
            for filters in (None, tables.Filters(complevel=5, complib="zlib", fletcher32=True)):
                with self.subTest(integer=integer, filters=filters):
                    file = self.folder / f"tables{number}{filters is None}.h5"
                    self.write_with_pytables(file, integer, flag, filters)
                    self.check_read(file, self.rows)

    def write_with_pytables(self, file, integer, flag, filters):
        description = {"board_position": integer(shape=(64,)), "length": tables.Int8Col(),
                       **{name: flag() for name in FLAGS},
                       **{name: integer() for name in ("turn", "from_square", "to_square")}}
        with tables.open_file(str(file), "w", title="data file") as made:
            made.create_table("/", "data", {"turn": tables.StringCol(1)})  # as LE22ct.h5 has
            table = made.create_table("/", NAME, description, filters=filters)
            table.append(as_array(self.rows, table.dtype))

    def test_many_rows(self):
        file, again = self.folder / "many.h5", self.folder / "again.h5"
        with h5py.File(file, "w") as made:
            made.create_dataset(NAME, data=numpy.tile(as_array(self.rows, row_type()), 3000),
                                chunks=(1000,))
        self.good("import", file, "--out", again)
        with h5py.File(again, "r") as ours, h5py.File(file, "r") as theirs:
            self.assertEqual(ours[NAME][:].tobytes(), theirs[NAME][:].tobytes())

    def test_illegal_rows_are_counted_and_named(self):
        array = as_array(self.rows, row_type("i2"))
        array["from_square"][3] = -1
        array["turn"][4] = 1
        file = self.folder / "illegal.h5"
        with h5py.File(file, "w") as made:
            made[NAME] = array
        result = run("import", file, "--errors", "1", "--show", "1")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, f"{file}: row 3: from_square: 255 is not a square, 0 to 63\n"
                                        f"{file}: 1 more illegal rows\n")
        self.assertRegex(result.stdout, r"(?m)^illegal +2$")
        self.assertIn("row 0: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e2e4\n",
                      result.stdout)

    def test_the_coding_of_chess_transformers(self):
        file = self.folder / "published.h5"
        with h5py.File(file, "w") as made:
            published = [as_published(row) for row in self.rows]
            made[NAME] = as_array(published, row_type("i1", "i1", "i1"))
        again = self.folder / "again.h5"
        self.good("import", file, "--coding", "chess-transformers", "--out", again)
        self.check_ours(again, self.rows)

    def test_a_dataset_there_and_back(self):
        file, made, again = (self.folder / name for name in ("a.h5", "set", "again.h5"))
        self.good("export", "--pgn", "-", "--out", file, text=PGN)
        self.good("import", file, "--to", made)
        self.assertEqual(data("validate", made).stdout, f"{len(self.rows)} rows, 0 bad\n")
        counts = data("sql", made, "SELECT count(*) AS rows, count(score) AS score, "
                      "count(rating) AS rating, count(opponent_rating) AS opponent, "
                      "count(result) AS result, count(ply) AS ply, max(game_id) AS last FROM rows")
        self.assertEqual(counts.stdout.split()[7:],
                         [str(len(self.rows)), "0", "0", "0", "0", "0", str(len(self.rows) - 1)])
        self.assertEqual(data("stats", made).returncode, 0)
        output = self.good("export", "--data", made, "--out", again)
        self.assertRegex(output, rf"(?m)^rows +{len(self.rows)}$")
        self.assertEqual(again.read_bytes(), file.read_bytes())
        self.check_ours(again, self.rows)

    def test_a_dataset_in_the_other_coding(self):
        files = [self.folder / name for name in ("a.h5", "b.h5")]
        coding = ("--coding", "chess-transformers")
        self.good("export", "--pgn", "-", "--out", files[0], *coding, text=PGN)
        self.good("import", files[0], "--to", self.folder / "set", *coding)
        self.good("export", "--data", self.folder / "set", "--out", files[1], *coding)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_datasets_of_games_give_the_rows_of_the_games(self):
        pgn = self.folder / "games.pgn"
        pgn.write_text(PGN)
        # The third game has no ratings, and so it has no human rows.
        cases = [(("--schema", "policy"), self.rows), (("--schema", "human"), rows_of(GAMES[:2])),
                 (("--schema", "human", "--normalization", "rotate"), rows_of(GAMES[:2]))]
        for number, (words, rows) in enumerate(cases):
            with self.subTest(words=words):
                made, file = self.folder / f"set{number}", self.folder / f"rows{number}.h5"
                self.assertEqual(data("build", "--pgn", pgn, "--out", made, *words).returncode, 0)
                self.good("export", "--data", made, "--out", file)
                self.check_ours(file, rows)

    def test_illegal_rows_do_not_get_into_a_dataset(self):
        array = as_array(self.rows, row_type())
        array["turn"][4] = 7
        file, made = self.folder / "illegal.h5", self.folder / "set"
        with h5py.File(file, "w") as opened:
            opened[NAME] = array
        result = run("import", file, "--to", made)
        self.assertEqual(result.stderr, f"{file}: row 4: turn: 7 is neither 0 nor 1\n")
        self.assertEqual(data("validate", made).stdout, f"{len(self.rows) - 1} rows, 0 bad\n")

    def test_datasets_that_are_refused(self):
        file, made = self.folder / "a.h5", self.folder / "set"
        self.good("export", "--pgn", "-", "--out", file, text=PGN)
        self.good("import", file, "--to", made)
        scores = self.folder / "scores"
        pgn = self.folder / "games.pgn"
        pgn.write_text(PGN)
        data("build", "--pgn", pgn, "--out", scores, "--schema", "score")
        out = self.folder / "none.h5"
        for words, sentence in (
                (("import", file, "--to", made), f"{made} is there already"),
                (("export", "--data", self.folder, "--out", out),
                 f"there is no dataset in {self.folder}"),
                (("export", "--data", made, "--split", "test", "--out", out),
                 f"{made} has no split test"),
                (("export", "--data", scores, "--out", out),
                 f"{scores} holds score rows, and it takes policy or human rows")):
            with self.subTest(sentence=sentence):
                result = run(*words)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertEqual(result.stderr, f"aleph: {sentence}\n")
        for words in ((), ("--data", made, "--pgn", pgn), ("--data", made, "--only-winner"),
                      ("--pgn", pgn, "--split", "train")):
            with self.subTest(words=words):
                self.assertEqual(run("export", *words, "--out", out).returncode, 2)
        self.assertFalse(out.exists())

    def test_what_cannot_be_read_is_one_sentence(self):
        lacking = self.folder / "lacking.h5"
        with h5py.File(lacking, "w") as made:
            made[NAME] = as_array(self.rows, row_type())[FIELDS[:-1]]
        foreign = self.folder / "foreign.h5"
        foreign.write_text("row,turn\n")
        for words, sentence in (
                ((lacking,), f"{lacking}: '{NAME}' has no field 'to_square'"),
                ((foreign,), f"{foreign}: not an HDF5 file"),
                ((lacking, "--dataset", "x"), f"{lacking}: there is no 'x'; the file has '{NAME}'"),
                ((self.folder / "no.h5",), f"cannot open {self.folder / 'no.h5'}: "
                                           "No such file or directory")):
            with self.subTest(sentence=sentence):
                result = run("import", *words, "--out", self.folder / "none.h5")
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertEqual(result.stderr, f"aleph: {sentence}\n")
        self.assertFalse((self.folder / "none.h5").exists())


def as_published(row):
    """The same row with other numbers: even codes for White, 1 for White to move, a8 first."""
    board, turn, *rights, start, end = row
    flipped = [code ^ 1 if code else 0 for code in board]
    turned = tuple(flipped[number ^ 56] for number in range(64))
    return (turned, 1 - turn, *rights, start ^ 56, end ^ 56)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
