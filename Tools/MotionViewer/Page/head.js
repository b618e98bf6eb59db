// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What stands at the head of the page: what is shown, in which frame, and how far it is read.

import {element, make, write} from './controls.js';

const distinct = (texts) => texts.filter((text, index) => texts.indexOf(text) === index);

/** The names of the views, and the lists as the address has them. */
export function showHead({info, views, playback}) {
  document.body.dataset.mode = info.mode;
  document.title = `${views.map(({name}) => name).join(' | ')} – motion`;
  write('title', distinct(views.map((view) => view.hasTwin ? view.name : view.label)).join(' and '));
  write('origin', {simulation: 'simulation: no sensor is read', recording: 'recording', hardware: 'sensor'}[views[0].origin] ?? '');
  element('window').value = String(playback.window);
  element('speed').value = String(playback.speed);
  if (views.length > 1) for (const {label} of views) element('labels').append(make('div', label));
}

/** The frame of the numbers that are shown, and the one that comes. */
export function showFrames(views, moment) {
  const text = distinct(views.map((view) => {
    const shown = view.frameAt(moment);
    if (view.asked === shown) return shown;
    return `${shown}, then ${view.asked}${view.progress > 0 && view.request ? ` ${Math.round(view.progress * 100)} %` : ''}`;
  })).join(' | ');
  write('frameName', text);
  write('frameFact', `frame ${text}`);
  element('frame').disabled = views.every((view) => view.frames.length < 2);
}

/** How far the recordings are read. */
export function statusOf(views) {
  if (views.some((view) => view.failure)) return 'not all could be read';
  const reading = views.filter((view) => view.request);
  if (reading.length > 0) return `reading, ${Math.round(Math.min(...reading.map((view) => view.progress)) * 100)} %`;
  return distinct(views.filter(({track}) => track).map(({track}) =>
    track.step > 1 ? `one of ${track.step} samples shown` : `${track.rows.toLocaleString('en')} samples`)).join(' | ');
}

/** The badge of the connection. */
export class Status {
  constructor(element) { Object.assign(this, {element, text: '', isBad: false, silence: 0}); }

  show(text, isBad) {
    Object.assign(this, {text, isBad});
    this.write();
  }

  /** A live source that has been silent for some seconds. */
  setSilence(seconds) {
    const whole = seconds >= 2 ? Math.floor(seconds) : 0;
    if (whole === this.silence) return;
    this.silence = whole;
    this.write();
  }

  write() {
    const {element, text, isBad, silence} = this;
    element.textContent = silence > 0 && !isBad ? `no samples for ${silence} s` : text;
    element.classList.toggle('bad', isBad || silence > 0);
  }
}

/** The recording that runs, and where the latest whole one is; returns whether one runs. */
export function showRecording(element, {name, samples, lost, failure, finished}) {
  const count = samples === 1 ? '1 sample' : `${samples} samples`;
  write(element, [name ? `Recording ${name}: ${count}, ${lost === 0 ? 'none lost' : `${lost} LOST`}.` : '', failure ?? '',
    finished ? `Recorded: ${finished}` : ''].join(' ').trim());
  return Boolean(name);
}
const drawing = (tag, attributes) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

/** The phase of the page: a kind, a title and a sentence; null when there is motion to be seen. */
export function phaseOf(views, {isLive, failure, phone}) {
  if (views.some((view) => view.store.motion.length > 0) && views.every((view) => isLive || view.track || view.failure)) return null;
  const failed = failure ?? views.find((view) => view.failure)?.failure;
  if (failed) return {kind: 'failed', title: 'This cannot be shown', text: failed};
  if (!isLive && views.some((view) => !view.track)) {
    const share = views.reduce((sum, view) => sum + (view.track ? 1 : view.progress ?? 0), 0) / views.length;
    return {kind: 'loading', title: 'Reading the recording', text: 'The motion of the whole recording is computed once.', share};
  }
  const absence = views.find((view) => view.absence)?.absence;
  if (absence) return {kind: 'empty', title: 'No device motion here', text: `${absence} The strips show what there is.`};
  if (!isLive) return {kind: 'empty', title: 'No device motion here', text: 'This recording holds no sample from which motion follows.'};
  if (phone) return {kind: 'waiting', title: 'Waiting for the phone', text: phone.waiting ?? 'Open this address on the phone.', phone};
  const notice = views.find((view) => view.state.notice)?.state.notice;
  return {kind: 'waiting', title: 'Waiting for motion', text: notice ?? 'The source is open and has sent no sample yet.'};
}

export class PhasePicture {
  constructor(element) { this.element = element; }

  show(phase) {
    const {element} = this;
    const key = JSON.stringify(phase && {...phase, share: undefined});
    if (this.key !== key) {
      this.key = key;
      element.hidden = !phase;
      document.body.dataset.phase = phase?.kind ?? 'motion';
      if (phase) element.replaceChildren(...this.parts(phase));
    }
    if (this.bar && phase?.kind === 'loading') this.bar.value = phase.share;
  }

  parts({kind, title, text, phone}) {
    const parts = [make('h2', title), make('p', text)];
    if (phone) parts.push(...this.address(phone)); else parts.unshift(this.icon(kind));
    if (kind === 'loading') {
      this.bar = Object.assign(make('progress'), {max: 1, ariaLabel: title});
      parts.push(this.bar);
    }
    if (kind === 'failed') {
      const button = Object.assign(make('button', 'Try again'), {type: 'button'});
      button.addEventListener('click', () => location.reload());
      parts.push(button);
    }
    return parts;
  }

  icon(kind) {
    const icon = drawing('svg', {class: 'icon large', 'aria-hidden': 'true'});
    icon.append(drawing('use', {href: `#i-${kind}`}));
    return icon;
  }

  /** A code to be read by the phone's camera, on white whatever the theme, with the margin of four modules that readers need. */
  address({address, qr, size}) {
    const parts = [];
    if (qr && size > 0) {
      const code = drawing('svg', {viewBox: `-4 -4 ${size + 8} ${size + 8}`, class: 'code', role: 'img', 'aria-label': 'The address as a QR code'});
      code.append(drawing('rect', {x: -4, y: -4, width: size + 8, height: size + 8, fill: '#fff'}), drawing('path', {d: qr, fill: '#000'}));
      parts.push(code);
    }
    if (address) parts.push(make('p', address, 'address'));
    return parts;
  }
}
