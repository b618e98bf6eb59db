// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// The hash of Bindings/C/hash.c in WebAssembly: `node hash-trials.mjs ocm-hash.wasm TRIAL.f32 …`.
import { readFileSync } from "node:fs";

const [program, ...files] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(program), {});
const { malloc, hash_trial: hashTrial, memory } = instance.exports;
let hash = 0n;
const trials = files.map((file) => readFileSync(file));
const place = malloc(Math.max(...trials.map((bytes) => bytes.length)));
for (const [index, bytes] of trials.entries()) {
  for (let kind = 0; kind < 7; kind++) {
    new Uint8Array(memory.buffer).set(bytes, place);
    hash = hashTrial(place, bytes.length / 68, 2000 / 7, kind);
    if (hash === 0n) throw new Error(`${files[index]}: refused.`);
  }
}
console.log(BigInt.asUintN(64, hash).toString(16).padStart(16, "0"));
