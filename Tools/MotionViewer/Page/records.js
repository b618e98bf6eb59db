// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What the server sends, byte for byte: the layout is described in ViewRecord.swift.

import {aboutZ, multiply, separation} from './angles.js';

/** Columns of numbers over time. A live one keeps the latest samples, a recording's all of them. */
class Columns {
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
const sensors = ['accelerometer', 'gyroscope', 'magnetometer', 'airPressure', 'waterPressure'];
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
    for (const name of sensors) this[name] = new Columns(['x', 'y', 'z'], capacity, keeps);
  }

  /** Forgets all samples. */
  clear() { for (const columns of Object.values(this)) columns.length = 0; }

  get last() {
    return Math.max(...['motion', ...sensors].map((name) => this[name].length > 0 ? this[name].last : -Infinity));
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
      if (store) readSensor(data, offset, store[sensors[data.getUint8(offset + 2)]]);
      offset += 24;
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

function readSensor(data, offset, to) {
  const index = to.next(data.getFloat64(offset + 4, true));
  ['x', 'y', 'z'].forEach((name, at) => { to[name][index] = data.getFloat32(offset + 12 + 4 * at, true); });
}

/** Samples further apart than this are not of the same moment, seconds. */
const longestPause = 0.5;

/**
 * Attitudes `b` against attitudes `a`, columns of motion. Tilt can be compared between any two frames, as z is up in all. The azimuth
 * can in one frame only: from the same north as it is, and without north as the turn since the first common moment. Between two
 * different frames there is no azimuth to compare, and `b` is turned so that what is seen is the tilt.
 */
export class Comparison {
  constructor(a, b) { [this.a, this.b, this.start] = [a, b, null]; }

  /** At a time: `tilt` and `turn` from `a` to `b`, rad, `turn` NaN between frames, and `attitude`, `b` in the frame of `a`; else null. */
  at(time) {
    const [i, j] = [this.a.at(time + 1e-9), this.b.at(time + 0.005)];
    if (i < 0 || j < 0 || time - this.a.t[i] > longestPause || time - this.b.t[j] > longestPause) return null;
    const own = attitudeOf(this.a, i), other = attitudeOf(this.b, j);
    const isOneFrame = this.isOneFrame(i, j);
    const turn = isOneFrame ? this.startTurn(i) : separation(own, other).turn;
    const attitude = multiply(aboutZ(-turn), other);
    const apart = separation(own, attitude);
    return {attitude, tilt: apart.tilt, turn: isOneFrame ? apart.turn : NaN};
  }

  isOneFrame(i, j) {
    const [own, other] = [frameOf(this.a, i), frameOf(this.b, j)];
    return own === other || (!isNorth(own) && !isNorth(other));
  }

  /** By how much `b` is turned from `a` at the beginning, where no north fixes either. */
  startTurn(i) {
    if (isNorth(frameOf(this.a, i))) return 0;
    if (this.start === null) {
      // A second later the filter knows which way is down.
      const time = Math.max(this.a.t[0], this.b.t[0]) + 1;
      const [first, second] = [Math.max(0, this.a.at(time)), Math.max(0, this.b.at(time))];
      this.start = separation(attitudeOf(this.a, first), attitudeOf(this.b, second)).turn;
    }
    return this.start;
  }
}
