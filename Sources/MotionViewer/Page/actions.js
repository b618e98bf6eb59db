// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What keys and buttons do. `page`: the parts of the page and its state (main.js).

import {aboutZ, azimuth, conjugate, multiply} from './angles.js';
import {element, setPressed, write} from './controls.js';
import {png, save, svg} from './picture.js';

export function makeActions(page) {
  const {views, playback, isLive} = page;

  /** Steps a sample of the chosen view, or seconds. */
  const step = (direction, event) => {
    const seconds = event?.shiftKey ? 1 : event?.altKey ? 10 : 0;
    playback.setPlaying(false);
    const {store} = views[page.view];
    const columns = store.motion.length > 0 ? store.motion : store.accelerometer;
    if (seconds > 0) playback.seek(playback.moment + direction * seconds);
    else if (columns.length > 0) {
      const next = columns.at(playback.moment + 1e-9) + direction;
      playback.seek(columns.t[Math.max(0, Math.min(columns.length - 1, next))]);
    }
    page.changed();
  };
  const fileName = () => `motion-${playback.moment.toFixed(2).replace('.', '_')}s`;

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
      // Of one source in two frames, the view whose strips are shown; of two sources, both.
      for (const view of views[0].hasTwin ? [views[page.view]] : views) {
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
    async picture() { save(`${fileName()}.png`, await png(page.content())); },
    drawing() { save(`${fileName()}.svg`, svg(page.content())); },
    async copy() {
      const address = page.keepAddress();
      try {
        await navigator.clipboard.writeText(address);
        write('notice', 'The link is copied.');
      } catch { write('notice', 'The link is in the address bar.'); }
    },
    units() { page.setUnits(!page.usesDegrees); },
    theme() { page.setTheme(!page.dark); },
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
    view(value) { page.view = parseInt(value, 10); page.changed(); },
  };
  return actions;
}
