"""The rules of chess, slow and obvious: a mailbox board that shares nothing with src/chess.

It says which moves of an engine are legal and where a game ends. rules_test.py proves it by perft.
"""

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

NAMES = [file + rank for rank in "12345678" for file in "abcdefgh"]
SQUARES = {name: square for square, name in enumerate(NAMES)}

DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def walk(square, x, y, most):
    """The squares in one direction, the nearest first."""
    file, rank, found = square % 8 + x, square // 8 + y, []
    while 0 <= file < 8 and 0 <= rank < 8 and len(found) < most:
        found.append(rank * 8 + file)
        file, rank = file + x, rank + y
    return found


def walks(directions, most):
    every = ([walk(square, x, y, most) for x, y in directions] for square in range(64))
    return [[way for way in ways if way] for ways in every]


# For every piece and square the ways it can go, and for White and Black where pawns take.
WAYS = {"n": walks(KNIGHT, 1), "k": walks(DIAGONAL + STRAIGHT, 1), "b": walks(DIAGONAL, 7),
        "r": walks(STRAIGHT, 7), "q": walks(DIAGONAL + STRAIGHT, 7)}
PAWN_TAKES = {True: walks(((-1, 1), (1, 1)), 1), False: walks(((-1, -1), (1, -1)), 1)}


class Board:
    """A position with its history. Squares count from a1 = 0, b1 = 1; pieces are FEN letters."""

    def __init__(self, fen=START, chess960=False):
        """`chess960`: castling is written as king takes rook."""
        pieces, side, castling, passed = fen.split()[:4]
        clocks = fen.split()[4:]
        self.chess960 = chess960
        self.pieces = {}
        for rank, row in zip(range(7, -1, -1), pieces.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    self.pieces[rank * 8 + file] = letter
                    file += 1
        self.white = side == "w"
        self.passed = SQUARES.get(passed)
        self.rooks = {self._castling_rook(letter) for letter in castling if letter != "-"}
        self.clock = int(clocks[0]) if clocks else 0
        self._known_moves = None
        self.seen = [self._identity()]

    def _castling_rook(self, letter):
        first = 0 if letter.isupper() else 56
        king, rook = ("K", "R") if letter.isupper() else ("k", "r")
        if letter.lower() not in "kq":
            return first + "abcdefgh".index(letter.lower())
        home = next(square for square in range(first, first + 8) if self.pieces.get(square) == king)
        outside = range(first + 7, home, -1) if letter.lower() == "k" else range(first, home)
        return next(square for square in outside if self.pieces.get(square) == rook)

    def copy(self):
        other = object.__new__(Board)
        other.__dict__.update(self.__dict__)
        other.pieces, other.rooks, other.seen = dict(self.pieces), set(self.rooks), list(self.seen)
        return other

    def _is_own(self, square):
        return square in self.pieces and self.pieces[square].isupper() == self.white

    def king(self, white):
        return next(square for square, piece in self.pieces.items()
                    if piece == ("K" if white else "k"))

    def is_attacked(self, square, by_white):
        """As seen from the square: a piece there would reach an enemy of its kind."""
        pieces = self.pieces
        for ways, kinds in ((WAYS["n"], "n"), (WAYS["k"], "k"), (PAWN_TAKES[not by_white], "p"),
                            (WAYS["b"], "bq"), (WAYS["r"], "rq")):
            enemies = kinds.upper() if by_white else kinds
            for way in ways[square]:
                for to in way:
                    if to in pieces:
                        if pieces[to] in enemies:
                            return True
                        break
        return False

    def in_check(self):
        return self.is_attacked(self.king(self.white), not self.white)

    def _pawn_moves(self, square):
        ahead, home = (8, 1) if self.white else (-8, 6)
        targets = []
        if square + ahead not in self.pieces:
            targets.append(square + ahead)
            if square // 8 == home and square + 2 * ahead not in self.pieces:
                targets.append(square + 2 * ahead)
        for (to,) in PAWN_TAKES[self.white][square]:
            if to == self.passed or (to in self.pieces and not self._is_own(to)):
                targets.append(to)
        for to in targets:
            for promotion in "qrbn" if to // 8 in (0, 7) else ("",):
                yield square, to, promotion

    def _pseudo_moves(self):
        for square, piece in list(self.pieces.items()):
            if not self._is_own(square):
                continue
            if piece in "Pp":
                yield from self._pawn_moves(square)
                continue
            for way in WAYS[piece.lower()][square]:
                for to in way:
                    if not self._is_own(to):
                        yield square, to, ""
                    if to in self.pieces:
                        break

    @staticmethod
    def _castled(king, rook):
        """Where king and rook stand after castling."""
        first = king // 8 * 8
        return (first + 6, first + 5) if rook > king else (first + 2, first + 3)

    def _castlings(self):
        king = self.king(self.white)
        for rook in self.rooks:
            if not self._is_own(rook):
                continue
            places = (king, rook, *self._castled(king, rook))
            between = range(min(places), max(places) + 1)
            if any(square in self.pieces and square not in (king, rook) for square in between):
                continue
            path = range(min(king, places[2]), max(king, places[2]) + 1)
            if not any(self.is_attacked(square, not self.white) for square in path):
                yield king, rook, "castles"

    def moves(self):
        """The legal moves as UCI writes them."""
        return list(self._legal())

    def _legal(self):
        if self._known_moves is not None:
            return self._known_moves
        found = {}
        for move in [*self._pseudo_moves(), *self._castlings()]:
            before, self.pieces = self.pieces, dict(self.pieces)
            self._put(move)
            safe = not self.in_check()
            self.pieces = before
            square, to, special = move
            if special == "castles" and not self.chess960:
                to = self._castled(square, to)[0]
            if safe:
                found[NAMES[square] + NAMES[to] + special.replace("castles", "")] = move
        self._known_moves = found
        return found

    def _put(self, move):
        """Moves the pieces, and nothing else."""
        square, to, special = move
        if special == "castles":
            king, rook = self.pieces.pop(square), self.pieces.pop(to)
            king_to, rook_to = self._castled(square, to)
            self.pieces[king_to], self.pieces[rook_to] = king, rook
            return
        piece = self.pieces.pop(square)
        if piece in "Pp" and to == self.passed and to not in self.pieces:
            del self.pieces[square // 8 * 8 + to % 8]
        if special:
            piece = special.upper() if self.white else special
        self.pieces[to] = piece

    def make(self, text):
        """Plays a legal move; ValueError if it is not."""
        legal = self._legal()
        if text not in legal:
            raise ValueError(f"{text} is not legal")
        square, to, special = move = legal[text]
        pawn = self.pieces[square] in "Pp"
        irreversible = pawn or (to in self.pieces and special != "castles")
        if self.pieces[square] in "Kk":
            self.rooks = {rook for rook in self.rooks if rook // 8 != (0 if self.white else 7)}
        self.rooks -= {square, to}
        self._put(move)
        self._known_moves = None
        self.passed = (square + to) // 2 if pawn and abs(to - square) == 16 else None
        self.white = not self.white
        self.clock = 0 if irreversible else self.clock + 1
        self.seen = [] if irreversible else self.seen
        self.seen.append(self._identity())

    def _identity(self):
        """What makes two positions the same. An en passant square counts only if it can be used."""
        passed = self.passed
        if passed is not None and not any(move[1] == passed and self.pieces[move[0]] in "Pp"
                              for move in self._legal().values()):
            passed = None
        return frozenset(self.pieces.items()), self.white, frozenset(self.rooks), passed

    def is_mate(self):
        return self.in_check() and not self._legal()

    def is_over(self):
        """Mate, stalemate, dead position, fifty moves, third occurrence."""
        return (not self._legal() or self.clock >= 100 or self.seen.count(self.seen[-1]) >= 3
                or self.is_dead())

    def is_dead(self):
        kinds = [piece.lower() for piece in self.pieces.values() if piece not in "Kk"]
        if kinds in ([], ["n"]):
            return True
        bishops = {(square % 8 + square // 8) % 2
                   for square, piece in self.pieces.items() if piece in "Bb"}
        return set(kinds) == {"b"} and len(bishops) == 1

    def fen(self):
        rows = []
        for first in range(56, -1, -8):
            row = "".join(self.pieces.get(square, "1") for square in range(first, first + 8))
            for count in range(8, 1, -1):
                row = row.replace("1" * count, str(count))
            rows.append(row)
        rooks = [NAMES[rook] for rook in sorted(self.rooks, key=lambda rook: (rook // 8, -rook))]
        letters = "".join(name[0].upper() if name[1] == "1" else name[0] for name in rooks)
        return (f"{'/'.join(rows)} {'w' if self.white else 'b'} {letters or '-'} "
                f"{'-' if self.passed is None else NAMES[self.passed]} {self.clock} 1")


def perft(board, depth):
    if depth == 1:
        return len(board.moves())
    total = 0
    for move in board.moves():
        after = board.copy()
        after.make(move)
        total += perft(after, depth - 1)
    return total


def chess960_start(number):
    """The FEN of one of the 960 starting positions."""
    row = [""] * 8
    number, light = divmod(number, 4)
    row[2 * light + 1] = "B"
    number, dark = divmod(number, 4)
    row[2 * dark] = "B"
    knights, queen = divmod(number, 6)
    row[[i for i in range(8) if not row[i]][queen]] = "Q"
    pairs = [(i, j) for i in range(5) for j in range(i + 1, 5)]
    free = [i for i in range(8) if not row[i]]
    for i in pairs[knights]:
        row[free[i]] = "N"
    for i, letter in zip([i for i in range(8) if not row[i]], "RKR"):
        row[i] = letter
    white = "".join(row)
    rooks = "".join("ABCDEFGH"[i] for i in range(7, -1, -1) if row[i] == "R")
    return f"{white.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rooks}{rooks.lower()} - 0 1"
