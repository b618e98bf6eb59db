// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The points of a line in a window. However long the window is, no peak is lost: for each pixel the smallest and the largest value.

/**
 * Points of a window: as they are where there is room, else the smallest and the largest of each bucket. Pauses, and the step of an
 * angle from π to −π, are holes.
 */
export function points(columns, sample, [from, to], width, count, factor, wraps) {
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

