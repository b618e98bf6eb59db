// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What the server sends, byte for byte: the layout is described in ViewRecord.swift.

/** Columns of numbers over time. A live one keeps the latest samples, a recording's all of them. */
export class Columns {
  constructor(names, capacity, keeps) {
    this.names = names;
    this.keeps = keeps;
    this.length = 0;
    this.t = new Float64Array(capacity);
    for (const name of names) this[name] = new Float32Array(capacity);
  }

  /** Makes room for a sample of a time and returns its index. */
  next(time) {
    // The source has begun again.
    if (time < this.last - 1) this.length = 0;
    if (this.length === this.t.length) {
      if (this.keeps) this.grow();
      else this.forget(this.length >> 1);
    }
    this.t[this.length] = time;
    return this.length++;
  }

  grow() {
    for (const name of ['t', ...this.names]) {
      const larger = new this[name].constructor(this[name].length * 2);
      larger.set(this[name]);
      this[name] = larger;
    }
  }

  /** Forgets the oldest samples. */
  forget(count) {
    for (const name of ['t', ...this.names]) this[name].copyWithin(0, count, this.length);
    this.length -= count;
  }

  /** The last sample at or before a time; −1 when there is none. */
  at(time) {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  get last() { return this.length > 0 ? this.t[this.length - 1] : NaN; }
}

const motionNames = ['w', 'x', 'y', 'z', 'rx', 'ry', 'rz', 'ux', 'uy', 'uz', 'fx', 'fy', 'fz', 'heading',
  'headingDeviation', 'inclinationDeviation', 'flags', 'accuracy', 'location'];
export const vectors = ['accelerometer', 'gyroscope', 'magnetometer'];
export const scalars = ['airPressure', 'waterPressure', 'temperature'];
export const flag = {rest: 1, field: 2, heading: 4, ghost: 128};
const frames = ['arbitrary', 'corrected', 'magnetic', 'true'];

/** The reference frame of motion sample `i`: each sample says its own, whatever was asked for meanwhile. */
export const frameOf = (columns, i) => frames[(columns.flags[i] >> 4) & 3];
export const isNorth = (frame) => frame === 'magnetic' || frame === 'true';
export const attitudeOf = (columns, i) => [columns.w[i], columns.x[i], columns.y[i], columns.z[i]];

/** Everything that one view shows. */
export class Store {
  /** `keeps`: whether all samples are kept, as of a recording. */
  constructor(keeps) {
    const capacity = keeps ? 4096 : 65536;
    this.motion = new Columns(motionNames, capacity, keeps);
    this.ghost = new Columns(motionNames, keeps ? 4096 : 1, true);
    for (const name of vectors) this[name] = new Columns(['x', 'y', 'z'], capacity, keeps);
    for (const name of scalars) this[name] = new Columns(['v'], keeps ? 1024 : 8192, keeps);
  }

  /** Forgets all samples. */
  clear() { for (const columns of Object.values(this)) columns.length = 0; }

  get last() {
    return Math.max(...[this.motion, ...[...vectors, ...scalars].map((name) => this[name])]
      .map((columns) => columns.length > 0 ? columns.last : -Infinity));
  }
}

/** Reads records into the stores of their views; returns the number of the message, if it has one. */
export function read(buffer, stores) {
  const data = new DataView(buffer);
  let number = null;
  let offset = 0;
  while (offset < data.byteLength) {
    const type = data.getUint8(offset);
    const store = stores[data.getUint8(offset + 1) & 15];
    switch (type) {
    case 0:
      number = data.getUint32(offset + 4, true);
      offset += 8;
      break;
    case 1:
      if (store) readMotion(data, offset, store);
      offset += 64;
      break;
    case 2:
      if (store) readVector(data, offset, store[vectors[data.getUint8(offset + 2)]]);
      offset += 24;
      break;
    case 3:
      if (store) readScalar(data, offset, store[scalars[data.getUint8(offset + 2)]]);
      offset += 20;
      break;
    default: throw new Error(`The server sent a record of type ${type}: reload the page.`);
    }
  }
  return number;
}

const angle = (value) => value === 65535 ? NaN : value / 100;

function readMotion(data, offset, store) {
  const flags = data.getUint8(offset + 2);
  const to = flags & flag.ghost ? store.ghost : store.motion;
  const index = to.next(data.getFloat64(offset + 8, true));
  to.flags[index] = flags;
  to.location[index] = data.getUint8(offset + 1) >> 4;
  to.accuracy[index] = data.getInt8(offset + 3);
  to.headingDeviation[index] = angle(data.getUint16(offset + 4, true));
  to.inclinationDeviation[index] = angle(data.getUint16(offset + 6, true));
  for (let column = 0; column < 10; column++) {
    to[motionNames[column]][index] = data.getFloat32(offset + 16 + 4 * column, true);
  }
  for (let column = 0; column < 3; column++) {
    to[motionNames[10 + column]][index] =
      flags & flag.field ? data.getInt16(offset + 56 + 2 * column, true) / 10 : NaN;
  }
  to.heading[index] = angle(data.getUint16(offset + 62, true));
}

function readVector(data, offset, to) {
  const index = to.next(data.getFloat64(offset + 4, true));
  to.x[index] = data.getFloat32(offset + 12, true);
  to.y[index] = data.getFloat32(offset + 16, true);
  to.z[index] = data.getFloat32(offset + 20, true);
}

function readScalar(data, offset, to) {
  const index = to.next(data.getFloat64(offset + 4, true));
  to.v[index] = data.getFloat64(offset + 12, true);
}
