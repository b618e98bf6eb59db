// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The picture that goes into a report: the device, the strips as lines and the numbers, as SVG.

import {fixed} from './angles.js';
import {css} from './controls.js';

const width = 1400, height = 860;

export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Where the parts go. `content`: title, subtitle, numbers (a list of rows for each view), stage (a canvas) and strips. */
function layout({stage, strips, numbers}) {
  const stageWidth = 760;
  const stageHeight = Math.min(430, stageWidth * stage.clientHeight / Math.max(1, stage.clientWidth));
  const strip = (height - 76) / strips.length;
  return {
    stage: [16, 64, stageWidth, stageHeight],
    strips: strips.map((_, index) => [stageWidth + 32, 64 + index * strip, width - stageWidth - 48, strip - 6]),
    numbers: numbers.map((_, index) => [16 + index * stageWidth / numbers.length, 64 + stageHeight + 26]),
  };
}

const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[sign]);

export function svg(content) {
  const places = layout(content);
  const parts = [];
  const write = (text, x, y, size, color, weight = 'normal') => parts.push(
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${color}">${escape(text)}</text>`);
  parts.push(`<rect width="${width}" height="${height}" fill="${css('--panel')}"/>`);
  write(content.title, 16, 30, 18, css('--ink'), 'bold');
  write(content.subtitle, 16, 50, 13, css('--quiet'));
  const [x, y, w, h] = places.stage;
  parts.push(`<image x="${x}" y="${y}" width="${w}" height="${h}" href="${content.stage.toDataURL('image/png')}"/>`);
  content.strips.forEach((strip, index) => drawStrip(parts, write, strip, places.strips[index]));
  content.numbers.forEach((rows, index) => {
    const [left, top] = places.numbers[index];
    rows.forEach(([name, value], row) => {
      write(name, left, top + 17 * row, 12, css('--quiet'));
      write(value, left + 176, top + 17 * row, 12, css('--ink'));
    });
  });
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" `
    + `font-family="system-ui, sans-serif">\n${parts.join('\n')}\n</svg>\n`;
  return new Blob([text], {type: 'image/svg+xml'});
}

/** One strip as lines, between its smallest and its largest value. */
function drawStrip(parts, write, {chart, title, data, colors, quantity}, [x, y, w, h]) {
  const {min: from, max: to} = chart.scales.x;
  const {min: low, max: high} = chart.scales.y;
  const [left, top, right, bottom] = [x + 50, y + 14, x + w - 8, y + h - 14];
  const across = (time) => (left + (time - from) / (to - from) * (right - left)).toFixed(1);
  const up = (value) => (bottom - (value - low) / (high - low) * (bottom - top)).toFixed(1);
  write(title.textContent, x + 54, y + 11, 11, css('--quiet'));
  parts.push(`<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="none" stroke="${css('--line')}"/>`);
  if (Number.isFinite(low)) {
    const places = high - low < 1 ? 3 : 1;
    write(fixed(high, places), x, top + 9, 10, css('--quiet'));
    write(fixed(low, places), x, bottom, 10, css('--quiet'));
  }
  write(fixed(from, 1, ' s'), left, y + h - 2, 10, css('--quiet'));
  write(fixed(to, 1, ' s'), right - 34, y + h - 2, 10, css('--quiet'));
  data.slice(1).forEach((values, series) => {
    let path = '', isDown = false;
    values.forEach((value, index) => {
      const time = data[0][index];
      // Undefined: a time of the other recording.
      if (value === undefined) return;
      if (value === null || time < from || time > to) { isDown = false; return; }
      path += `${isDown ? 'L' : 'M'}${across(time)} ${up(value)}`;
      isDown = true;
    });
    const dash = series < quantity.series.length ? '' : ' stroke-dasharray="5 4"';
    if (path) parts.push(`<path d="${path}" fill="none" stroke="${colors[series % quantity.series.length]}" stroke-width="1.2"${dash}/>`);
  });
}
