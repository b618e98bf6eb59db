// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Sensors → filter → picture and numbers, all in the page.
import { startFilter } from "./filter.js";
import { askPermission, keepScreenOn, watchMotion } from "./motion.js";
import { anglesOf, draw, turnedAboutVertical } from "./picture.js";

const element = (id) => document.getElementById(id);
const say = (id, text) => { if (element(id).textContent !== text) element(id).textContent = text; };
const degrees = (radians) => `${(radians * 180 / Math.PI).toFixed(1)}°`;

let filter = null, zero = 0, isFaceUp = false, times = [], hasAttitude = false, runs = false;

/** Takes one sample; also for tests. */
function take(sample) {
  say("problem", "");
  times = [...times.slice(-60), sample.time];
  hasAttitude = filter.update(sample, isFaceUp);
  isFaceUp = false;
}

function show() {
  const { quaternion, tiltDeviation, isAtRest, sign, rateOrder } = filter.read();
  const attitude = turnedAboutVertical(quaternion, -zero);
  draw(element("picture"), hasAttitude ? attitude : null);
  if (hasAttitude) {
    const { roll, pitch, yaw } = anglesOf(attitude);
    say("angles", `${degrees(roll)}, ${degrees(pitch)}, ${degrees(yaw)}`);
    // 95 % of the tilts, about two axes.
    say("tilt", `${degrees(1.73 * tiltDeviation)} (95 %)`);
    say("state", isAtRest ? "at rest" : "moving");
  }
  say("signs", sign === "unknown" ? "not known yet: lay the phone down with the screen up, and say so with the button above"
    : `${sign === "iOS" ? "those of iOS (−9.8 face up)" : "those of the standard (+9.8 face up)"}, rates about ${rateOrder}`);
  if (times.length > 1) {
    say("rate", `${((times.length - 1) * 1000 / (times[times.length - 1] - times[0])).toFixed(0)} a second`);
  }
  requestAnimationFrame(show);
}

async function start() {
  try {
    await askPermission();
    if (runs) return;
    const answer = await fetch("attitude.wasm");
    if (!answer.ok) throw new Error(`The filter could not be loaded (status ${answer.status}): reload the page.`);
    filter = await startFilter(await answer.arrayBuffer());
    filter.start();
    runs = true;
    keepScreenOn();
    watchMotion(take, (sentence) => say("problem", sentence));
    element("zero").disabled = element("face-up").disabled = false;
    element("start").disabled = true;
    show();
  } catch (error) {
    say("problem", error.message);
  }
}

element("start").addEventListener("click", start);
element("zero").addEventListener("click", () => { zero = anglesOf(filter.read().quaternion).yaw; });
element("face-up").addEventListener("click", () => { isFaceUp = true; });
draw(element("picture"), null);
// For tests of the page.
window.readAttitude = () => (filter ? filter.read() : null);
