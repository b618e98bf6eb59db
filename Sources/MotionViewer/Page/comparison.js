// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// How far two attitudes over time are apart: two recordings, or our filter and what a phone has recorded.

import {aboutZ, multiply, separation} from './angles.js';
import {attitudeOf, frameOf, isNorth} from './records.js';

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
