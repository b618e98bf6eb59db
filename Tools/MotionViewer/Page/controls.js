// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Buttons, lists and keys. Each action has both.

import {aboutZ, azimuth, conjugate, multiply} from './angles.js';

export const element = (id) => document.getElementById(id);
export const make = (tag, text = '', name = '') => Object.assign(document.createElement(tag), {textContent: text, className: name});
/** `target`: an element or its id. */
export const write = (target, text) => {
  const node = typeof target === 'string' ? element(target) : target;
  if (node.textContent !== text) node.textContent = text;
};
/** A colour of the page. */
export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const setPressed = (id, isPressed) => element(id).setAttribute('aria-pressed', String(isPressed));

const buttons = ['zero', 'level', 'frame', 'record', 'units', 'help', 'play', 'back', 'forward'];
const keys = {'0': 'zero', 'l': 'level', 'f': 'frame', 'r': 'record', 'u': 'units', '?': 'help', 'escape': 'reset',
  ' ': 'play', 'arrowleft': 'back', 'arrowright': 'forward'};

export function bindControls(actions) {
  const more = element('more');
  for (const id of buttons) element(id).addEventListener('click', (event) => actions[id](event));
  for (const id of ['window', 'speed']) element(id).addEventListener('change', (event) => actions[id](event.target.value));
  element('strips').addEventListener('wheel', (event) => {
    // Where the strips are longer than their place, the wheel moves them.
    if (event.currentTarget.scrollHeight > event.currentTarget.clientHeight + 1) return;
    event.preventDefault();
    actions.zoom(event.deltaY > 0 ? 1 : -1);
  }, {passive: false});
  document.addEventListener('click', (event) => { if (!more.contains(event.target) || event.target.closest('#more button')) more.open = false; });
  document.addEventListener('keydown', (event) => {
    // In a list or a dialog keys have their own meaning; with Control they belong to the browser.
    if (event.ctrlKey || event.metaKey || element('helpDialog').open || event.target.tagName === 'SELECT') return;
    const key = (event.key ?? '').toLowerCase();
    if (key === ' ' && event.target.closest?.('button, summary, a')) return;
    if (key === 'escape') more.open = false;
    const action = key === '+' || key === '=' ? () => actions.zoom(-1) : key === '-' ? () => actions.zoom(1)
      : Object.hasOwn(keys, key) ? actions[keys[key]] : null;
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

export function makeActions(page) {
  const {views, playback, isLive} = page;

  /** Steps a sample of the first view, or seconds. */
  const step = (direction, event) => {
    const seconds = event?.shiftKey ? 1 : event?.altKey ? 10 : 0;
    playback.setPlaying(false);
    const {store} = views[0];
    const columns = store.motion.length > 0 ? store.motion : store.accelerometer;
    if (seconds > 0) playback.seek(playback.moment + direction * seconds);
    else if (columns.length > 0) {
      const next = columns.at(playback.moment + 1e-9) + direction;
      playback.seek(columns.t[Math.max(0, Math.min(columns.length - 1, next))]);
    }
    page.changed();
  };

  const actions = {
    zero() {
      for (const view of views) {
        const attitude = view.attitude(playback.moment);
        // The top edge away from the viewer: along y, or to the north where the view looks there.
        const away = page.stage?.looksNorth ? 0 : Math.PI / 2;
        view.turn = view.turn !== 0 || !attitude ? 0 : away - azimuth(attitude);
      }
      setPressed('zero', views.some((view) => view.turn !== 0));
      page.changed();
    },
    level() {
      for (const view of views) {
        const q = view.attitude(playback.moment);
        view.mount = view.mount || !q ? null : multiply(conjugate(q), aboutZ(azimuth(q) - Math.PI / 2));
      }
      setPressed('level', views.some((view) => view.mount));
      page.changed();
    },
    frame() {
      // Of one source in two frames, the second is compared with the first; of two sources, both.
      for (const view of views[0].hasTwin ? views.slice(1) : views) {
        if (view.frames.length < 2) continue;
        const frame = view.frames[(view.frames.indexOf(view.asked) + 1) % view.frames.length];
        if (isLive) {
          view.asked = frame;
          page.feed.send({command: 'frame', view: view.number, frame});
        } else view.load(frame, page.trackChanged);
      }
      page.changed();
    },
    record() { if (isLive) page.feed.send({command: 'record'}); },
    units() { page.setUnits(!page.usesDegrees); },
    help() { if (!element('helpDialog').open) element('helpDialog').showModal(); },
    play() { playback.setPlaying(!playback.isPlaying); page.changed(); },
    back(event) { step(-1, event); },
    forward(event) { step(1, event); },
    seek(moment) { playback.seek(moment); page.changed(); },
    zoomTo(span) { playback.zoom(span); page.changed(); },
    reset() { playback.zoom(null); page.changed(); },
    /** A shorter or longer window. */
    zoom(direction) {
      const select = element('window');
      const values = [...select.options].filter((option) => !isLive || option.value !== '0').map((option) => option.value);
      const next = values[Math.max(0, Math.min(values.length - 1, values.indexOf(select.value) + direction))];
      select.value = next;
      actions.window(next);
    },
    window(value) { playback.setWindow(parseFloat(value)); page.changed(); },
    speed(value) { playback.speed = parseFloat(value); page.changed(); },
  };
  return actions;
}
