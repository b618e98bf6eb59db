// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The page of `motionctl view`: what it shows, at which moment, and what keys and buttons do.

import {aboutZ, azimuth, conjugate, degrees, gravity, headWords, multiply, poseWords} from './angles.js';
import {loadTrack, openFeed, session} from './connection.js';
import {bindControls, element, setPressed} from './controls.js';
import {Numbers, rows, showServices} from './numbers.js';
import {png, save, svg} from './picture.js';
import {flag, Store} from './records.js';
import {Strips} from './strips.js';
import {Timeline} from './timeline.js';

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
/** A live view without motion for longer than this is grey, seconds. */
const longestSilence = 1;

const info = await session();
const isLive = info.mode === 'live';
const views = info.views.map((view) => ({...view, store: new Store(!isLive), state: {reason: view.absence}, turn: 0, mount: null, ghostTurn: null}));
const link = new URLSearchParams(location.hash.slice(1));
const number = (name, fallback) => Number.isFinite(parseFloat(link.get(name))) ? parseFloat(link.get(name)) : fallback;
/** Everything that the address can hold. */
const state = {
  moment: number('t', 0), isPlaying: !link.has('t') && (isLive || !reducedMotion), speed: number('speed', 1),
  window: number('window', 10), view: Math.min(views.length - 1, Math.max(0, number('view', 0))),
  dark: link.has('theme') ? link.get('theme') === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches,
  usesDegrees: link.get('units') === 'deg',
};
link.get('turns')?.split(',').forEach((turn, index) => { if (views[index]) views[index].turn = parseFloat(turn) || 0; });
link.get('frames')?.split(',').forEach((frame, index) => { if (views[index]?.frames.includes(frame)) views[index].frame = frame; });

document.body.dataset.mode = info.mode;
document.documentElement.dataset.theme = state.dark ? 'dark' : 'light';
document.title = `${info.views.map((view) => view.name).join(' | ')} – motion`;
element('title').textContent = views.map((view) => view.name).filter((name, index, all) => all.indexOf(name) === index).join('  |  ');
element('origin').textContent = {simulation: 'simulation: no sensor is read', recording: 'recording', hardware: 'sensor'}[views[0].origin];

const strips = new Strips(element('strips'));
const numbers = new Numbers(element('numbers'), views.map(label));
const timeline = new Timeline(element('timeline'), (moment) => seek(moment));
let stage = null;
try {
  const {Stage} = await import('./scene.js');
  stage = new Stage(element('stage'), views.map((view) => view.body), {dark: state.dark, reducedMotion});
  stage.look(views.some((view) => isNorth(view)));
} catch (error) {
  say(`The picture needs WebGL, which this browser does not give (${error.message}). Numbers and strips work.`);
}
strips.setUnits(state.usesDegrees);
strips.build();
element('unitName').textContent = state.usesDegrees ? '°' : 'rad';
element('window').value = String(state.window);
element('speed').value = String(state.speed);
views.forEach((view, index) => {
  if (views.length > 1) {
    const name = document.createElement('div');
    name.textContent = label(view);
    element('labels').append(name);
    element('view').append(new Option(label(view), index, false, index === state.view));
    element('stripsOf').hidden = false;
  }
  showFrame(view);
});
if (views[0].absence) say(views[0].absence);

/** A short name that tells one view from the other. */
function label(view) {
  if (views.length > 1 && views[0].name === views[1].name) return view.frame;
  return view.origin === 'recording' ? view.name.replace(/^recording |\(.*\)$/g, '').trim() : view.name;
}
function isNorth(view) { return view.frame === 'magnetic' || view.frame === 'true'; }
function say(sentence) {
  element('stageNote').textContent = sentence ?? '';
  element('stageNote').hidden = !sentence;
}
function showFrame() {
  element('frameName').textContent = views.map((view) => view.frame).filter((name, index, all) => all.indexOf(name) === index).join(' | ');
  element('frame').disabled = views.every((view) => view.frames.length < 2);
}

// Time

let feed = null;
/** Of a live source: what its clock is ahead of this page's, and the moment at which it was paused. */
let latestArrival = 0;

function duration() { return Math.max(0, ...views.map((view) => view.track?.duration ?? 0)); }

function seek(moment) {
  state.moment = isLive ? moment : Math.max(0, Math.min(duration(), moment));
  dirty = true;
  keepLink();
}

function setPlaying(isPlaying) {
  state.isPlaying = isPlaying;
  if (!isLive && isPlaying && state.moment >= duration()) state.moment = 0;
  const button = element('play');
  button.textContent = isPlaying ? 'Pause' : 'Play';
  setPressed('play', isPlaying);
  keepLink();
}

/** Steps a sample of the chosen view, or seconds. */
function step(direction, seconds) {
  setPlaying(false);
  const store = views[state.view].store;
  const columns = store.motion.length > 0 ? store.motion : store.accelerometer;
  if (seconds > 0) return seek(state.moment + direction * seconds);
  const at = columns.at(state.moment);
  // Before the first sample there is a moment, too.
  const next = Math.max(0, Math.min(columns.length - 1, at + direction));
  if (columns.length > 0) seek(columns.t[next]);
}

/** The window of the strips about the present moment. */
function range() {
  if (isLive) return [state.moment - (state.window || 60), state.moment];
  const length = state.window || Math.max(1, duration());
  const from = state.window === 0 ? 0 : Math.max(0, Math.min(state.moment - length / 2, duration() - length));
  return [from, from + length];
}

// The picture of a view

function sampleOf(view) { return view.store.motion.at(state.moment + 1e-9); }

function attitudeOf(columns, i) { return [columns.w[i], columns.x[i], columns.y[i], columns.z[i]]; }

function stateOf(view) {
  const m = view.store.motion;
  const i = sampleOf(view);
  if (i < 0) return null;
  if (isLive && state.isPlaying && performance.now() - latestArrival > longestSilence * 1000) return null;
  const attitude = attitudeOf(m, i);
  return {
    attitude, gravity: gravity(...attitude), user: [m.ux[i], m.uy[i], m.uz[i]], turn: view.turn, mount: view.mount,
    ghost: ghostOf(view, m.t[i]), isNorth: isNorth(view), headingDeviation: m.headingDeviation[i],
    inclinationDeviation: m.inclinationDeviation[i],
  };
}

/** The recorded attitude at a time. Where the two count their azimuths from different directions, the first ones are made equal. */
function ghostOf(view, time) {
  const {ghost, motion} = view.store;
  const i = ghost.at(time + 0.005);
  if (i < 0 || time - ghost.t[i] > 0.5) return undefined;
  if (view.ghostTurn === null) {
    const first = motion.at(ghost.t[0] + 1);
    const ghostIsNorth = ((ghost.flags[i] >> 4) & 3) >= 2;
    view.ghostTurn = (ghostIsNorth && isNorth(view)) || first < 0 ? 0
      : azimuth(attitudeOf(motion, first)) - azimuth(attitudeOf(ghost, ghost.at(motion.t[first])));
  }
  return multiply(aboutZ(view.ghostTurn), attitudeOf(ghost, i));
}

/** What the numbers show of a view. */
function rowsOf(view) {
  const i = sampleOf(view);
  const facts = {...view.state};
  if (i >= 0) {
    const ghost = ghostOf(view, view.store.motion.t[i]);
    if (ghost) {
      const [w, x, y, z] = multiply(conjugate(attitudeOf(view.store.motion, i)), ghost);
      facts.ghost = 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)) * degrees;
    }
    const biases = view.track?.biases ?? [];
    let found = biases.findLastIndex(([seconds]) => seconds <= view.store.motion.t[i]);
    if (found >= 0) facts.bias = biases[found].slice(1);
  }
  return rows(view.store, i, facts);
}

// The loop

let dirty = true, former = performance.now(), lastSlow = 0, lastWords = 0;

function draw(now) {
  const elapsed = Math.min(0.25, (now - former) / 1000);
  former = now;
  if (isLive && state.isPlaying) {
    const latest = Math.max(...views.map((view) => view.store.last));
    if (latest !== state.moment && Number.isFinite(latest)) { state.moment = latest; dirty = true; }
    // The view turns grey when the source falls silent.
    if (performance.now() - latestArrival > longestSilence * 1000) dirty = true;
  } else if (!isLive && state.isPlaying && duration() > 0) {
    state.moment = Math.min(duration(), state.moment + elapsed * state.speed);
    dirty = true;
    if (state.moment >= duration()) setPlaying(false);
  }
  const window = range();
  // The controls of the camera move it by themselves.
  if (stage) stage.render(views.map(stateOf));
  if (dirty && now - lastSlow > 40) {
    lastSlow = now;
    dirty = false;
    strips.show(views[state.view].store, window, isLive ? undefined : state.moment);
    views.forEach((view, index) => numbers.show(index, rowsOf(view)));
    element('clock').textContent = `${state.moment.toFixed(3)} s`;
  }
  if (!isLive) timeline.draw(state.moment, window);
  // Said seldom while it moves, and at once when it was moved to.
  if (now - lastWords > (state.isPlaying ? 3000 : 300)) { lastWords = now; sayPose(); }
  requestAnimationFrame(draw);
}

/** The text that stands for the picture; said when it has changed. */
function sayPose() {
  const sentences = views.map((view) => {
    const i = sampleOf(view);
    if (i < 0) return view.absence ?? 'No motion yet.';
    if (view.body === 'headphones') return headWords(attitudeOf(view.store.motion, i));
    const {heading, flags} = view.store.motion;
    return poseWords(attitudeOf(view.store.motion, i), heading[i], isNorth(view) && (flags[i] & flag.heading) !== 0);
  });
  const text = views.length > 1 ? sentences.map((text, index) => `${label(views[index])}: ${text}`).join(' ') : sentences[0];
  if (element('pose').textContent !== text) element('pose').textContent = text;
}

// The address

let linkTimer = null;
function keepLink() {
  if (linkTimer !== null) return;
  linkTimer = setTimeout(() => {
    linkTimer = null;
    history.replaceState(null, '', `#${permalink()}`);
  }, 400);
}

function permalink() {
  const parts = new URLSearchParams();
  if (!isLive && !state.isPlaying) parts.set('t', state.moment.toFixed(4));
  if (state.speed !== 1) parts.set('speed', state.speed);
  if (state.window !== 10) parts.set('window', state.window);
  if (state.view !== 0) parts.set('view', state.view);
  if (state.usesDegrees) parts.set('units', 'deg');
  if (link.has('theme')) parts.set('theme', state.dark ? 'dark' : 'light');
  if (views.some((view) => view.turn !== 0)) parts.set('turns', views.map((view) => view.turn.toFixed(4)).join());
  if (views.some((view) => view.frame !== view.startFrame)) parts.set('frames', views.map((view) => view.frame).join());
  return parts.toString();
}

// What keys and buttons do

const actions = {
  zero() {
    for (const view of views) {
      const i = sampleOf(view);
      // The top edge away from the viewer: along y, or to the north where the view looks there.
      const away = stage?.looksNorth ? 0 : Math.PI / 2;
      view.turn = view.turn !== 0 || i < 0 ? 0 : away - azimuth(attitudeOf(view.store.motion, i));
    }
    setPressed('zero', views.some((view) => view.turn !== 0));
    changed();
  },
  level() {
    for (const view of views) {
      const i = sampleOf(view);
      if (view.mount || i < 0) { view.mount = null; continue; }
      const q = attitudeOf(view.store.motion, i);
      view.mount = multiply(conjugate(q), aboutZ(azimuth(q) - Math.PI / 2));
    }
    setPressed('level', views.some((view) => view.mount));
    changed();
  },
  frame() {
    for (const view of views.length > 1 && views[0].name !== views[1].name ? views : [views[state.view]]) {
      if (view.frames.length < 2) continue;
      view.frame = view.frames[(view.frames.indexOf(view.frame) + 1) % view.frames.length];
      if (isLive) feed?.send({command: 'frame', view: view.number, frame: view.frame});
      else load(view);
    }
    stage?.look(views.some((view) => isNorth(view)));
    showFrame();
    changed();
  },
  record() { if (isLive) feed?.send({command: 'record'}); },
  async picture() { save(`${fileName()}.png`, await png(content())); },
  drawing() { save(`${fileName()}.svg`, svg(content())); },
  async copy() {
    const address = `${location.href.split('#')[0]}#${permalink()}`;
    history.replaceState(null, '', address);
    try { await navigator.clipboard.writeText(address); element('notice').textContent = 'The link is copied.'; } catch {
      element('notice').textContent = 'The link is in the address bar.';
    }
  },
  units() {
    state.usesDegrees = !state.usesDegrees;
    element('unitName').textContent = state.usesDegrees ? '°' : 'rad';
    strips.setUnits(state.usesDegrees);
    changed();
  },
  theme() {
    state.dark = !state.dark;
    link.set('theme', 'kept');
    document.documentElement.dataset.theme = state.dark ? 'dark' : 'light';
    stage?.setTheme(state.dark);
    strips.build();
    timeline.restyle();
    changed();
  },
  help() { element('helpDialog').showModal(); },
  play() { setPlaying(!state.isPlaying); changed(); },
  back(event) { step(-1, event?.shiftKey ? 1 : event?.altKey ? 10 : 0); },
  forward(event) { step(1, event?.shiftKey ? 1 : event?.altKey ? 10 : 0); },
  zoom(direction) {
    const select = element('window');
    const index = Math.max(0, Math.min(select.options.length - (isLive ? 2 : 1), select.selectedIndex + direction));
    select.selectedIndex = index;
    actions.window(select.value);
  },
  window(value) { state.window = parseFloat(value); changed(); },
  speed(value) { state.speed = parseFloat(value); changed(); },
  view(value) { state.view = parseInt(value, 10); changed(); },
};

function changed() { dirty = true; keepLink(); }

function fileName() { return `motion-${state.moment.toFixed(2).replace('.', '_')}s`; }

function content() {
  const parts = [element('origin').textContent, `frame ${element('frameName').textContent}`, `at ${state.moment.toFixed(3)} s`, info.version];
  return {
    title: element('title').textContent, subtitle: parts.join(' · '), stage: element('stage'), strips: strips.charts,
    numbers: views.map(rowsOf),
  };
}

bindControls(actions);

// Beginning

function showState(message) {
  for (const view of message.views ?? []) {
    const target = views[view.view];
    if (!target) continue;
    if (target.frame !== view.frame) { target.frame = view.frame; showFrame(); }
    target.state = {...view, reason: target.absence};
  }
  const shown = message.views?.find((view) => view.view === state.view) ?? message.views?.[0];
  if (shown) {
    showServices(element('services'), shown.services);
    element('notice').textContent = shown.notice ?? (shown.hasEnded ? 'The source has ended.' : '');
  }
  if (message.recording) showRecording(message.recording);
}

function showRecording({name, samples, lost, failure, finished}) {
  setPressed('record', Boolean(name));
  const files = element('files');
  const text = [name ? `Recording ${name}: ${samples} samples, ${lost === 0 ? 'none lost' : `${lost} LOST`}.` : '', failure ?? ''].join(' ').trim();
  const key = text + finished.join();
  if (files.dataset.shown === key) return;
  files.dataset.shown = key;
  files.replaceChildren(text);
  for (const file of finished) {
    const download = document.createElement('a');
    download.href = `recordings/${file}`;
    download.download = file;
    download.textContent = file;
    files.append(' Download ', download);
  }
}

async function load(view) {
  const frame = view.frame;
  try {
    const {summary, store} = await loadTrack(view, (share) => {
      element('link').textContent = `reading, ${Math.round(share * 100)} %`;
    });
    // Another frame may have been asked for meanwhile.
    if (view.frame !== frame) return;
    Object.assign(view, {store, track: summary, ghostTurn: null});
    view.state = {
      reason: view.absence, rates: summary.counts.map(({name, rate}) => ({name, hertz: rate})),
      gaps: summary.gaps.length, dropped: summary.counts.reduce((sum, item) => sum + item.dropped, 0),
    };
    element('link').textContent = summary.step > 1 ? `one of ${summary.step} samples shown` : `${summary.rows} samples`;
    element('notice').textContent = [...summary.events.map((event) => event.text), ...summary.warnings].join(' ');
    timeline.setTrack({...summary, duration: duration()}, views[0].store);
    if (state.window > 0 && state.moment > summary.duration) state.moment = 0;
    dirty = true;
  } catch (error) {
    element('link').textContent = 'not read';
    say(error.message);
  }
}

if (isLive) {
  feed = openFeed(views.map((view) => view.store), {
    arrived() { latestArrival = performance.now(); },
    state: showState,
    link(text, isBad) {
      element('link').textContent = text;
      element('link').classList.toggle('bad', isBad);
    },
  });
  element('liveNote').textContent = reducedMotion ? 'This system asks for little motion: the picture follows the device only.' : '';
} else {
  element('record').disabled = true;
  element('record').title = 'This is a recording already.';
  element('servicesTitle').hidden = true;
  for (const view of views) load(view);
}
setPlaying(state.isPlaying);
// For tests of the page, and for the curious in the console.
window.motionView = {views, state, seek, actions, rowsOf, stateOf};
requestAnimationFrame(draw);
