// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// How the source does, in the head of the page, and the files that were recorded on it.

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

/** The recording that runs, and links to those that are finished; returns whether one runs. */
export function showRecording(element, {name, samples, lost, failure, finished}) {
  const count = samples === 1 ? '1 sample' : `${samples} samples`;
  const text = [name ? `Recording ${name}: ${count}, ${lost === 0 ? 'none lost' : `${lost} LOST`}.` : '', failure ?? ''].join(' ').trim();
  const key = text + finished.join();
  if (element.dataset.shown !== key) {
    element.dataset.shown = key;
    element.replaceChildren(text);
    for (const file of finished) {
      element.append(' Download ', Object.assign(document.createElement('a'), {href: `recordings/${file}`, download: file, textContent: file}));
    }
  }
  return Boolean(name);
}
