// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The moment that is shown, and how it moves: with the source, with the time of a recording, or by hand.

import {css} from './controls.js';

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

const link = new URLSearchParams(location.hash.slice(1));

function number(name, fallback) {
  const value = parseFloat(link.get(name));
  return Number.isFinite(value) ? value : fallback;
}

/** Dark or light, as the system says. */
export const isDark = matchMedia('(prefers-color-scheme: dark)').matches;

/** What the address asks for; without it the usual. */
export function fromAddress(isLive, reducedMotion) {
  const span = link.get('span')?.split(',').map(Number);
  return {
    moment: Math.max(0, number('t', 0)), isPlaying: !link.has('t') && (isLive || !reducedMotion),
    speed: Math.min(10, Math.max(0.1, number('speed', 1))), window: Math.max(0, number('window', 10)),
    span: !isLive && span?.length === 2 && span[1] > span[0] ? span : null,
    usesDegrees: link.get('units') !== 'rad',
    turns: (link.get('turns') ?? '').split(',').map((turn) => parseFloat(turn) || 0),
    frames: (link.get('frames') ?? '').split(','),
  };
}

/** What is kept in the address of this state. */
export function toAddress({playback, usesDegrees}, views) {
  const parts = new URLSearchParams();
  if (!playback.isLive && !playback.isPlaying) parts.set('t', playback.moment.toFixed(4));
  if (playback.speed !== 1) parts.set('speed', playback.speed);
  if (playback.window !== 10) parts.set('window', playback.window);
  if (!playback.isLive && playback.span) parts.set('span', playback.span.map((time) => time.toFixed(3)).join());
  if (!usesDegrees) parts.set('units', 'rad');
  if (views.some(({turn}) => turn !== 0)) parts.set('turns', views.map(({turn}) => turn.toFixed(4)).join());
  if (views.some(({asked, startFrame}) => asked !== startFrame)) parts.set('frames', views.map(({asked}) => asked).join());
  return parts.toString();
}

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

  draw(moment, [from, to]) {
    const {canvas, track} = this;
    if (!track) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (width === 0) return;
    if (!this.backdrop || this.backdrop.width !== width) this.paint(width, height);
    const context = canvas.getContext('2d');
    context.drawImage(this.backdrop, 0, 0);
    const at = (time) => time / Math.max(1e-9, this.duration) * width;
    context.fillStyle = css('--accent');
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
    const at = (time) => time / Math.max(1e-9, this.duration) * width;
    context.fillStyle = css('--ground');
    context.fillRect(0, 0, width, height);
    const bands = (list, name) => {
      context.fillStyle = css(name);
      for (const [from, to] of list) context.fillRect(at(from), 0, Math.max(1, at(to) - at(from)), height);
    };
    bands(this.track.rests, '--rest');
    bands(this.track.gaps, '--gap');
    this.paintEnvelope(context, width, height, css('--quiet'));
    context.fillStyle = css('--warn');
    for (const {seconds} of this.track.events) context.fillRect(at(seconds) - 1, 0, 2, height);
  }

  /** The largest user acceleration in each pixel; without motion, how far the acceleration is from 1 g. */
  paintEnvelope(context, width, height, color) {
    const {motion: m, accelerometer: a} = this.store;
    const [columns, size] = m.length > 0 ? [m, (i) => Math.hypot(m.ux[i], m.uy[i], m.uz[i])]
      : [a, (i) => Math.abs(Math.hypot(a.x[i], a.y[i], a.z[i]) - 1)];
    const peaks = new Float32Array(Math.ceil(width) + 1);
    for (let index = 0; index < columns.length; index++) {
      const pixel = Math.max(0, Math.min(width, Math.floor(columns.t[index] / this.duration * width)));
      peaks[pixel] = Math.max(peaks[pixel], size(index));
    }
    const highest = Math.max(0.05, ...peaks);
    context.fillStyle = color;
    for (let pixel = 0; pixel < peaks.length; pixel++) {
      const bar = Math.sqrt(peaks[pixel] / highest) * (height - 6);
      if (bar > 0) context.fillRect(pixel, height - bar, 1, bar);
    }
  }
}
