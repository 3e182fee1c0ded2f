// Evaluations a second of an ONNX file in ONNX Runtime with one thread, for bench/nets.sh.
//   node bench/nets_onnx.js FILE SECONDS BATCH ...      one line each: batch, evaluations a second
"use strict";
const ort = require("onnxruntime-node");

const ROUND = 0.02; // seconds; the best round counts

// Processor time of the whole process.
function secondsUsed() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

// Numbers as they could be: planes mostly empty; word 0 is in every vocabulary.
function inputsFor(session, batch) {
  const feeds = {};
  for (const { name, type, shape } of session.inputMetadata) {
    const lengths = shape.map((length, i) => (i === 0 ? batch : Number(length)));
    const count = lengths.reduce((product, length) => product * length, 1);
    const data = type === "float32" ? Float32Array.from({ length: count }, (_, i) => (i % 7 === 0 ? 1 : 0))
      : type === "int64" ? new BigInt64Array(count) : new Int32Array(count);
    feeds[name] = new ort.Tensor(type, data, lengths);
  }
  return feeds;
}

async function bestTime(seconds, work) {
  await work();
  let best = Infinity;
  for (let spent = 0; spent < seconds;) {
    const start = secondsUsed();
    let calls = 0, used = 0;
    for (; used < ROUND; used = secondsUsed() - start, ++calls) await work();
    best = Math.min(best, used / calls);
    spent += used;
  }
  return best;
}

async function main([file, seconds, ...batches]) {
  const session = await ort.InferenceSession.create(file, {
    intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential", graphOptimizationLevel: "all",
  });
  for (const batch of batches.map(Number)) {
    const feeds = inputsFor(session, batch);
    const best = await bestTime(Number(seconds), () => session.run(feeds));
    console.log(`${batch}\t${(batch / best).toFixed(2)}`);
  }
}

main(process.argv.slice(2)).catch((problem) => {
  console.error(`nets_onnx.js: ${problem.message}`);
  process.exit(1);
});
