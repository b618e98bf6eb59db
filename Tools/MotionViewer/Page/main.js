// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The page of `motionctl view`: its parts, and the loop that shows a moment in all of them.

import {fixed} from './angles.js';
import {openFeed, session} from './connection.js';
import {bindControls, element, makeActions, setPressed, write} from './controls.js';
import {phaseOf, PhasePicture, showFrames, showHead, showRecording, Status, statusOf} from './head.js';
import {fromAddress, isDark, Playback, Timeline, toAddress} from './playback.js';
import {angles, Angles, apart, Groups, groups} from './readings.js';
import {Comparison} from './records.js';
import {apartness, quantities, Strips} from './strips.js';
import {View} from './view.js';

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
/** A live view without motion for longer than this is grey, seconds. */
const longestSilence = 1;
const phase = new PhasePicture(element('phase'));
document.documentElement.dataset.theme = isDark ? 'dark' : 'light';

const info = await session().catch((error) => {
  phase.show({kind: 'failed', title: 'This cannot be shown', text: error.message});
  write('link', 'not shown');
});
if (info) await begin();

async function begin() {
  const isLive = info.mode === 'live';
  const views = info.views.map((description) => new View(description, {isLive, count: info.views.length}));
  if (views.length > 1 && views[0].name === views[1].name) for (const view of views) view.hasTwin = true;
  const wanted = fromAddress(isLive, reducedMotion);
  const last = () => isLive ? (page.feed?.isHistory ? NaN : Math.max(...views.map((view) => view.store.last)))
    : Math.max(0, ...views.map((view) => view.track?.duration ?? 0));
  const page = {
    info, isLive, views, usesDegrees: wanted.usesDegrees,
    playback: new Playback({...wanted, isLive, last}), feed: null, stage: null, comparison: null, failure: null, phone: null,
    isDirty: true, isBuilt: false, latestArrival: 0,
  };
  const {playback} = page;
  const status = new Status(element('link'));

  // Parts

  const strips = new Strips(element('strips'), {
    seek: (moment) => actions.seek(moment), zoom: (span) => actions.zoomTo(span), reset: () => actions.reset(),
    hover() { page.isDirty = true; },
  });
  const readings = new Angles(element('readings'), views.map((view) => view.label));
  const numbers = new Groups(element('groups'));
  const timeline = new Timeline(element('timeline'), (moment) => actions.seek(moment));
  const buildNow = () => {
    const compared = page.comparison ? [apartness('B apart from A', page.comparison)]
      : views[0].store.ghost.length > 0 ? [apartness('Recorded attitude apart', views[0].ghost)] : [];
    strips.build([quantities[0], ...compared, ...quantities.slice(1)], views.map((view) => view.letter));
    page.isBuilt = true;
  };

  Object.assign(page, {
    changed() { page.isDirty = true; keepAddressSoon(); },
    trackChanged() {
      const [a, b] = views;
      page.comparison = !isLive && b && a.track && b.track ? new Comparison(a.store.motion, b.store.motion) : null;
      if (a.track && (a.store !== timeline.store || last() !== timeline.duration)) timeline.setTrack({...a.track, duration: last()}, a.store);
      status.show(statusOf(views), views.some((view) => view.failure));
      const tracks = views.map((view) => view.track).filter(Boolean);
      const told = tracks.flatMap(({events, warnings}) => [...events.map(({text}) => text), ...warnings]);
      write('notice', [...new Set([...views.map((view) => view.failure), ...told])].filter(Boolean).join(' '));
      if (playback.moment > last() && tracks.length === views.length) playback.seek(last());
      const stores = views.map((view) => view.store);
      if (stores.some((store, index) => store !== page.built?.[index])) [page.built, page.isBuilt] = [stores, false];
      page.isDirty = true;
    },
    setUnits(usesDegrees) {
      page.usesDegrees = strips.usesDegrees = usesDegrees;
      write('unitName', usesDegrees ? 'Angles in radians' : 'Angles in degrees');
      page.changed();
    },
    /** Everything of a view as one list, as tests want it. */
    rowsOf(view) {
      const {moment} = playback;
      return [...angles(view, moment, page.usesDegrees), ...groups(view, moment, page.usesDegrees).flatMap(({rows}) => rows)];
    },
    stateOf(view) {
      const isSilent = isLive && playback.isPlaying && performance.now() - page.latestArrival > longestSilence * 1000;
      return isSilent ? null : view.pose(playback.moment);
    },
  });
  let addressTimer = null;
  // A browser refuses more than a hundred in half a minute.
  const keepAddressSoon = () => { addressTimer ??= setTimeout(() => {
    addressTimer = null;
    history.replaceState(null, '', `${location.href.split('#')[0]}#${toAddress(page, views)}`);
  }, 500); };
  const actions = makeActions(page);

  // The beginning

  views.forEach((view, index) => { view.turn = wanted.turns[index] ?? 0; });
  showHead(page);
  setPressed('zero', views.some((view) => view.turn !== 0));
  try {
    const {Stage} = await import('./scene.js');
    page.stage = new Stage(element('stage'), views.map((view) => view.body), {isDark, reducedMotion});
  } catch (error) {
    write('notice', `The picture needs WebGL, which this browser does not give (${error.message}). Numbers and strips work.`);
  }
  page.setUnits(page.usesDegrees);
  bindControls(actions);

  // The loop

  let former = performance.now(), lastSlow = 0;

  function draw(now) {
    const elapsed = Math.max(0, Math.min(0.25, (now - former) / 1000));
    former = now;
    const wasPlaying = playback.isPlaying;
    if (playback.advance(elapsed)) page.isDirty = true;
    if (wasPlaying !== playback.isPlaying) keepAddressSoon();
    const silence = isLive && page.latestArrival > 0 ? (now - page.latestArrival) / 1000 : 0;
    if (silence > longestSilence) page.isDirty = true;
    status.setSilence(silence);
    const looksNorth = views.some((view) => view.isNorth(playback.moment));
    if (page.stage && page.stage.looksNorth !== looksNorth) page.stage.look(looksNorth);
    // The controls of the camera move it by themselves.
    page.stage?.render(views.map(page.stateOf));
    if (page.isDirty && now - lastSlow > 40) {
      lastSlow = now;
      page.isDirty = false;
      show();
    }
    if (!isLive) timeline.draw(playback.moment, playback.range());
    requestAnimationFrame(draw);
  }

  function show() {
    const {moment} = playback;
    if (!page.isBuilt) buildNow();
    phase.show(phaseOf(views, page));
    setPressed('play', playback.isPlaying);
    element('play').dataset.state = playback.isPlaying ? 'playing' : 'paused';
    write('playName', playback.isPlaying ? 'Pause' : 'Play');
    showFrames(views, moment);
    const time = strips.show(views, playback.range(), moment, !isLive || !playback.isPlaying);
    write('valuesAt', Number.isFinite(time) ? `Values at ${fixed(time, 3)} s` : '');
    element('reset').hidden = !playback.span || (isLive && !playback.isPlaying && playback.range()[1] - playback.range()[0] === playback.window);
    views.forEach((view, index) => readings.show(index, view.label, angles(view, moment, page.usesDegrees)));
    write('pose', views.map((view) => views.length > 1 ? `${view.letter}: ${view.words(moment)}` : view.words(moment)).join(' '));
    // A screen reader says it where it stands still; while it moves, it is read on demand.
    element('pose').ariaLive = playback.isPlaying ? 'off' : 'polite';
    numbers.show(views.map((view) => groups(view, moment, page.usesDegrees)), views.map((view) => view.letter));
    if (page.comparison) {
      const found = page.comparison.at(moment);
      const [[, tilt], [, turn]] = apart('', found, page.usesDegrees).rows;
      write('apart', found ? `B apart from A: tilt ${tilt}, turn ${turn}` : '');
    }
    write('clock', isLive ? fixed(moment, 3, ' s') : `${fixed(moment, 3)} of ${fixed(last(), 1)} s`);
  }

  // The data

  if (isLive) {
    page.feed = openFeed(views.map((view) => view.store), {
      arrived() { page.latestArrival = performance.now(); },
      state(message) {
        for (const state of message.views) {
          const view = views[state.view];
          if (!view) continue;
          if (view.state.frame !== state.frame) view.asked = state.frame;
          view.state = state;
        }
        page.phone = message.phone ?? null;
        write('notice', message.views.map(({notice, hasEnded}) => notice ?? (hasEnded ? 'The source has ended.' : '')).find(Boolean) ?? '');
        if (message.recording) setPressed('record', showRecording(element('files'), message.recording));
        page.isDirty = true;
      },
      link(text, isBad) {
        if (!isBad) page.failure = null;
        status.show(text, isBad);
        page.isDirty = true;
      },
      failed(sentence) {
        page.failure = sentence;
        write('notice', sentence);
        page.isDirty = true;
      },
    });
  } else {
    views.forEach((view, index) => view.load(view.frames.includes(wanted.frames[index]) ? wanted.frames[index] : view.asked, page.trackChanged));
  }
  // For tests of the page, and for the curious in the console.
  window.motionView = {
    views, state: page, playback, actions, seek: actions.seek, rowsOf: page.rowsOf, stateOf: page.stateOf,
    get isShown() { return !page.isDirty; },
  };
  requestAnimationFrame(draw);
}
