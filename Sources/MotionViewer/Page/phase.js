// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What stands in the place of the picture while there is none: loading, waiting, empty and failed look different and say what to do.

const make = (tag, text = '', name = '') => Object.assign(document.createElement(tag), {textContent: text, className: name});
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
