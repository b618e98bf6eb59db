// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The orientation filter of OpenCoreMotion in WebAssembly: what the file imports, and where its state is.

/** Starts the filter from the bytes of attitude.wasm. */
export async function startFilter(bytes) {
  const allocates = () => { throw new Error("The filter asked for memory, which it never does."); };
  const env = { free: () => {}, posix_memalign: allocates, arc4random_buf: allocates };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  const { memory, __heap_base, attitude_size, attitude_start, attitude_update } = instance.exports;
  const state = (__heap_base.value + 63) & ~63;
  if (state + attitude_size() > memory.buffer.byteLength) throw new Error("The filter's state does not fit into its memory.");
  const output = new Float64Array(memory.buffer, state, 8);

  return {
    /** Forgets everything. */
    start() { attitude_start(state); },

    /** Takes a sample of motion.js; true once there is an attitude. `faceUp`: the user says that the screen points up. */
    update(sample, faceUp = false) {
      const [x, y, z] = sample.acceleration, [alpha, beta, gamma] = sample.rate;
      const [tiltBeta, tiltGamma] = sample.tilt ?? [NaN, NaN];
      return attitude_update(state, sample.time, x, y, z, alpha, beta, gamma, tiltBeta, tiltGamma, faceUp ? 1 : 0) !== 0;
    },

    /** The eight numbers as they are in memory. */
    numbers() { return Array.from(output); },

    /** The attitude from device to east-north-up, and what is known of it. */
    read() {
      const [w, x, y, z, tiltDeviation, rest, sign, order] = output;
      return {
        quaternion: { w, x, y, z }, tiltDeviation, isAtRest: rest === 1,
        sign: ["unknown", "standard", "iOS"][sign], rateOrder: ["x, y, z", "z, x, y"][order],
      };
    },
  };
}
