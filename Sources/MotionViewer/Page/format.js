// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Numbers as texts: always the same places, a real minus sign, and no minus before a zero.

/** A number with `places` decimals and its unit; "–" where it is not known. */
export function fixed(value, places, unit = '') {
  if (!Number.isFinite(value)) return '–';
  const text = Math.abs(value).toFixed(places);
  return `${value < 0 && parseFloat(text) > 0 ? '−' : ''}${text}${unit}`;
}

/** Three numbers and their unit; `\u2007` is a space as wide as a digit, so that they stand below each other. */
export function three(values, places, unit) {
  const texts = values.map((value) => fixed(value, places));
  const width = Math.max(places + 3, ...texts.map((text) => text.length));
  return `${texts.map((text) => text.padStart(width, '\u2007')).join(' ')} ${unit}`;
}

/** The marks of an axis that are `step` apart: as many places as that needs. */
export function ticks(values, step) {
  const places = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  return values.map((value) => fixed(value, places));
}
