// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Where the data come from: the program that served this page, and nothing else.

import {read, Store} from './records.js';

/** What the program answers at a path. Throws its own sentence where it refuses. */
async function ask(path, {signal, method, token = sessionStorage.token} = {}) {
  let answer;
  const headers = {Authorization: `Bearer ${token ?? ''}`};
  try { answer = await fetch(path, {signal, method, headers}); } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error('The program that shows this page has ended or cannot be reached.');
  }
  if (!answer.ok) throw new Error((await answer.text()).trim() || `The program answers ${answer.status}.`);
  return answer;
}

const isJSON = (answer) => (answer.headers.get('content-type') ?? '').startsWith('application/json');

/** What the program shows: `mode` "live" or "recording", and the views. */
export async function session() {
  const refusal = await takeToken();
  try { return (await ask('session.json')).json(); } catch (error) { throw refusal ?? error; }
}

/**
 * The token of this run comes behind the # of the address, which a browser does not send, and stays in this tab for this port; a cookie
 * would be sent to every port of this computer. What the address holds may be a ticket, for which the program gives the token once.
 * What is refused, as the token of another run is, leaves the tab's own in place; returned is the refusal.
 */
async function takeToken() {
  const link = new URLSearchParams(location.hash.slice(1)), given = link.get('token');
  if (!given) return;
  link.delete('token');
  history.replaceState(null, '', `#${link}`);
  try {
    sessionStorage.token = (await (await ask('token', {method: 'POST', token: given})).text()).trim();
  } catch (error) { return error; }
}
// The address of another run, opened in the tab of this one, changes only what stands behind the #: the page does not load again.
addEventListener('hashchange', () => { if (location.hash.includes('token=')) location.reload(); });

/**
 * The track of a recording's view in a frame: `{summary, store}`. The number and the frame are this request's own, so that it answers
 * what it was asked; `signal` ends it when something else is wanted. `progress` hears how far the program is with it, 0…1.
 */
export async function loadTrack(number, frame, {progress, signal}) {
  const part = async (name) => {
    for (;;) {
      const answer = await ask(`${name}/${number}?frame=${frame}`, {signal});
      if (!isJSON(answer)) return answer.arrayBuffer();
      const json = await answer.json();
      if (json.reading === undefined) return json;
      progress(json.reading);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const summary = await part('track');
  const records = await part('records');
  const store = new Store(true);
  read(records, {[number]: store});
  signal.throwIfAborted();
  return {summary, store};
}

/**
 * The samples of a live source. The connection is made again when it is lost; samples that this page missed are counted. The program
 * first sends the last minute (`isHistory` meanwhile), so what a page had already is read anew.
 */
export function openFeed(stores, {arrived, state, link, failed}) {
  const feed = {
    isHistory: false,
    send(message) { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); },
  };
  let socket = null, expected = null, missed = 0, pause = 500;
  const hear = (message) => {
    if (message.history !== undefined) {
      feed.isHistory = message.history;
      expected = null;
      if (message.history) for (const store of stores) store.clear();
    }
    if (message.views) state(message);
  };
  const open = () => {
    const address = new URL('live', location.href.replace('http', 'ws'));
    // A WebSocket has no fields of its own: the token goes beside the name of the protocol, which alone is answered.
    socket = new WebSocket(address, ['motion-view', sessionStorage.token]);
    socket.binaryType = 'arraybuffer';
    // A page that has sent a message keeps its place when many connect.
    socket.onopen = () => { socket.send('{}'); pause = 500; expected = null; link('live', false); };
    socket.onmessage = ({data}) => {
      if (typeof data === 'string') return hear(JSON.parse(data));
      const number = read(data, stores);
      if (feed.isHistory) return;
      arrived();
      if (number !== null && expected !== null && number !== expected) {
        missed += (number - expected) >>> 0;
        link(`live, ${missed} messages not shown: this page was too slow`, false);
      }
      expected = number === null ? expected : (number + 1) >>> 0;
    };
    socket.onclose = async () => {
      feed.isHistory = false;
      // A browser does not say why; the program does.
      try { await session(); } catch (error) { failed(error.message); }
      link('not connected, trying again', true);
      setTimeout(open, pause);
      pause = Math.min(5000, pause * 2);
    };
  };
  open();
  return feed;
}
