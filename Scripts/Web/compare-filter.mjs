// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// compare-filter.mjs SITE READINGS: plays the readings of SimulatedMotion.swift into attitude.wasm; its numbers must be those of
// the native build, to the bit: the filter brings its own elementary functions.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, readings] = process.argv.slice(2);
const source = readFileSync(`${site}/filter.js`);
const { startFilter } = await import(`data:text/javascript;base64,${source.toString("base64")}`);
const filter = await startFilter(readFileSync(`${site}/attitude.wasm`));

let largest = 0, lines = 0, attitudes = 0, nanoseconds = 0n;
const bound = 0;
for (const line of readFileSync(readings, "utf8").trimEnd().split("\n")) {
  const [isFirst, time, x, y, z, alpha, beta, gamma, tiltBeta, tiltGamma, ...native] = line.split(" ").map(Number);
  if (isFirst) filter.start();
  const sample = { time, acceleration: [x, y, z], rate: [alpha, beta, gamma], tilt: [tiltBeta, tiltGamma] };
  const begin = process.hrtime.bigint();
  if (filter.update(sample)) attitudes += 1;
  nanoseconds += process.hrtime.bigint() - begin;
  filter.numbers().forEach((number, index) => {
    const difference = Math.abs(number - native[index]);
    if (!(difference <= bound)) {
      console.error(`Line ${lines + 1}, number ${index}: ${number} in WebAssembly, ${native[index]} in the native build.`);
      process.exit(1);
    }
    largest = Math.max(largest, difference);
  });
  lines += 1;
}
if (attitudes < 7000) {
  console.error(`Only ${attitudes} of ${lines} readings gave an attitude.`);
  process.exit(1);
}
console.log(`${lines} readings in WebAssembly as in the native build: largest difference ${largest} (bound ${bound}), ` +
  `${Number(nanoseconds / BigInt(lines))} ns a reading.`);
