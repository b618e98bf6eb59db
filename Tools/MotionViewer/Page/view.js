// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// One view: a source or a recording in a frame, and what is to be seen of it at a moment.

import {gravity, headWords, poseWords} from './angles.js';
import {loadTrack} from './connection.js';
import {attitudeOf, Comparison, flag, frameOf, isNorth, Store} from './records.js';

export class View {
  /** `description`: of session.json. */
  constructor(description, {isLive, count}) {
    Object.assign(this, description);
    [this.asked, this.startFrame] = [description.frame, description.frame];
    // A letter stands for a view where two are compared.
    this.letter = count > 1 ? 'AB'[this.number] : '';
    this.state = {};
    [this.turn, this.mount, this.progress, this.failure, this.track, this.request] = [0, null, null, null, null, null];
    this.setStore(new Store(!isLive));
  }

  setStore(store) {
    this.store = store;
    this.ghost = new Comparison(store.motion, store.ghost);
  }

  /** A recording's track: its samples and what goes with them change at once. */
  setTrack({summary, store}) {
    this.setStore(store);
    this.track = summary;
    this.state = {
      rates: summary.counts.map(({name, rate}) => ({name, hertz: rate})), gaps: summary.gaps.length,
      dropped: summary.counts.reduce((sum, item) => sum + item.dropped, 0),
    };
  }

  /** Reads a recording's track in a frame; what was asked for before is given up. `changed` is called as it goes on. */
  async load(frame, changed) {
    this.request?.abort();
    const request = this.request = new AbortController();
    Object.assign(this, {asked: frame, failure: null, progress: 0});
    try {
      const track = await loadTrack(this.number, frame, {
        signal: request.signal, progress: (share) => { this.progress = share; changed(); },
      });
      if (this.request === request) this.setTrack(track);
    } catch (error) {
      if (this.request === request) this.failure = error.message;
    }
    if (this.request !== request) return;
    this.request = null;
    // What is shown is still in the former frame.
    if (this.failure && this.track) this.asked = this.track.frame;
    changed();
  }

  /** A short name that tells one view from the other. */
  get label() {
    const name = this.hasTwin ? this.asked
      : this.origin === 'recording' ? this.name.replace(/^recording |\(.*\)$/g, '').trim() : this.name;
    return this.letter ? `${this.letter} ${name}` : name;
  }

  sample(moment) { return this.store.motion.at(moment + 1e-9); }

  attitude(moment) {
    const i = this.sample(moment);
    return i < 0 ? null : attitudeOf(this.store.motion, i);
  }

  /** The frame of the sample that is shown; before there is one, the frame that was asked for. */
  frameAt(moment) {
    const i = this.sample(moment);
    return i < 0 ? this.asked : frameOf(this.store.motion, i);
  }

  isNorth(moment) { return isNorth(this.frameAt(moment)); }

  /** What the scene shows; null: no motion. */
  pose(moment) {
    const m = this.store.motion;
    const i = this.sample(moment);
    if (i < 0) return null;
    const attitude = attitudeOf(m, i);
    return {
      attitude, gravity: gravity(...attitude), user: [m.ux[i], m.uy[i], m.uz[i]], turn: this.turn, mount: this.mount,
      ghost: this.ghost.at(m.t[i])?.attitude, isNorth: isNorth(frameOf(m, i)), headingDeviation: m.headingDeviation[i],
      inclinationDeviation: m.inclinationDeviation[i],
    };
  }

  /** The same in words. */
  words(moment) {
    const i = this.sample(moment);
    if (i < 0) return this.absence ?? 'No motion yet.';
    const {motion} = this.store;
    const attitude = attitudeOf(motion, i);
    if (this.body === 'headphones') return headWords(attitude);
    return poseWords(attitude, motion.heading[i], isNorth(frameOf(motion, i)) && (motion.flags[i] & flag.heading) !== 0);
  }

  /** The latest gyroscope bias, rad/s; undefined where none is known. */
  bias(moment) {
    const biases = this.track?.biases ?? [];
    const found = biases.findLastIndex(([seconds]) => seconds <= moment);
    return found >= 0 ? biases[found].slice(1) : this.state.bias;
  }
}
