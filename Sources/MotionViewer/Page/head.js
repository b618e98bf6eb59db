// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What stands at the head of the page: what is shown, in which frame, and how far it is read.

import {element, write} from './controls.js';

const distinct = (texts) => texts.filter((text, index) => texts.indexOf(text) === index);

/** The names of the views, and the lists as the address has them. */
export function showHead({info, views, view: chosen, playback, isLive}) {
  document.body.dataset.mode = info.mode;
  document.title = `${views.map(({name}) => name).join(' | ')} – motion`;
  write('title', distinct(views.map((view) => view.hasTwin ? view.name : view.label)).join(' and '));
  write('origin', {simulation: 'simulation: no sensor is read', recording: 'recording', hardware: 'sensor'}[views[0].origin] ?? '');
  element('window').value = String(playback.window);
  element('speed').value = String(playback.speed);
  if (views.length === 1) return;
  element('stripsOf').hidden = !isLive && !views[0].hasTwin;
  // Recordings are drawn over each other; of one in two frames, key F needs to know which view it changes.
  write('stripsOfName', isLive ? 'Strips of' : 'Frame of');
  views.forEach((view, index) => {
    element('labels').append(Object.assign(document.createElement('div'), {textContent: view.label}));
    element('view').append(new Option(view.label, index, false, index === chosen));
  });
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
