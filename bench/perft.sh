#!/usr/bin/env bash
# Perft, Aleph against Debian's Stockfish: one thread, bulk counting on both sides, same positions.
# Each pair of runs is taken back to back and the best of ROUNDS counts, so that a busy moment of the
# machine hurts neither side. Floor: 1.5 x Stockfish's nodes per second.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
aleph=${ALEPH:-bin/aleph}
stockfish=${STOCKFISH:-$(command -v stockfish || echo /usr/games/stockfish)}
[ -x "$aleph" ] || { echo "bench/perft.sh: $aleph is not built: run make" >&2; exit 1; }
[ -x "$stockfish" ] || { echo "bench/perft.sh: no stockfish: run make setup-test" >&2; exit 1; }

python3 - "$aleph" "$stockfish" "$rounds" <<'PY'
import subprocess, sys, time

aleph, stockfish, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
CASES = [
    ("start position, depth 6", 6, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("Kiwipete, depth 5", 5, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
]


def nodes_of(text):
    return int(next(l for l in text.splitlines() if l.startswith("Nodes searched")).split(":")[1])


class Stockfish:
    """Kept running, so that its start (it loads a network) is not counted."""

    def __init__(self):
        self.process = subprocess.Popen([stockfish], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1)
        self.say("isready")
        while self.process.stdout.readline().strip() != "readyok":
            pass

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def perft(self, fen, depth):
        self.say(f"position fen {fen}")
        start = time.perf_counter()
        self.say(f"go perft {depth}")
        while not (line := self.process.stdout.readline()).startswith("Nodes searched"):
            pass
        return nodes_of(line), time.perf_counter() - start


def run_aleph(fen, depth, threads):
    """The whole process is timed, start and output included: against ourselves, if anything."""
    start = time.perf_counter()
    text = subprocess.run([aleph, "perft", str(depth), fen, "--threads", str(threads)], check=True,
                          capture_output=True, text=True).stdout
    return nodes_of(text), time.perf_counter() - start


peer = Stockfish()
worst = None
for name, depth, fen in CASES:
    best = {}
    for _ in range(rounds):
        for who, (nodes, seconds) in (("stockfish", peer.perft(fen, depth)),
                                      ("aleph", run_aleph(fen, depth, 1)),
                                      ("aleph --threads 2", run_aleph(fen, depth, 2))):
            count, previous = best.get(who, (nodes, float("inf")))
            if count != nodes:
                sys.exit(f"{name}: {who} counts {nodes}, before {count}")
            best[who] = (nodes, min(previous, seconds))
    if len({nodes for nodes, _ in best.values()}) != 1:
        sys.exit(f"{name}: the counts differ: {best}")
    base = best["stockfish"][1]
    print(name)
    for who, (nodes, seconds) in best.items():
        print(f"  {who:<18} {nodes / seconds / 1e6:8.1f} million nodes/s   {base / seconds:5.2f} x")
    ratio = base / best["aleph"][1]
    worst = ratio if worst is None else min(worst, ratio)
peer.say("quit")
print(f"worst single-thread ratio: {worst:.2f} x (floor 1.5)")
sys.exit(0 if worst >= 1.5 else 1)
PY
