// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The motion sensors of a phone's browser, as they come: units and signs are settled elsewhere (BrowserSigns.swift). The axes are
// those of the device in its natural orientation; they do not turn with the screen.

/** What stands in the way, as a sentence for the person who holds the phone. */
export class MotionProblem extends Error {}

/** Asks for the sensors; call it from a tap, because iOS accepts nothing else. Throws a MotionProblem. */
export async function askPermission() {
  if (!window.isSecureContext) {
    throw new MotionProblem("This page was not opened securely, so the browser hides the sensors: its address must begin with https.");
  }
  if (typeof DeviceMotionEvent === "undefined") {
    throw new MotionProblem("This browser has no motion sensors: open the page on a phone.");
  }
  // Both at once: after the first answer the tap counts no more.
  const [motion] = await Promise.allSettled([DeviceMotionEvent, window.DeviceOrientationEvent]
    .map(async (type) => (typeof type?.requestPermission === "function" ? type.requestPermission() : "granted")));
  if (motion.status === "rejected") {
    throw new MotionProblem(`The browser does not ask for the sensors (${motion.reason.message}): tap the button again.`);
  }
  // Without the orientation the page still works, by the face-up test.
  if (motion.value !== "granted") {
    throw new MotionProblem("The permission for the motion sensors was denied. Allow them for this site in the settings of the " +
      "browser (in Safari: close the page, or delete its data in the settings), and open the page again.");
  }
}

/**
 * Calls `take` with each sample {time, interval: ms, acceleration: m/s² with gravity, rate: °/s as alpha, beta, gamma, tilt: the beta
 * and gamma of the latest orientation, or null}, and `complain` with a sentence when no sample comes. Returns what ends it.
 */
export function watchMotion(take, complain) {
  let tilt = null, lastSample = null, emptyEvents = 0;
  const turned = (event) => {
    tilt = Number.isFinite(event.beta) && Number.isFinite(event.gamma) ? [event.beta, event.gamma] : null;
  };
  const moved = (event) => {
    const a = event.accelerationIncludingGravity, r = event.rotationRate;
    const acceleration = [a?.x, a?.y, a?.z], rate = [r?.alpha, r?.beta, r?.gamma];
    if (![...acceleration, ...rate].every(Number.isFinite)) { emptyEvents += 1; return; }
    lastSample = performance.now();
    take({ time: event.timeStamp, interval: event.interval, acceleration, rate, tilt });
  };
  const begin = performance.now();
  const watch = setInterval(() => {
    if (document.hidden || performance.now() - Math.max(lastSample ?? 0, begin) < 2000) return;
    if (lastSample !== null) complain("The sensors have stopped. Is the screen off, or another page in front?");
    else if (emptyEvents > 0) complain("This device has no gyroscope or no accelerometer, or the browser withholds it.");
    else complain("The browser sends no motion. Are motion sensors allowed for this site in its settings?");
  }, 1000);
  window.addEventListener("deviceorientation", turned);
  window.addEventListener("devicemotion", moved);
  return () => {
    clearInterval(watch);
    window.removeEventListener("deviceorientation", turned);
    window.removeEventListener("devicemotion", moved);
  };
}

/** Keeps the screen on while the page is in front; false where the browser cannot. */
export async function keepScreenOn() {
  if (!navigator.wakeLock) return false;
  const lock = () => navigator.wakeLock.request("screen").then(() => true, () => false);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) lock(); });
  return lock();
}
