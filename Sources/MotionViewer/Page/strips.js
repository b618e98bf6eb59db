// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The strips: six quantities over time. However long the window is, no peak is lost: for each pixel the smallest and the largest
// value are drawn.

import {degrees, gravity, pitch, roll, yaw} from './angles.js';

const xyz = ['x', 'y', 'z'];

/** Each strip: its columns in a store, and the numbers of one sample. `rad`: an angle, shown in the unit that was chosen. */
const strips = [
  {name: 'Acceleration', unit: 'g', least: 0.1, series: xyz,
    pick: (store) => store.motion.length > 0 ? [store.motion, (m, i) => {
      const g = gravity(m.w[i], m.x[i], m.y[i], m.z[i]);
      return [g[0] + m.ux[i], g[1] + m.uy[i], g[2] + m.uz[i]];
    }] : [store.accelerometer, vector]},
  {name: 'Rotation rate', unit: 'rad/s', rad: true, least: 0.1, series: xyz,
    pick: (store) => store.motion.length > 0
      ? [store.motion, (m, i) => [m.rx[i], m.ry[i], m.rz[i]]] : [store.gyroscope, vector]},
  {name: 'User acceleration', unit: 'g', least: 0.05, series: xyz,
    pick: (store) => [store.motion, (m, i) => [m.ux[i], m.uy[i], m.uz[i]]]},
  {name: 'Magnetic field', unit: 'µT', least: 10, series: xyz,
    pick: (store) => store.magnetometer.length > 0
      ? [store.magnetometer, vector] : [store.motion, (m, i) => [m.fx[i], m.fy[i], m.fz[i]]]},
  {name: 'Attitude', unit: 'rad', rad: true, isAngle: true, least: 0.1, series: ['roll', 'pitch', 'yaw'],
    pick: (store) => [store.motion, (m, i) => {
      const q = [m.w[i], m.x[i], m.y[i], m.z[i]];
      return [roll(...q), pitch(...q), yaw(...q)];
    }]},
  {name: 'Pressure', unit: 'kPa', least: 0.02, series: ['pressure'],
    pick: (store) => [store.waterPressure.length > 0 ? store.waterPressure : store.airPressure, (c, i) => [c.v[i]]]},
];

function vector(columns, index) { return [columns.x[index], columns.y[index], columns.z[index]]; }

/**
 * Points of a window: as they are where there is room, else the smallest and the largest of each bucket. Pauses, and the step of an
 * angle from π to −π, are holes.
 */
export function points(columns, sample, [from, to], width, count, factor, isAngle) {
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
      else if (isAngle && former) {
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

export class Strips {
  constructor(element) {
    this.element = element;
    this.charts = [];
    this.usesDegrees = false;
    new ResizeObserver(() => this.resize()).observe(element);
  }

  /** Makes the charts again, in the colours of the page. */
  build() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const colors = [color('--x'), color('--y'), color('--z')];
    this.element.replaceChildren();
    this.range = [0, 10];
    this.charts = strips.map((strip, place) => {
      const box = document.createElement('div');
      box.className = 'strip';
      const title = document.createElement('h3');
      const empty = document.createElement('span');
      empty.className = 'empty';
      box.append(title, empty);
      this.element.append(box);
      const isLast = place === strips.length - 1;
      const axis = {stroke: color('--quiet'), grid: {stroke: color('--line'), width: 1}, ticks: {show: false}, font: '11px system-ui'};
      const chart = new uPlot({
        width: 300, height: 80, padding: [14, 8, 0, 0], legend: {show: false}, pxAlign: false,
        cursor: {drag: {x: false, y: false}, points: {show: false}, y: false, sync: {key: 'strips'}},
        scales: {
          x: {time: false, range: () => this.range},
          y: {range: (_, low, high) => {
            const least = strip.least * this.factor(strip);
            const middle = ((low ?? 0) + (high ?? 0)) / 2;
            const half = Math.max(least, (high - low) || 0) * 0.55;
            return [middle - half, middle + half];
          }},
        },
        series: [{}, ...strip.series.map((name, index) => (
          {label: name, stroke: strip.series.length === 1 ? colors[2] : colors[index], width: 1.2, points: {show: false}, spanGaps: false}))],
        axes: [
          {...axis, show: isLast, size: 24, values: (_, list) => list.map((value) => `${+value.toFixed(3)}`)},
          {...axis, size: 50, space: 22},
        ],
        hooks: {draw: [(chart) => this.drawCursor(chart)]},
      }, [[], ...strip.series.map(() => [])], box);
      return {strip, box, title, empty, chart, colors};
    });
    this.label();
    this.resize();
  }

  factor(strip) { return strip.rad && this.usesDegrees ? degrees : 1; }

  label() {
    for (const {strip, title, colors} of this.charts) {
      const unit = strip.rad && this.usesDegrees ? strip.unit.replace('rad', '°') : strip.unit;
      title.textContent = `${strip.name} (${unit})  `;
      if (strip.series.length > 1) {
        strip.series.forEach((name, index) => {
          const key = document.createElement('span');
          key.className = 'xyz'[index];
          key.textContent = `${name} `;
          title.append(key);
        });
      }
    }
  }

  setUnits(usesDegrees) {
    this.usesDegrees = usesDegrees;
    this.label();
  }

  resize() {
    for (const {box, chart, strip} of this.charts) {
      const height = box.clientHeight;
      if (box.clientWidth > 60 && height > 20) chart.setSize({width: box.clientWidth, height});
    }
  }

  /** A line at the present moment of a recording. */
  drawCursor(chart) {
    if (this.moment === undefined) return;
    const x = chart.valToPos(this.moment, 'x', true);
    const {ctx, bbox} = chart;
    ctx.save();
    ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
    ctx.lineWidth = Math.max(1, window.devicePixelRatio);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  /** Draws a window of a store; `moment` is where the line stands, if at all. */
  show(store, range, moment) {
    this.range = range;
    this.moment = moment;
    for (const item of this.charts) {
      const {strip, chart, empty} = item;
      const [columns, sample] = strip.pick(store);
      const width = chart.bbox.width / (window.devicePixelRatio || 1);
      item.data = points(columns, sample, range, width, strip.series.length, this.factor(strip), strip.isAngle);
      const hasValues = item.data.slice(1).some((series) => series.some((value) => value !== null));
      empty.textContent = hasValues ? '' : 'not measured here';
      chart.setData(item.data);
    }
  }
}
