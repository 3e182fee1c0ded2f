#!/usr/bin/env bash
# Dense networks: evaluations a second, Aleph against ONNX Runtime (npm) on the same networks, which
# Aleph exports as ONNX. One core, batches of 1 and 16; and int8 against our own fp32. Then a hit of
# the cache, with the making of its key, against an evaluation, on walks as MCTS makes them.
#
# Both are timed inside their process by processor time, so that other programs do not count, and
# the best of many rounds of 20 ms counts. Runs alternate, ROUNDS of them with SECONDS_EACH for each line. Aleph's
# figure holds all that a search pays for (encoding the position, softmax over legal moves); ONNX
# Runtime only runs the network. Walks have VISITS visits.
# Floors: 1.0 x ONNX Runtime in fp32; int8 1.8 x our fp32; a hit 1 % of an evaluation alone; the cache
# within its memory.
#
#   NETS="a.safetensors b.pb.gz" bench/nets.sh      other networks
set -euo pipefail
cd "$(dirname "$0")/.."
aleph=${ALEPH:-bin/aleph}
shared=${ALEPH_SHARED:-../shared}
[ -x "$aleph" ] || { echo "bench/nets.sh: $aleph is not built: run make" >&2; exit 1; }
command -v node >/dev/null || { echo "bench/nets.sh: skipped, there is no node"; exit 0; }
tools/fetch_onnxruntime.sh
modules=$(ls -d "$PWD"/build/packages/onnxruntime-*/node_modules | tail -n 1)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
networks=()
if [ -n "${NETS:-}" ]; then
  read -ra networks <<<"$NETS"
else
  # Of these only the descriptions exist before they are trained: random weights run as fast.
  for name in policy-transformer policy-cnn; do
    if "$aleph" net new "configs/models/$name.yml" "$folder/$name.safetensors"; then
      networks+=("$folder/$name.safetensors")
    else
      echo "bench/nets.sh: $name is left out"
    fi
  done
  for file in "$shared"/nets/lc0/t1-256x10*.pb.gz "$shared/nets/lc0/maia-1500.pb.gz"; do
    [ -r "$file" ] && networks+=("$file")
  done
fi
for file in "${networks[@]}"; do
  name=$(basename "$file")
  "$aleph" net export "$file" --onnx "$folder/${name%%.*}.onnx"
done

NODE_PATH=$modules python3 - "$aleph" "${ROUNDS:-3}" "${SECONDS_EACH:-1}" "${VISITS:-50}" "$folder" \
  "${networks[@]}" <<'PY'
import os, subprocess, sys

aleph, rounds, seconds, visits, folder, *networks = sys.argv[1:]
rounds = int(rounds)
BATCHES = (1, 16)
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # for the children too


def run_aleph(file, precision):
    words = [aleph, "net", "bench", file, "--batch", ",".join(map(str, BATCHES)), "--precision", precision,
             "--seconds", seconds, "--tsv"]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return {int(batch): float(speed) for _, batch, _, speed in (line.split("\t") for line in lines)}


def run_cache(file):
    words = [aleph, "net", "bench", file, "--cache", "--positions", "bench/positions.epd", "--visits", visits,
             "--seconds", seconds, "--precision", "fp32", "--tsv"]
    return map(float, subprocess.run(words, check=True, capture_output=True, text=True).stdout.split("\t"))


def run_onnx(file):
    words = ["node", "bench/nets_onnx.js", file, seconds, *map(str, BATCHES)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return {int(batch): float(speed) for batch, speed in (line.split("\t") for line in lines)}


print(f"{'network':<34} {'batch':>5} | {'ONNX RT':>9} {'fp32':>9} {'ratio':>7} | {'int8':>9} {'to fp32':>8}")
worst = {"fp32": None, "int8": None}
for file in networks:
    name = os.path.basename(file).split(".")[0]
    best = {}
    for _ in range(rounds):
        for who, speeds in (("onnx", run_onnx(os.path.join(folder, name + ".onnx"))),
                            ("fp32", run_aleph(file, "fp32")), ("int8", run_aleph(file, "int8"))):
            for batch, speed in speeds.items():
                best[who, batch] = max(speed, best.get((who, batch), 0))
    for batch in BATCHES:
        onnx, fp32, int8 = (best[who, batch] for who in ("onnx", "fp32", "int8"))
        print(f"{name:<34} {batch:>5} | {onnx:>9.1f} {fp32:>9.1f} {fp32 / onnx:>6.2f}x | {int8:>9.1f} "
              f"{int8 / fp32:>7.2f}x", flush=True)
        for kind, ratio in (("fp32", fp32 / onnx), ("int8", int8 / fp32)):
            worst[kind] = ratio if worst[kind] is None else min(worst[kind], ratio)
if worst["fp32"] is None:
    sys.exit("bench/nets.sh: there are no networks")
print(f"worst ratio: fp32 {worst['fp32']:.2f} x ONNX Runtime (floor 1.0), "
      f"int8 {worst['int8']:.2f} x our fp32 (floor 1.8)")

print(f"\n{'network':<34} {'asked':>7} {'hits':>7} | {'a hit':>9} {'evaluation':>11} {'ratio':>8} | memory of the cache")
dearest, within = 0, True
for file in networks:
    asked, hits, hit, alone, _, used, limit = run_cache(file)
    print(f"{os.path.basename(file).split('.')[0]:<34} {asked:>7.0f} {100 * hits / asked:>5.1f} % | {hit:>6.3f} us "
          f"{alone:>8.0f} us {100 * hit / alone:>6.3f} % | {used / 2**20:.1f} of {limit / 2**20:.0f} MiB", flush=True)
    dearest, within = max(dearest, hit / alone), within and used <= limit
print(f"worst ratio: a hit is {100 * dearest:.3f} % of an evaluation (floor 1 %)")
sys.exit(0 if worst["fp32"] >= 1.0 and worst["int8"] >= 1.8 and dearest <= 0.01 and within else 1)
PY
