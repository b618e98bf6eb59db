// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// What the strips show: quantities over time, in the order of their weight.

import {gravity, pitch, roll, yaw} from './angles.js';
import {flag} from './records.js';

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
    pick: ({store}) => [store.waterPressure.length > 0 ? store.waterPressure : store.airPressure, (c, i) => [c.v[i]]]},
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
export const hasMeasured = (quantity, view) => quantity.has?.(view) ?? quantity.pick(view)[0].length > 0;

/** The unit as it is written. */
export const unitOf = ({isAngle, unit}, usesDegrees) => isAngle ? `${usesDegrees ? '°' : 'rad'}${unit}` : unit;
