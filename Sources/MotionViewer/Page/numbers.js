// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The numbers beside the picture, one list for each view, and the cards of the services.

import {degrees, gravity, pitch, roll, yaw} from './angles.js';
import {flag} from './records.js';

const levels = ['uncalibrated', 'low', 'medium', 'high'];
const fixed = (value, places, unit = '') => Number.isFinite(value) ? `${value.toFixed(places)}${unit}` : '–';
const three = (values, places, unit) => `${values.map((value) => fixed(value, places)).join('  ')} ${unit}`;

/** What is shown of sample `i` and of the state of its source: names and texts. */
export function rows(store, i, state) {
  const m = store.motion;
  if (i < 0) return [['Motion', state?.reason ?? 'no data']];
  const q = [m.w[i], m.x[i], m.y[i], m.z[i]];
  const g = gravity(...q);
  const total = Math.hypot(g[0] + m.ux[i], g[1] + m.uy[i], g[2] + m.uz[i]);
  const bound = 1.96 * m.headingDeviation[i];
  const list = [
    ['Roll', fixed(roll(...q) * degrees, 2, '°')],
    ['Pitch', fixed(pitch(...q) * degrees, 2, '°')],
    ['Yaw', fixed(yaw(...q) * degrees, 2, '°')],
    ['Heading', Number.isFinite(m.heading[i])
      ? `${fixed(m.heading[i], 1, '°')} ± ${fixed(bound, 1, '°')}${m.flags[i] & flag.heading ? '' : ' (not valid)'}` : 'no north in this frame'],
    ['Quaternion w x y z', q.map((value) => value.toFixed(4)).join(' ')],
    ['Tilt, 95 %', `± ${fixed(1.73 * m.inclinationDeviation[i], 2, '°')}`],
    ['|acceleration|', fixed(total, 3, ' g')],
    ['User acceleration', three([m.ux[i], m.uy[i], m.uz[i]], 3, 'g')],
    ['Rotation rate', three([m.rx[i], m.ry[i], m.rz[i]], 3, 'rad/s')],
    ['At rest', m.flags[i] & flag.rest ? 'yes' : 'no'],
    ['Magnetometer', m.flags[i] & flag.field
      ? `${levels[m.accuracy[i] + 1]}, ${fixed(Math.hypot(m.fx[i], m.fy[i], m.fz[i]), 1, ' µT')}` : 'not used in this frame'],
  ];
  if (m.location[i] > 0) list.push(['Speaks', m.location[i] === 1 ? 'left bud' : 'right bud']);
  if (state?.bias) list.push(['Gyroscope bias', three(state.bias.map((value) => value * degrees), 3, '°/s')]);
  if (state?.ghost !== undefined) list.push(['From the recorded attitude', fixed(state.ghost, 2, '°')]);
  for (const rate of state?.rates ?? []) list.push([`Rate, ${rate.name}`, fixed(rate.hertz, 1, ' Hz')]);
  if (state?.gaps !== undefined) list.push(['Gaps, dropped', `${state.gaps}, ${state.dropped}`]);
  if (Number.isFinite(state?.latency)) {
    list.push(['Latency, largest', `${fixed(state.latency * 1000, 1)}, ${fixed(state.largestLatency * 1000, 1)} ms`]);
  }
  return list;
}

export class Numbers {
  constructor(element, names) {
    this.lists = names.map((name) => {
      const section = document.createElement('section');
      if (names.length > 1) {
        const title = document.createElement('h2');
        title.textContent = name;
        section.append(title);
      }
      const list = document.createElement('dl');
      section.append(list);
      element.append(section);
      return {list, cells: new Map()};
    });
  }

  show(place, rows) {
    const {list, cells} = this.lists[place];
    const names = rows.map(([name]) => name);
    if (names.join() !== [...cells.keys()].join()) {
      list.replaceChildren();
      cells.clear();
      for (const name of names) {
        const [box, term, value] = ['div', 'dt', 'dd'].map((tag) => document.createElement(tag));
        term.textContent = name;
        if (name.startsWith('Quaternion')) box.className = 'wide';
        box.append(term, value);
        list.append(box);
        cells.set(name, value);
      }
    }
    for (const [name, text] of rows) {
      const cell = cells.get(name);
      if (cell.textContent !== text) cell.textContent = text;
    }
  }
}

/** A card for each service, with its value or why it has none. */
export function showServices(element, services) {
  const text = JSON.stringify(services);
  if (element.dataset.shown === text) return;
  element.dataset.shown = text;
  element.replaceChildren(...services.map(({name, value, reason}) => {
    const item = document.createElement('li');
    item.className = value === null ? 'off' : '';
    const title = document.createElement('strong');
    title.textContent = `${name}: `;
    item.append(title, value ?? reason);
    return item;
  }));
}
