// Runs exported networks in ONNX Runtime and compares with what ours answers.
//
//   NODE_PATH=build/packages/onnxruntime-1.22.0/node_modules node tests/nets/onnx_check.mjs FOLDER
//
// FOLDER has NAME.onnx and NAME.json for each network: {"batch": n, "inputs": {"planes": [...]},
// "outputs": {"wdl": [...]}}. tests/nets/onnx_export_test.cpp writes them, if ALEPH_ONNX_CHECK names
// a folder; onnx_runtime_test.py calls both.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const folder = path.resolve(process.argv[2] ?? '.');
const require = createRequire(path.join(folder, 'any.js'));
const ort = require('onnxruntime-node');
const kLargestDifference = 1e-4; // next to the largest number of the head, or to 1

function tensorOf(name, numbers, dims) {
  if (name === 'tokens') return new ort.Tensor('int64', BigInt64Array.from(numbers.map(BigInt)), dims);
  return new ort.Tensor('float32', Float32Array.from(numbers), dims);
}

async function check(name) {
  const expected = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  const session = await ort.InferenceSession.create(path.join(folder, `${name}.onnx`));
  const feeds = {};
  for (const [input, numbers] of Object.entries(expected.inputs)) {
    const each = numbers.length / expected.batch;
    const dims = input === 'planes' ? [expected.batch, 64, each / 64] : [expected.batch, each];
    feeds[input] = tensorOf(input, numbers, dims);
  }
  const answers = await session.run(feeds);
  let worst = 0;
  for (const [output, numbers] of Object.entries(expected.outputs)) {
    const got = answers[output]?.data;
    if (got?.length !== numbers.length) throw new Error(`${name}: output ${output} has another length`);
    const scale = Math.max(1, ...numbers.map(Math.abs));
    numbers.forEach((number, i) => (worst = Math.max(worst, Math.abs(number - got[i]) / scale)));
  }
  const good = worst <= kLargestDifference;
  console.log(`${name}: largest difference ${worst.toExponential(2)}${good ? '' : ' IS TOO LARGE'}`);
  return good;
}

const names = fs.readdirSync(folder).filter((file) => file.endsWith('.onnx')).map((file) => file.slice(0, -5));
let good = names.length > 0;
for (const name of names) {
  try {
    good = (await check(name)) && good;
  } catch (error) {
    console.log(`${name}: ${error.message}`);
    good = false;
  }
}
process.exit(good ? 0 : 1);
