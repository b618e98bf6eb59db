// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Where the data come from: the program that served this page, and nothing else.

import {read, Store} from './records.js';

/** What the program shows: `mode` "live" or "recording", and the views. */
export async function session() {
  const answer = await fetch('session.json');
  if (!answer.ok) throw new Error(await answer.text());
  const info = await answer.json();
  for (const view of info.views) view.startFrame = view.frame;
  return info;
}

/** The whole track of a recording in the view's frame; `progress` hears how far the program is with it, 0…1. */
export async function loadTrack(view, progress) {
  const address = `track/${view.number}?frame=${view.frame}`;
  for (;;) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    const summary = await answer.json();
    if (summary.reading === undefined) {
      const records = await fetch(`records/${view.number}?frame=${view.frame}`);
      if (!records.ok) throw new Error((await records.text()).trim());
      const buffer = await records.arrayBuffer();
      const store = new Store(true);
      const stores = [];
      stores[view.number] = store;
      read(buffer, stores);
      return {summary, store};
    }
    progress(summary.reading);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The samples of a live source. The connection is made again when it is lost; samples that this page missed are counted. */
export function openFeed(stores, {arrived, state, link}) {
  let socket = null, expected = null, missed = 0, pause = 500;
  const open = () => {
    const address = new URL('live', location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    address.hash = '';
    socket = new WebSocket(address);
    socket.binaryType = 'arraybuffer';
    // A page that has sent a message keeps its place when many connect.
    socket.onopen = () => { socket.send('{}'); pause = 500; expected = null; link('live', false); };
    socket.onmessage = ({data}) => {
      if (typeof data === 'string') {
        const message = JSON.parse(data);
        if (message.views) state(message);
        return;
      }
      const number = read(data, stores);
      arrived();
      if (number !== null && expected !== null && number !== expected) {
        missed += (number - expected) >>> 0;
        link(`live, ${missed} messages not shown: this page was too slow`, false);
      }
      expected = number === null ? expected : (number + 1) >>> 0;
    };
    socket.onclose = () => {
      link('the program has ended or cannot be reached; trying again', true);
      setTimeout(open, pause);
      pause = Math.min(5000, pause * 2);
    };
  };
  open();
  return {send(message) { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)); }};
}
