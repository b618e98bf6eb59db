// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The time line of a recording: where the device lay still, where samples are missing, what happened, and how hard it was moved.
// A slider, for the pointer and for the keyboard.

export class Timeline {
  constructor(canvas, seek) {
    this.canvas = canvas;
    this.seek = seek;
    this.duration = 0;
    const move = (event) => {
      const box = canvas.getBoundingClientRect();
      seek(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.duration);
    };
    canvas.addEventListener('pointerdown', (event) => { canvas.setPointerCapture(event.pointerId); move(event); });
    canvas.addEventListener('pointermove', (event) => { if (canvas.hasPointerCapture(event.pointerId)) move(event); });
    new ResizeObserver(() => { this.backdrop = null; }).observe(canvas);
  }

  /** `track`: the server's summary. */
  setTrack(track, store) {
    this.track = track;
    this.store = store;
    this.duration = track.duration;
    this.backdrop = null;
    this.canvas.setAttribute('aria-valuemax', track.duration.toFixed(3));
  }

  restyle() { this.backdrop = null; }

  draw(moment, [from, to]) {
    const {canvas, track} = this;
    if (!track) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (width === 0) return;
    if (!this.backdrop || this.backdrop.width !== width) this.paint(width, height);
    const context = canvas.getContext('2d');
    context.drawImage(this.backdrop, 0, 0);
    const style = getComputedStyle(document.documentElement);
    const at = (time) => time / Math.max(1e-9, this.duration) * width;
    context.fillStyle = style.getPropertyValue('--accent');
    context.globalAlpha = 0.16;
    context.fillRect(at(from), 0, at(to) - at(from), height);
    context.globalAlpha = 1;
    context.fillRect(at(moment) - ratio, 0, 2 * ratio, height);
    const text = `${moment.toFixed(3)} of ${this.duration.toFixed(1)} seconds`;
    if (canvas.getAttribute('aria-valuetext') !== text) {
      canvas.setAttribute('aria-valuenow', moment.toFixed(3));
      canvas.setAttribute('aria-valuetext', text);
    }
  }

  /** What does not change while it plays. */
  paint(width, height) {
    this.canvas.width = width;
    this.canvas.height = height;
    this.backdrop = new OffscreenCanvas(width, height);
    const context = this.backdrop.getContext('2d');
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const at = (time) => time / Math.max(1e-9, this.duration) * width;
    context.fillStyle = color('--ground');
    context.fillRect(0, 0, width, height);
    const bands = (list, name) => {
      context.fillStyle = color(name);
      for (const [from, to] of list) context.fillRect(at(from), 0, Math.max(1, at(to) - at(from)), height);
    };
    bands(this.track.rests, '--rest');
    bands(this.track.gaps, '--gap');
    this.paintEnvelope(context, width, height, color('--quiet'));
    context.fillStyle = color('--warn');
    for (const {seconds} of this.track.events) context.fillRect(at(seconds) - 1, 0, 2, height);
  }

  /** The largest user acceleration in each pixel. */
  paintEnvelope(context, width, height, color) {
    const {motion} = this.store;
    const peaks = new Float32Array(Math.ceil(width) + 1);
    for (let index = 0; index < motion.length; index++) {
      const pixel = Math.max(0, Math.min(width, Math.floor(motion.t[index] / this.duration * width)));
      peaks[pixel] = Math.max(peaks[pixel], Math.hypot(motion.ux[index], motion.uy[index], motion.uz[index]));
    }
    const highest = Math.max(0.05, ...peaks);
    context.fillStyle = color;
    for (let pixel = 0; pixel < peaks.length; pixel++) {
      const bar = Math.sqrt(peaks[pixel] / highest) * (height - 6);
      if (bar > 0) context.fillRect(pixel, height - bar, 1, bar);
    }
  }
}
