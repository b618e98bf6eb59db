// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The strips: quantities over time, of one view or of two over each other, with their values at the pointer or at the moment.

import {degrees, fixed, gravity, pitch, roll, ticks, yaw} from './angles.js';
import {css, make, write} from './controls.js';
import {flag} from './records.js';

/** The width at which viewer.css lets the strips scroll. */
const narrow = matchMedia('(max-width: 900px)');

export class Strips {
  /** `events`: what the pointer asks for: `seek(time)`, `zoom([from, to])`, `reset()`, and `hover()` when a value is asked for. */
  constructor(element, events) {
    Object.assign(this, {element, events, charts: [], usesDegrees: true, range: [0, 10], pointer: null});
    this.absent = make('p', '', 'absent');
    this.watch = new ResizeObserver(() => this.resize());
  }

  /** Makes the charts of quantities again, in the colours of the page. `letters`: of the views that are drawn over each other. */
  build(quantities, letters) {
    const look = {quiet: css('--quiet'), line: css('--line')};
    for (const {chart, plot} of this.charts) { chart.destroy(); this.watch.unobserve(plot); }
    this.element.replaceChildren();
    this.charts = quantities.map((quantity) => this.strip(quantity, letters, look));
    this.element.append(this.absent);
    this.resize();
  }

  strip(quantity, letters, look) {
    const box = make('div', '', 'strip'), head = make('div', '', 'head'), title = make('h2'), plot = make('div', '', 'plot');
    const colors = quantity.series.map(colorOf);
    const shown = quantity.isOfAll ? [''] : letters;
    head.append(title);
    const values = shown.flatMap((letter) => {
      const group = make('span', '', 'values');
      if (letter) group.append(make('b', letter));
      const cells = quantity.series.map((name, index) => {
        const value = make('span');
        value.style.color = colors[index];
        group.append(value);
        return {name, value};
      });
      head.append(group);
      return [cells];
    });
    box.append(head, plot);
    this.element.append(box);
    const axis = {stroke: look.quiet, grid: {stroke: look.line, width: 1}, ticks: {show: false}, font: '12px system-ui, sans-serif'};
    const item = {quantity, box, title, plot, values, colors, data: []};
    item.chart = new uPlot({
      width: 300, height: 80, padding: [7, 22, 7, 0], legend: {show: false}, pxAlign: false,
      cursor: {drag: {x: false, y: false}, points: {show: false}, y: false, sync: {key: 'strips'}},
      scales: {x: {time: false, range: () => this.range}, y: {range: (_, low, high) => this.heights(quantity, low, high)}},
      series: [{}, ...shown.flatMap((letter, place) => quantity.series.map((name, index) => ({
        label: `${letter} ${name}`.trim(), stroke: colors[index], width: place === 0 ? 1.4 : 1.6, dash: place === 0 ? undefined : [5, 4],
        points: {show: false}, spanGaps: false})))],
      axes: [
        {...axis, size: () => this.hasTimes(item) ? 20 : 3, space: 60, gap: 2,
          values: (_, list, axis, space, step) => this.hasTimes(item) ? ticks(list, step) : []},
        {...axis, size: 60, space: 20, values: (_, list, axis, space, step) => ticks(list, step)}],
      hooks: {draw: [(chart) => this.drawMoment(chart)]},
    }, [[], ...shown.flatMap(() => quantity.series.map(() => []))], plot);
    this.watch.observe(plot);
    bindPointer(item.chart, {
      ...this.events, hover: (share) => { this.pointer = share; this.events.hover(); },
    });
    return item;
  }

  /** Times stand below the last strip; where the strips are scrolled, below each. */
  hasTimes(item) { return item.isLast || narrow.matches; }

  /** The smallest and the largest of a strip, with a little room, and never so near that noise looks like movement. */
  heights(quantity, low, high) {
    const middle = ((low ?? 0) + (high ?? 0)) / 2;
    const half = Math.max(quantity.least * this.factor(quantity), (high - low) || 0) * 0.55;
    return [middle - half, middle + half];
  }

  factor({isAngle}) { return isAngle && this.usesDegrees ? degrees : 1; }

  resize() {
    for (const {box, plot, chart} of this.charts) {
      if (!box.hidden && plot.clientWidth > 100 && plot.clientHeight > 30) chart.setSize({width: plot.clientWidth, height: plot.clientHeight});
    }
  }

  /** A line at the moment that the picture shows. */
  drawMoment(chart) {
    if (this.moment === undefined || this.moment < this.range[0] || this.moment > this.range[1]) return;
    const x = chart.valToPos(this.moment, 'x', true);
    const {ctx, bbox} = chart;
    ctx.save();
    ctx.fillStyle = css('--accent');
    ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height);
    ctx.restore();
  }

  /** Draws a window of views; `moment`: where the line and the values stand, `hasLine`: whether there is a line. */
  show(views, range, moment, hasLine) {
    [this.range, this.moment] = [range, hasLine ? moment : undefined];
    const missing = [];
    let changed = false;
    for (const item of this.charts) {
      const isAbsent = !views.some((view) => hasMeasured(item.quantity, view));
      if (isAbsent) missing.push(item.quantity.name.toLowerCase());
      if (item.box.hidden !== isAbsent) { item.box.hidden = isAbsent; changed = true; }
    }
    write(this.absent, missing.length > 0 ? `Not measured here: ${missing.join(', ')}.` : '');
    const visible = this.charts.filter(({box}) => !box.hidden);
    visible.forEach((item, place) => { item.isLast = place === visible.length - 1; });
    if (changed) this.resize();
    const time = this.pointer === null ? moment : range[0] + this.pointer * (range[1] - range[0]);
    for (const item of visible) this.draw(item, views, range, time);
    return time;
  }

  draw(item, views, range, time) {
    const {quantity, chart, title, values} = item;
    const factor = this.factor(quantity);
    write(title, `${quantity.name}, ${unitOf(quantity, this.usesDegrees)}`);
    const width = Math.round(chart.bbox.width / devicePixelRatio);
    const shown = quantity.isOfAll ? views.slice(0, 1) : views;
    const picked = shown.map((view) => quantity.pick(view));
    picked.forEach(([columns, sample], place) => this.writeValues(values[place], columns, sample, time, factor, quantity, place > 0));
    // What has not changed is not worked out again while the moment moves over it.
    const key = [...range, width, factor, ...picked.flatMap(([columns]) => [columns.length, columns.last])].join();
    if (item.key === key && picked.every(([columns], place) => item.columns[place] === columns)) {
      if (item.moment !== this.moment) chart.redraw(false, false);
    } else {
      const tables = picked.map(([columns, sample]) => points(columns, sample, range, width, quantity.series.length, factor, quantity.wraps));
      item.data = tables.length > 1 ? uPlot.join(tables) : tables[0];
      chart.setData(item.data);
    }
    Object.assign(item, {key, columns: picked.map(([columns]) => columns), moment: this.moment});
  }

  /** The values of the sample at a time; none in a pause. The names stand before those of the first view. */
  writeValues(cells, columns, sample, time, factor, {places}, isSecond) {
    const i = columns.at(time + 1e-9);
    const found = i >= 0 && time - columns.t[i] < 1 ? sample(columns, i) : [];
    cells.forEach(({name, value}, at) => {
      const number = fixed(found[at] * factor, places[this.usesDegrees ? 0 : 1]);
      write(value, isSecond ? number : `${name} ${number}`);
    });
  }
}

/**
 * Points of a window: as they are where there is room, else the smallest and the largest of each bucket, so that no peak is lost.
 * Pauses, and the step of an angle from π to −π, are holes.
 */
function points(columns, sample, [from, to], width, count, factor, wraps) {
  const first = Math.max(0, columns.at(from));
  const last = Math.min(columns.length - 1, columns.at(to) + 1);
  const result = Array.from({length: count + 1}, () => []);
  if (last < first) return result;
  const buckets = Math.max(50, Math.floor(width));
  const push = (time, values) => {
    result[0].push(time);
    for (let index = 0; index < count; index++) result[index + 1].push(values[index]);
  };
  const holes = new Array(count).fill(null);
  if (last - first < 2 * buckets) {
    const usual = last > first ? (columns.t[last] - columns.t[first]) / (last - first) : Infinity;
    let former = null;
    for (let index = first; index <= last; index++) {
      const values = sample(columns, index).map((value) => Number.isFinite(value) ? value * factor : null);
      const gap = index > first ? columns.t[index] - columns.t[index - 1] : 0;
      if (gap > 2.5 * usual) push(columns.t[index] - gap / 2, holes);
      else if (wraps && former) {
        const broken = values.map((value, at) => Math.abs(value - former[at]) > Math.PI * factor ? null : (value + former[at]) / 2);
        if (broken.includes(null)) push(columns.t[index] - gap / 2, broken);
      }
      push(columns.t[index], values);
      former = values;
    }
    return result;
  }
  const step = (to - from) / buckets;
  let index = first;
  for (let bucket = 0; bucket < buckets && index <= last; bucket++) {
    const end = from + (bucket + 1) * step;
    const low = new Array(count).fill(Infinity), high = new Array(count).fill(-Infinity);
    let isEmpty = true;
    for (; index <= last && columns.t[index] < end; index++) {
      const values = sample(columns, index);
      for (let at = 0; at < count; at++) {
        if (!Number.isFinite(values[at])) continue;
        isEmpty = false;
        low[at] = Math.min(low[at], values[at] * factor);
        high[at] = Math.max(high[at], values[at] * factor);
      }
    }
    if (isEmpty) { push(end - step / 2, holes); continue; }
    const finite = (list) => list.map((value) => Number.isFinite(value) ? value : null);
    push(end - step, finite(low));
    push(end - step / 2, finite(high));
  }
  return result;
}

/** Fewer pixels than this are a click with an unsteady hand. */
const leastDrag = 6;

/** The pointer on a strip; `hover(share)`: where the pointer is, 0…1 of the width, or null; `seek(time)`, `zoom([from, to])`, `reset()`. */
function bindPointer(chart, {hover, seek, zoom, reset}) {
  const {over} = chart;
  let start = null, isDrag = false;
  const place = (event) => {
    const box = over.getBoundingClientRect();
    return Math.max(0, Math.min(box.width, event.clientX - box.left));
  };
  const end = () => {
    [start, isDrag] = [null, false];
    chart.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
  };
  over.addEventListener('pointerdown', (event) => { if (event.button === 0) start = place(event); });
  over.addEventListener('pointermove', (event) => {
    const now = place(event);
    hover(over.clientWidth > 0 ? now / over.clientWidth : null);
    if (start === null || (!isDrag && Math.abs(now - start) < leastDrag)) return;
    if (!isDrag && event.isTrusted) over.setPointerCapture(event.pointerId);
    isDrag = true;
    chart.setSelect({left: Math.min(start, now), top: 0, width: Math.abs(now - start), height: over.clientHeight}, false);
  });
  over.addEventListener('pointerup', (event) => {
    if (start === null) return;
    const [from, to] = [start, place(event)].map((x) => chart.posToVal(x, 'x')).sort((a, b) => a - b);
    const wasDrag = isDrag;
    const at = chart.posToVal(place(event), 'x');
    end();
    if (wasDrag) zoom([from, to]); else seek(at);
  });
  over.addEventListener('pointercancel', end);
  over.addEventListener('pointerleave', () => hover(null));
  over.addEventListener('dblclick', reset);
}

/** A line has the colour of its axis or angle; turn is about the vertical as yaw; what is neither is in ink. */
const colorOf = (name) => css(`--${{tilt: 'roll', turn: 'yaw', pressure: 'ink'}[name] ?? name}`);

const xyz = ['x', 'y', 'z'];
const vector = (columns, i) => [columns.x[i], columns.y[i], columns.z[i]];

/**
 * Each: `pick(view)` gives columns and the numbers of one of their samples; `isAngle`, in rad, and `unit` is shown for what follows an
 * angle; `wraps` at π; `least`: the smallest height of a strip; `places` of the values, in degrees and in rad.
 */
export const quantities = [
  {name: 'Attitude', isAngle: true, unit: '', wraps: true, least: 0.1, places: [1, 3], series: ['roll', 'pitch', 'yaw'],
    pick: ({store}) => [store.motion, (m, i) => {
      const q = [m.w[i], m.x[i], m.y[i], m.z[i]];
      return [roll(...q), pitch(...q), yaw(...q)];
    }]},
  {name: 'Rotation rate', isAngle: true, unit: '/s', least: 0.1, places: [1, 3], series: xyz,
    pick: ({store}) => store.motion.length > 0
      ? [store.motion, (m, i) => [m.rx[i], m.ry[i], m.rz[i]]] : [store.gyroscope, vector]},
  {name: 'User acceleration', unit: 'g', least: 0.05, places: [3, 3], series: xyz,
    pick: ({store}) => [store.motion, (m, i) => [m.ux[i], m.uy[i], m.uz[i]]]},
  {name: 'Acceleration', unit: 'g', least: 0.1, places: [3, 3], series: xyz,
    pick: ({store}) => store.motion.length > 0 ? [store.motion, (m, i) => {
      const g = gravity(m.w[i], m.x[i], m.y[i], m.z[i]);
      return [g[0] + m.ux[i], g[1] + m.uy[i], g[2] + m.uz[i]];
    }] : [store.accelerometer, vector]},
  {name: 'Magnetic field', unit: 'µT', least: 10, places: [1, 1], series: xyz,
    has: ({store: {magnetometer, motion}}) => magnetometer.length > 0
      || (motion.length > 0 && (motion.flags[motion.length - 1] & flag.field) !== 0),
    pick: ({store}) => store.magnetometer.length > 0
      ? [store.magnetometer, vector] : [store.motion, (m, i) => [m.fx[i], m.fy[i], m.fz[i]]]},
  {name: 'Pressure', unit: 'kPa', least: 0.02, places: [3, 3], series: ['pressure'],
    pick: ({store}) => [store.waterPressure.length > 0 ? store.waterPressure : store.airPressure, (c, i) => [c.x[i]]]},
];

/** How far two attitudes are apart: between two recordings, or from the one that a phone had recorded. */
export function apartness(name, comparison) {
  return {name, isAngle: true, unit: '', least: 0.01, places: [2, 4], series: ['tilt', 'turn'], isOfAll: true,
    pick: () => [comparison.a, (m, i) => {
      const found = comparison.at(m.t[i]);
      return found ? [found.tilt, found.turn] : [NaN, NaN];
    }]};
}

/** Whether a view has measured a quantity. */
const hasMeasured = (quantity, view) => quantity.has?.(view) ?? quantity.pick(view)[0].length > 0;

/** The unit as it is written. */
const unitOf = ({isAngle, unit}, usesDegrees) => isAngle ? `${usesDegrees ? '°' : 'rad'}${unit}` : unit;
