# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The page without a server (Documentation/Web/attitude): our filter in WebAssembly turns with a virtual phone, in Chromium by
the sensors of its developer protocol, and in Firefox by events made in the page."""

import math, time

from browsers import Firefox, check, chromium, files, picture, wait_for
from virtual_phone import AXES, VirtualPhone, angle_between, turn_and_compare

# A quarter turn about x by events, after a second of rest, as a browser with `sign` would send them.
EVENTS = """
  const sign = arguments[0], step = 1000 / 60;
  document.getElementById("start").click();
  for (let i = 0; i < 100 && !window.readAttitude(); i++) await new Promise((done) => setTimeout(done, 100));
  if (!window.readAttitude()) return document.getElementById("problem").textContent || "The filter did not start.";
  const begin = performance.now();
  let angle = 0, before = begin;
  while (angle < Math.PI / 2 || performance.now() - begin < 4000) {
    const now = performance.now(), moves = now - begin > 1000 && angle < Math.PI / 2;
    // The turn of this step is that of the rate over the time since the last.
    if (moves) angle += (now - before) / 1000 * Math.PI / 2;
    before = now;
    dispatchEvent(new DeviceOrientationEvent("deviceorientation", { alpha: 0, beta: angle * 180 / Math.PI, gamma: 0 }));
    dispatchEvent(new DeviceMotionEvent("devicemotion", { interval: 16, rotationRate: { alpha: moves ? 90 : 0, beta: 0, gamma: 0 },
      accelerationIncludingGravity: { x: 0, y: sign * 9.8 * Math.sin(angle), z: sign * 9.8 * Math.cos(angle) } }));
    await new Promise((done) => setTimeout(done, step));
  }
  return { ...window.readAttitude(), angle };
"""

with files(".build-web/attitude") as address:
    with chromium() as page:
        page.goto(address)
        phone = VirtualPhone(page)
        page.reload()
        phone.hold()
        page.click("#start")
        wait_for(lambda: page.evaluate("readAttitude()?.sign") == "standard", "the page finds the signs of Chromium")
        page.wait_for_timeout(1000)
        for name, axis in AXES.items():
            error, turned = turn_and_compare(phone, axis, lambda: page.evaluate("readAttitude().quaternion"))
            picture(page, f"attitude-page-{name}")
            check(error < 2, f"a turn of {turned:.0f}° about {name} is seen within {error:.2f}°")
        check(page.problems == [], f"the page runs without errors {page.problems}")
    with Firefox() as firefox:
        for sign, name in ((1, "standard"), (-1, "iOS")):
            firefox.open(address)
            answer = firefox.run(EVENTS, sign)
            check(isinstance(answer, dict), f"the filter runs in Firefox with the signs “{name}”: {answer}")
            check(answer["sign"] == name, f"the page in Firefox says “{name}”")
            error = angle_between({"w": 1, "x": 0, "y": 0, "z": 0}, answer["quaternion"], AXES["x"], answer["angle"])
            check(error < math.radians(2), f"a quarter turn about x in Firefox within 2° ({math.degrees(error):.2f}°)")
