// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of a view at a moment: the three angles, and all others in groups. Each group has a key number for when it is folded.

import {degrees, fixed, gravity, pitch, roll, three, yaw} from './angles.js';
import {make, write} from './controls.js';
import {attitudeOf, flag, frameOf, isNorth} from './records.js';

const levels = ['uncalibrated', 'low', 'medium', 'high'];

/** An angle in the unit that was chosen. */
const angle = (value, usesDegrees, places = 2) =>
  usesDegrees ? fixed(value * degrees, places, '°') : fixed(value, places + 1, ' rad');

/** Roll, pitch and yaw: names and texts. */
export function angles(view, moment, usesDegrees) {
  const q = view.attitude(moment) ?? [NaN, NaN, NaN, NaN];
  return [['Roll', roll], ['Pitch', pitch], ['Yaw', yaw]].map(([name, of]) => [name, angle(of(...q), usesDegrees)]);
}

/** The other numbers: groups of a name, a key number and rows of name and text. */
export function groups(view, moment, usesDegrees) {
  const i = view.sample(moment);
  const list = i < 0 ? [] : [orientation(view, i, usesDegrees), movement(view, i, usesDegrees), sensors(view, i, usesDegrees)];
  if (i >= 0 && view.store.ghost.length > 0) list.push(apart('Recorded attitude', view.ghost.at(moment), usesDegrees));
  list.push(stream(view));
  return list.filter(({rows}) => rows.length > 0);
}

function orientation({store: {motion: m}}, i, usesDegrees) {
  const heading = headingText(m, i);
  const tilt = `± ${angle(1.73 * m.inclinationDeviation[i] / degrees, usesDegrees)}`;
  return {
    name: 'Orientation', key: isNorth(frameOf(m, i)) ? `heading ${fixed(m.heading[i], 0, '°')}` : `tilt ${tilt}`, rows: [
      ['Heading', heading], ['Tilt, 95 %', tilt],
      ['Quaternion w x y z', attitudeOf(m, i).map((value) => fixed(value, 4)).join(' ')]],
  };
}

/** Heading counts from north: in a frame without it there is none, whatever the magnetometer says. */
function headingText(m, i) {
  if (!isNorth(frameOf(m, i))) return 'no north in this frame';
  if (!Number.isFinite(m.heading[i])) return 'not known yet';
  const bound = Number.isFinite(m.headingDeviation[i]) ? ` ± ${fixed(1.96 * m.headingDeviation[i], 1, '°')}` : '';
  return `${fixed(m.heading[i], 1, '°')}${bound}${m.flags[i] & flag.heading ? '' : ', not reliable'}`;
}

function movement({store: {motion: m}}, i, usesDegrees) {
  const g = gravity(...attitudeOf(m, i));
  const user = [m.ux[i], m.uy[i], m.uz[i]];
  const isAtRest = (m.flags[i] & flag.rest) !== 0;
  const factor = usesDegrees ? degrees : 1;
  return {
    name: 'Movement', key: isAtRest ? 'at rest' : `${fixed(Math.hypot(...user), 2)} g`, rows: [
      ['At rest', isAtRest ? 'yes' : 'no'], ['Acceleration', fixed(Math.hypot(...g.map((value, at) => value + user[at])), 3, ' g')],
      ['User acceleration', three(user, 3, 'g')],
      ['Rotation rate', three([m.rx[i], m.ry[i], m.rz[i]].map((value) => value * factor), usesDegrees ? 1 : 3, usesDegrees ? '°/s' : 'rad/s')]],
  };
}

function sensors(view, i, usesDegrees) {
  const m = view.store.motion;
  const rows = [];
  const bias = view.bias(m.t[i]);
  const factor = usesDegrees ? degrees : 1;
  if (bias) rows.push(['Gyroscope bias', three(bias.map((value) => value * factor), usesDegrees ? 3 : 5, usesDegrees ? '°/s' : 'rad/s')]);
  const field = fieldText(view, i);
  rows.push(['Magnetometer', field]);
  if (m.location[i] > 0) rows.push(['Measured by', m.location[i] === 1 ? 'left bud' : 'right bud']);
  return {name: 'Sensors', key: bias ? `bias ${angle(Math.hypot(...bias), usesDegrees)}/s` : field.split(',')[0], rows};
}

/** A sample with a field says its level. One without is in a frame that needs none, or comes before the field is known. */
function fieldText({store: {motion: m, magnetometer}}, i) {
  if (m.flags[i] & flag.field) return `${levels[m.accuracy[i] + 1]}, ${fixed(Math.hypot(m.fx[i], m.fy[i], m.fz[i]), 1, ' µT')}`;
  if (frameOf(m, i) === 'arbitrary') return 'not used in this frame';
  return magnetometer.length > 0 ? 'not calibrated yet' : 'no field';
}

/** How far two attitudes are apart: `found` of a Comparison. */
export function apart(name, found, usesDegrees) {
  const turn = found && Number.isFinite(found.turn) ? angle(found.turn, usesDegrees) : 'not comparable between two frames';
  return {
    name, key: found ? `tilt ${angle(found.tilt, usesDegrees)}` : '–',
    rows: [['Tilt apart', angle(found?.tilt, usesDegrees)], ['Turn apart', found ? turn : '–']],
  };
}

function stream({state}) {
  const rows = (state.rates ?? []).map(({name, hertz}) => [`Rate, ${name}`, fixed(hertz, 1, ' Hz')]);
  const fastest = Math.max(...(state.rates ?? []).map(({hertz}) => hertz).filter(Number.isFinite));
  if (state.gaps !== undefined) rows.push(['Gaps', `${state.gaps}`], ['Samples left out', `${state.dropped}`]);
  if (Number.isFinite(state.latency)) {
    rows.push(['Latency to the program', `${fixed(state.latency * 1000, 2)} ms, at most ${fixed(state.largestLatency * 1000, 1)}`]);
  }
  return {name: 'Stream', key: Number.isFinite(fastest) ? `${fixed(fastest, 0)} Hz, ${state.gaps ?? 0} gaps` : '', rows};
}

/** Large angles, a row for each view. */
export class Angles {
  constructor(element, labels) {
    this.cells = labels.map((label) => {
      const row = make('div', '', 'reading');
      if (labels.length > 1) row.append(make('h2', label));
      const list = make('dl');
      const cells = new Map(['Roll', 'Pitch', 'Yaw'].map((name) => {
        const box = make('div'), value = make('dd', '–');
        const title = make('dt', name);
        title.style.color = `var(--${name.toLowerCase()})`;
        box.append(title, value);
        list.append(box);
        return [name, value];
      }));
      row.append(list);
      element.append(row);
      return {cells, title: row.querySelector('h2')};
    });
  }

  show(place, label, rows) {
    const {cells, title} = this.cells[place];
    if (title) write(title, label);
    for (const [name, text] of rows) write(cells.get(name), text);
  }
}

/** Groups of numbers, a column for each view. */
export class Groups {
  constructor(element) { [this.element, this.boxes] = [element, new Map()]; }

  /** `views`: the groups of each view; `letters`: what heads their columns, if there are several. */
  show(views, letters) {
    const names = [...new Set(views.flat().map(({name}) => name))];
    if (names.join() !== [...this.boxes.keys()].join()) this.rebuild(names);
    for (const name of names) {
      const columns = views.map((groups) => groups.find((group) => group.name === name));
      const box = this.boxes.get(name);
      write(box.key, columns.map((group) => group?.key ?? '').filter((key, at, all) => key && all.indexOf(key) === at).join(' | '));
      if (box.details.open) this.fill(box, columns.filter(Boolean), letters);
    }
  }

  rebuild(names) {
    const former = this.boxes;
    this.boxes = new Map(names.map((name) => [name, former.get(name) ?? this.box(name)]));
    this.element.replaceChildren(...[...this.boxes.values()].map(({details}) => details));
  }

  box(name) {
    const details = make('details'), summary = make('summary'), key = make('span', '', 'key'), table = make('table');
    summary.append(make('span', name), key);
    details.append(summary, table);
    return {details, key, table, shape: ''};
  }

  fill(box, columns, letters) {
    const names = [...new Set(columns.flatMap(({rows}) => rows.map(([name]) => name)))];
    const shape = `${columns.length} ${names.join()}`;
    if (box.shape !== shape) {
      box.shape = shape;
      const isPair = columns.length > 1;
      box.table.replaceChildren();
      if (isPair) {
        const head = box.table.insertRow();
        head.append(make('td'), ...letters.map((letter) => Object.assign(make('th', letter), {scope: 'col'})));
      }
      for (const name of names) {
        const row = box.table.insertRow();
        row.append(Object.assign(make('th', name), {scope: 'row'}), ...columns.map(() => make('td')));
      }
    }
    const first = columns.length > 1 ? 1 : 0;
    names.forEach((name, at) => columns.forEach(({rows}, column) => {
      write(box.table.rows[at + first].cells[column + 1], rows.find(([other]) => other === name)?.[1] ?? '–');
    }));
  }
}
