// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Core Motion's angles. A quaternion (w, x, y, z) takes device axes (x right, y top, z out of the screen) to the reference frame,
// whose z is up and whose x points north in the north frames (then y is west).


export const degrees = 180 / Math.PI;

// By half the sum and half the difference of yaw and roll, as YawPitchRoll in MotionMath: exact at the poles, too.
const sum = (w, x, y, z) => Math.atan2(y + z, w + x);
const difference = (w, x, y, z) => Math.atan2(z - y, w - x);
const principal = (angle) => (angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle);
export const roll = (w, x, y, z) => principal(sum(w, x, y, z) - difference(w, x, y, z));
export const pitch = (w, x, y, z) => 2 * Math.atan2(Math.hypot(w + x, y + z), Math.hypot(w - x, z - y)) - Math.PI / 2;
export const yaw = (w, x, y, z) => principal(sum(w, x, y, z) + difference(w, x, y, z));

/** Gravity in device axes, g: (0, 0, −1) face up. The third row of the rotation, reversed. */
export const gravity = (w, x, y, z) => [-2 * (x * z - w * y), -2 * (y * z + w * x), -(1 - 2 * (x * x + y * y))];

/** The rotation of a device's vector into the reference frame. */
export function rotated([w, x, y, z], [a, b, c]) {
  const tx = 2 * (y * c - z * b), ty = 2 * (z * a - x * c), tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

export const multiply = ([a, b, c, d], [e, f, g, h]) => [
  a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
export const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];
export const aboutZ = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

/** The turn about the vertical that is in an attitude: where the device's y axis points, or −z when that stands upright. */
export function azimuth(q) {
  const g = gravity(...q);
  const [x, y] = rotated(q, Math.abs(g[1]) <= Math.abs(g[2]) ? [0, 1, 0] : [0, 0, -1]);
  return Math.atan2(y, x);
}

/**
 * How far attitude `b` is from `a`, both in one frame: the turn about the vertical from `a` to `b`, and the tilt that is left, rad.
 * The quaternion from one to the other is taken apart into a turn about a horizontal axis and one about the vertical.
 */
export function separation(a, b) {
  const [w, x, y, z] = multiply(b, conjugate(a));
  return {turn: principal(2 * Math.atan2(z, w)), tilt: 2 * Math.atan2(Math.hypot(x, y), Math.hypot(w, z))};
}

/** What a person sees, for those who cannot: "Face up, tilted 12°; the top edge points 30° from north." */
export function poseWords(q, heading, isNorth) {
  const [gx, gy, gz] = gravity(...q);
  const sides = [[-gz, 'Face up'], [gz, 'Face down'], [-gy, 'Upright'], [gy, 'Upside down'],
    [gx, 'On its right side'], [-gx, 'On its left side']];
  sides.sort((a, b) => b[0] - a[0]);
  const tilt = Math.round(Math.acos(Math.min(1, sides[0][0])) * degrees);
  const pose = tilt < 3 ? sides[0][1] : `${sides[0][1]}, tilted ${tilt}°`;
  const edge = Math.abs(gy) <= Math.abs(gz) ? 'top edge' : 'back';
  if (isNorth && Number.isFinite(heading)) {
    const names = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];
    return `${pose}; the ${edge} points ${names[Math.round(heading / 45) % 8]}, ${Math.round(heading) % 360}°.`;
  }
  return `${pose}; turned ${fixed(yaw(...q) * degrees, 0, '°')} from the start.`;
}

/** The same of a head, whose y axis points to the front: "The head is turned 30° to the left, 10° up." */
export function headWords(q) {
  const parts = [[yaw(...q), 'to the left', 'to the right'], [pitch(...q), 'up', 'down'], [roll(...q), 'tilted to the right', 'tilted to the left']]
    .map(([angle, positive, negative]) => [Math.round(angle * degrees), positive, negative])
    .filter(([angle]) => Math.abs(angle) >= 3)
    .map(([angle, positive, negative]) => `${Math.abs(angle)}° ${angle > 0 ? positive : negative}`);
  return parts.length > 0 ? `The head is turned ${parts.join(', ')}.` : 'The head looks straight on.';
}

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
