// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Sends the phone's motion to the program that offers this page: batches by POST, one request at a time (BrowserBatch.swift).
import { askPermission, keepScreenOn, watchMotion } from "./motion.js";

const pause = 50; // ms between the beginnings of two requests
const batchSize = 256; // samples in one request, at most
const memory = 600; // samples that are kept while the network is away: ten seconds
const test = { duration: 1000, begin: null, readings: [] }; // the face-up test, ms

const element = (id) => document.getElementById(id);
const say = (id, text) => { if (element(id).textContent !== text) element(id).textContent = text; };

let session = crypto.getRandomValues(new Uint32Array(2));
let clockDifference = null; // ms between the clock of the day and that of the events
let waiting = [], first = 0, sends = false, times = [], sensorProblem = "", stopWatching = () => {};

/** A request's body with these samples; none = goodbye. */
function encode(samples) {
  const view = new DataView(new ArrayBuffer(24 + 40 * samples.length));
  [..."OCMB"].forEach((letter, index) => view.setUint8(index, letter.charCodeAt(0)));
  view.setUint16(4, 1, true);
  view.setUint16(6, samples.length, true);
  view.setUint32(8, first, true);
  view.setUint32(12, samples.some((sample) => sample.faceUp) ? 1 : 0, true);
  view.setUint32(16, session[0], true);
  view.setUint32(20, session[1], true);
  samples.forEach(({ time, acceleration, rate, tilt }, index) => {
    const at = 24 + 40 * index;
    view.setFloat64(at, time, true);
    [...acceleration, ...rate, ...(tilt ?? [NaN, NaN])].forEach((number, place) => view.setFloat32(at + 8 + 4 * place, number, true));
  });
  return view.buffer;
}

/** While a phone sleeps, the clock of the events may stand still: the samples after that belong to another time line. */
function beginAgainAfterSleep() {
  const difference = Date.now() - performance.now();
  if (clockDifference !== null && Math.abs(difference - clockDifference) > 1000) {
    if (waiting.length > 0) navigator.sendBeacon("goodbye", encode(waiting.slice(0, batchSize)));
    [session, waiting, first] = [crypto.getRandomValues(new Uint32Array(2)), [], 0];
  }
  clockDifference = difference;
}

function take(sample) {
  sensorProblem = "";
  beginAgainAfterSleep();
  if (test.begin !== null) examine(sample);
  waiting.push(sample);
  times = [...times.slice(-60), sample.time];
  if (waiting.length <= memory) return;
  waiting.shift();
  // The program sees the gap in the numbers and counts it.
  first = (first + 1) >>> 0;
}

/** One sample of the face-up test. */
function examine(sample) {
  const [x, y, z] = sample.acceleration;
  if (performance.now() - test.begin < test.duration) { test.readings.push({ x, y, z }); return; }
  test.begin = null;
  const mean = (key) => test.readings.reduce((sum, reading) => sum + reading[key], 0) / Math.max(1, test.readings.length);
  const up = mean("z"), side = Math.hypot(mean("x"), mean("y"));
  if (Math.abs(up) < 8.8 || Math.abs(up) > 10.8 || side > 2) {
    say("test", `Not passed: the phone does not lie flat and still (z ${up.toFixed(1)}, sideways ${side.toFixed(1)} m/s²). Try again.`);
    return;
  }
  sample.faceUp = true;
  say("test", `Passed: z reads ${up > 0 ? "+" : "−"}${Math.abs(up).toFixed(1)} m/s² with the screen up, as ${
    up > 0 ? "the standard says" : "on iOS"}.`);
}

/** Sends what waits; the next batch goes when this one is answered. */
async function send() {
  const samples = waiting.slice(0, batchSize);
  if (samples.length === 0) { setTimeout(send, pause); return; }
  const begin = performance.now(), number = first, line = session;
  let problem = "", isOver = false, delay = 0;
  try {
    const answer = await fetch("motion", {
      method: "POST", body: encode(samples), headers: { "Content-Type": "application/octet-stream" }, cache: "no-store",
      signal: AbortSignal.timeout?.(5000),
    });
    if (line !== session) {
      // The answer is about samples from before a sleep.
    } else if (answer.ok) {
      // Some may have been dropped from the front meanwhile.
      const dropped = (first - number) >>> 0;
      waiting.splice(0, Math.max(0, samples.length - dropped));
      first = (number + Math.max(samples.length, dropped)) >>> 0;
      report(await answer.json(), performance.now() - begin);
      delay = Math.max(0, pause - (performance.now() - begin));
    } else {
      problem = (await answer.text()).trim();
      isOver = answer.status === 410 || answer.status === 400;
      if (answer.status === 403) problem = "The program has another address now: scan its new code.";
      delay = 1000;
    }
  } catch {
    problem = "The program on the computer does not answer. Is it still running, and the phone in the same network?";
    delay = 1000;
  }
  if (problem) {
    say("state", isOver ? "Not sending." : `Trying again. ${waiting.length} samples wait, the last ten seconds at most.`);
  }
  say("problem", problem || sensorProblem);
  if (isOver) stopWatching();
  else setTimeout(send, delay);
}

// What the program counts of this page's samples beside those that it has taken.
const fates = {
  waiting: "wait", lost: "lost", repeated: "sent twice", implausible: "impossible", notAscending: "not newer than the last",
  undecided: "given up, as their sign is not known",
};

function report({ sign, order, taken, ...counts }, delay) {
  say("state", sign === "unknown" ? "Connected. Do the face-up test below, so that the sign of gravity is known." : "Sending.");
  const others = Object.keys(fates).filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${fates[name]}`);
  say("samples", [taken, ...others].join(", "));
  say("delay", `${delay.toFixed(0)} ms`);
  if (times.length > 1) {
    say("rate", `${((times.length - 1) * 1000 / (times[times.length - 1] - times[0])).toFixed(0)} a second`);
  }
  say("signs", sign === "unknown" ? "not known yet"
    : `${sign === "iOS" ? "those of iOS (−9.8 face up)" : "those of the standard (+9.8 face up)"}, rates about ${order}`);
}

element("start").addEventListener("click", async () => {
  try {
    await askPermission();
    if (sends) return;
    sends = true;
    element("start").disabled = true;
    element("face-up").disabled = false;
    stopWatching = watchMotion(take, (sentence) => { sensorProblem = sentence; say("problem", sentence); });
    say("state", "Waiting for the sensors.");
    send();
    say("screen", await keepScreenOn() ? "stays on while this page is in front" : "this browser cannot keep it on: touch it now and then");
  } catch (error) {
    say("problem", error.message);
  }
});
element("face-up").addEventListener("click", () => {
  [test.begin, test.readings] = [performance.now(), []];
  say("test", "Hold still…");
});
window.addEventListener("pagehide", () => { if (sends) navigator.sendBeacon("goodbye", encode(waiting.slice(0, batchSize))); });
