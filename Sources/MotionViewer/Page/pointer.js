// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The pointer on a strip: it shows the values below it, a click seeks, a drag zooms, a double click shows the whole window again.

/** Fewer pixels than this are a click with an unsteady hand. */
const leastDrag = 6;

/** `hover(share)`: where the pointer is, 0…1 of the width, or null; `seek(time)`, `zoom([from, to])`, `reset()`. */
export function bindPointer(chart, {hover, seek, zoom, reset}) {
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
