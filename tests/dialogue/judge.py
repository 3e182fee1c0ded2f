"""Whether what a search says is true: legal lines, mates that mate, lines that differ."""

from engine import ANSWER, SCORE_INFO
from rules import Board


class Judge:
    """Of one position, given by a FEN and moves. Problems are kept as sentences."""

    def __init__(self, fen, moves=(), chess960=False):
        self.board = Board(fen, chess960)
        for move in moves:
            self.board.make(move)
        self.command = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
        self.problems = []
        self._after = {(): self.board}  # positions of lines: most lines begin alike

    def _position_after(self, line):
        if line not in self._after:
            board = self._position_after(line[:-1]).copy()
            board.make(line[-1])
            self._after[line] = board
        return self._after[line]

    def read_search(self, lines):
        """All lines of one search, the answer last. Returns the info lines as matches."""
        infos = [info for info in map(SCORE_INFO.fullmatch, lines) if info]
        for info in infos:
            self.read_line(info)
        answer = ANSWER.fullmatch(lines[-1])
        if answer["best"] and answer["best"] not in self.board.moves():
            self._complain(f"{answer['best']} is not legal", lines[-1])
        elif answer["ponder"]:
            if answer["ponder"] not in self._position_after((answer["best"],)).moves():
                self._complain(f"{answer['ponder']} is not legal", lines[-1])
        if not answer["best"] and self.board.moves():
            self._complain("there are legal moves", lines[-1])
        return infos

    def read_line(self, info):
        line = tuple((info["pv"] or "").split())
        if not line and self.board.moves():
            self._complain("no line", info[0])
        for number, move in enumerate(line):
            board = self._position_after(line[:number])
            if number > 0 and board.is_over():
                self._complain(f"the game is over before {move}", info[0])
                return
            if move not in board.moves():
                self._complain(f"{move} is not legal", info[0])
                return
        board = self._position_after(line)
        if info["kind"] == "mate" and not info["bound"]:
            self._check_mate(int(info["score"]), len(line), board, info[0])

    def _check_mate(self, moves, plies, board, text):
        wanted = 2 * moves - 1 if moves > 0 else -2 * moves
        if plies != wanted or not board.is_mate():
            end = "mate" if board.is_mate() else "no mate"
            self._complain(f"{plies} plies and {end} instead of {wanted} and mate", text)

    def read_blocks(self, infos, lines):
        """MultiPV: after the first depths, `lines` lines in a row, the best first."""
        count = min(lines, len(self.board.moves()))
        blocks = [infos[i:i + count] for i in range(0, len(infos) - 1, count)]
        for block in blocks:
            text = "\n".join(info[0] for info in block)
            if [int(info["multipv"]) for info in block] != list(range(1, count + 1)):
                self._complain("the lines are not numbered 1, 2, ...", text)
            if len({info["pv"].split()[0] for info in block}) != len(block):
                self._complain("two lines begin with the same move", text)
            # A line that this depth did not reach any more shows what the last depth said.
            fresh = [info for info in block if info["depth"] == block[0]["depth"]]
            values = [value_of(info) for info in fresh]
            if values != sorted(values, reverse=True):
                self._complain("the best line is not the first", text)
        return len(blocks)

    def _complain(self, sentence, text):
        self.problems.append(f"{sentence}: {text}\n    {self.command}")


def value_of(info):
    """Scores in one order: mates are beyond everything."""
    score = int(info["score"])
    if info["kind"] == "cp":
        return score
    return 10**6 - score if score > 0 else -(10**6) - score
