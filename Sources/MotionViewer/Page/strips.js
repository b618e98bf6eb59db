// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The strips: quantities over time, of one view or of two over each other, with their values at the pointer or at the moment.

import {degrees} from './angles.js';
import {fixed, ticks} from './format.js';
import {bindPointer} from './pointer.js';
import {points} from './points.js';
import {hasMeasured, unitOf} from './quantities.js';

const make = (tag, text = '', name = '') => Object.assign(document.createElement(tag), {textContent: text, className: name});

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
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const look = {quiet: color('--quiet'), line: color('--line'), colors: ['--x', '--y', '--z'].map(color)};
    for (const {chart, plot} of this.charts) { chart.destroy(); this.watch.unobserve(plot); }
    this.element.replaceChildren();
    this.charts = quantities.map((quantity) => this.strip(quantity, letters, look));
    this.element.append(this.absent);
    this.resize();
  }

  strip(quantity, letters, look) {
    const box = make('div', '', 'strip'), head = make('div', '', 'head'), title = make('h2'), plot = make('div', '', 'plot');
    const colors = quantity.series.length === 1 ? [look.colors[2]] : look.colors;
    const shown = quantity.isOfAll ? [''] : letters;
    head.append(title);
    const values = shown.flatMap((letter) => {
      const group = make('span', '', 'values');
      if (letter) group.append(make('b', letter));
      const cells = quantity.series.map((name, index) => {
        const value = make('span', '', quantity.series.length === 1 ? 'z' : 'xyz'[index]);
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
    ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--accent');
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
    const text = missing.length > 0 ? `Not measured here: ${missing.join(', ')}.` : '';
    if (this.absent.textContent !== text) this.absent.textContent = text;
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
    const name = `${quantity.name}, ${unitOf(quantity, this.usesDegrees)}`;
    if (title.textContent !== name) title.textContent = name;
    const width = Math.round(chart.bbox.width / devicePixelRatio);
    const shown = quantity.isOfAll ? views.slice(0, 1) : views;
    const picked = shown.map((view) => quantity.pick(view));
    picked.forEach(([columns, sample], place) => this.write(values[place], columns, sample, time, factor, quantity, place > 0));
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
  write(cells, columns, sample, time, factor, {places}, isSecond) {
    const i = columns.at(time + 1e-9);
    const found = i >= 0 && time - columns.t[i] < 1 ? sample(columns, i) : [];
    cells.forEach(({name, value}, at) => {
      const number = fixed(found[at] * factor, places[this.usesDegrees ? 0 : 1]);
      const text = isSecond ? number : `${name} ${number}`;
      if (value.textContent !== text) value.textContent = text;
    });
  }
}
