// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The moment that is shown, and how it moves: with the source, with the time of a recording, or by hand.

export class Playback {
  /** `last`: the end of a recording, or the latest sample of a live source, seconds. */
  constructor({isLive, moment, isPlaying, speed, window, span, last}) {
    Object.assign(this, {isLive, moment, isPlaying, speed, window, span, last});
  }

  seek(moment) {
    if (!Number.isFinite(moment)) return;
    // What lies beside a live source's present is looked at in peace.
    if (this.isLive) this.setPlaying(false);
    this.moment = Math.max(0, this.isLive ? moment : Math.min(this.last(), moment));
    this.follow();
  }

  setPlaying(isPlaying) {
    if (this.isLive) this.span = isPlaying ? null : this.span ?? this.range();
    else if (isPlaying && this.moment >= this.last()) this.moment = 0;
    this.isPlaying = isPlaying;
  }

  /** Time goes on; true when the moment has changed. */
  advance(elapsed) {
    if (!this.isPlaying) return false;
    const last = this.last();
    const next = this.isLive ? last : Math.min(last, this.moment + elapsed * this.speed);
    if (!Number.isFinite(next) || next === this.moment) return false;
    this.moment = next;
    this.follow();
    if (!this.isLive && next >= last) this.isPlaying = false;
    return true;
  }

  /** Shows a part of the time only; null: the window again. */
  zoom(span) {
    if (this.isLive && span) this.setPlaying(false);
    this.span = span && span[1] - span[0] > 1e-3 ? span : this.isLive && !this.isPlaying ? this.windowed() : null;
  }

  setWindow(window) {
    this.window = window;
    this.zoom(null);
  }

  /** A part that the moment has left goes on with it. */
  follow() {
    if (!this.span || (this.moment >= this.span[0] && this.moment <= this.span[1])) return;
    const length = this.span[1] - this.span[0];
    const from = this.moment < this.span[0] ? this.moment - length * 0.9 : this.moment - length * 0.1;
    this.span = [from, from + length];
  }

  /** What the strips show: from, to. */
  range() { return this.span ?? this.windowed(); }

  windowed() {
    if (this.isLive) {
      // Before a window is full, its right part is empty.
      const length = this.window || 60, to = Math.max(length, this.moment);
      return [to - length, to];
    }
    const end = this.last();
    const length = this.window || Math.max(1, end);
    const from = this.window === 0 ? 0 : Math.max(0, Math.min(this.moment - length / 2, end - length));
    return [from, from + length];
  }
}
