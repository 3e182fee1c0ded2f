#!/usr/bin/env bash
# Reading PGN, Aleph against Debian's pgn-extract, on plain files of real games.
#
# Both do the same work: tags, comments and moves are parsed, every move of the main line is checked to
# be legal, faulty games are reported, nothing is written. That is "pgn-extract -s -r"; it is given -C
# and -N as well, so that it need not keep comments and glyphs, which we do not keep either. We also
# read the clocks and evaluations in comments, and collect statistics; pgn-extract does not.
# Both are whole processes, timed from outside. Runs alternate and the best of ROUNDS counts, so that a
# busy moment of the machine hurts neither. Floor: 3 x its MB/s with one thread.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3}
lab=${LAB:-bin/aleph-lab}
peer=${PGN_EXTRACT:-$(command -v pgn-extract || echo /usr/games/pgn-extract)}
data=${ALEPH_SHARED:-../shared}/data
[ -x "$lab" ] || { echo "bench/pgn.sh: $lab is not built: run make lab" >&2; exit 1; }
[ -x "$peer" ] || { echo "bench/pgn.sh: no pgn-extract: run make setup-test" >&2; exit 1; }
[ -d "$data" ] || { echo "bench/pgn.sh: skipped, there is no shared data (set ALEPH_SHARED)"; exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
zstd -dq --long=27 "$data/elite/twic_both2450.pgn.zst" -o "$folder/master.pgn"
zstd -dq --long=27 "$data/human_clock/human_lichess_clk.train.pgn.zst" -o "$folder/clocks.pgn"

python3 - "$lab" "$peer" "$rounds" "$folder" <<'PY'
import json, os, subprocess, sys, time

lab, peer, rounds, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
FILES = [("master games, moves only", "master.pgn"), ("Lichess games, clocks on all moves", "clocks.pgn")]


def run_peer(file):
    start = time.perf_counter()
    done = subprocess.run([peer, "-s", "-r", "-C", "-N", file], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    return seconds, done.stderr.count("Line number")


def run_aleph(file, threads):
    start = time.perf_counter()
    done = subprocess.run([lab, "pgn", "stats", "--json", "--errors", "all", "--threads", str(threads), file],
                          check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    return seconds, json.loads(done.stdout)["total"]["bad_games"]


worst = None
for name, file in FILES:
    path = os.path.join(folder, file)
    megabytes = os.path.getsize(path) / 1e6
    with open(path, "rb") as warm:  # into the page cache, for everybody
        while warm.read(1 << 24):
            pass
    best = {}
    for _ in range(rounds):
        for who, (seconds, bad) in (("pgn-extract", run_peer(path)), ("aleph", run_aleph(path, 1)),
                                    ("aleph --threads 2", run_aleph(path, 2))):
            best[who] = (min(seconds, best.get(who, (seconds,))[0]), bad)
    if len({bad for _, bad in best.values()}) != 1:
        sys.exit(f"{name}: they disagree about faulty games: {best}")
    base = best["pgn-extract"][0]
    print(f"{name}: {megabytes:.0f} MB, {best['aleph'][1]} faulty games")
    for who, (seconds, _) in best.items():
        print(f"  {who:<18} {megabytes / seconds:8.1f} MB/s   {base / seconds:6.2f} x")
    ratio = base / best["aleph"][0]
    worst = ratio if worst is None else min(worst, ratio)
print(f"worst single-thread ratio: {worst:.2f} x (floor 3)")
sys.exit(0 if worst >= 3 else 1)
PY
