# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Random keys, clicks, drags and choices on the viewer's page, and not one error: VIEW_EVENTS of them (default 100,000), from a fixed seed, half
on two recordings and half on a live source. They are dispatched inside the page, as fast as it takes them."""

import os, pathlib, subprocess, tempfile, time

from browsers import MOTIONCTL, address_of, check, chromium, motionctl, wait_for

GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
EVENTS = int(os.environ.get("VIEW_EVENTS", "100000"))

# A generator of Park and Miller, so that a seed gives the same events everywhere. Links are not followed; everything else is the page's own.
MONKEY = """async ([count, seed]) => {
  let random = seed;
  const next = (limit) => { random = random * 48271 % 2147483647; return Math.floor(random / 2147483647 * limit); };
  addEventListener('click', (event) => { if (event.target.closest?.('a')) event.preventDefault(); }, true);
  const keys = ['0', 'l', 'f', ' ', 'ArrowLeft', 'ArrowRight', '+', '-', 'u', '?', 'Escape', 'x', 'Enter', 'Tab', 'toString', '=', 'L', 'F'];
  const kinds = ['pointerdown', 'pointermove', 'pointerup', 'click', 'dblclick'];
  const seen = {key: 0, click: 0, drag: 0, choice: 0, wheel: 0};
  const at = (x, y) => document.elementFromPoint(x, y) ?? document.body;
  const pointer = (kind, x, y, target = at(x, y)) => target.dispatchEvent(new (kind.includes('click') ? MouseEvent : PointerEvent)(kind, {
    bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, button: 0, buttons: kind === 'pointerup' ? 0 : 1, pointerId: 1, pointerType: 'mouse', isPrimary: true}));
  for (let event = 0; event < count; event++) {
    const choice = next(100), [x, y] = [next(innerWidth), next(innerHeight)];
    if (choice < 55) {
      // Recording costs much, so it is rare.
      const key = next(200) === 0 ? 'r' : keys[next(keys.length)];
      const target = next(4) === 0 ? at(x, y) : document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true, shiftKey: next(5) === 0, altKey: next(9) === 0, ctrlKey: next(30) === 0}));
      seen.key++;
    } else if (choice < 85) {
      for (const kind of kinds.slice(0, next(4) === 0 ? 5 : 4)) pointer(kind, x, y);
      seen.click++;
    } else if (choice < 92) {
      const target = at(x, y);
      pointer('pointerdown', x, y, target);
      for (let step = 1; step < 4; step++) pointer('pointermove', x + step * (next(80) - 40), y, target);
      pointer(next(5) === 0 ? 'pointercancel' : 'pointerup', x + 40, y, target);
      seen.drag++;
    } else if (choice < 97) {
      const lists = document.querySelectorAll('select'), list = lists[next(lists.length)];
      if (list.options.length > 0) { list.selectedIndex = next(list.options.length); list.dispatchEvent(new Event('change', {bubbles: true})); }
      seen.choice++;
    } else {
      at(x, y).dispatchEvent(new WheelEvent('wheel', {deltaY: next(200) - 100, bubbles: true, cancelable: true, clientX: x, clientY: y}));
      seen.wheel++;
    }
    // Dialogs and menus do not hide the rest for long.
    if (event % 40 === 39) document.getElementById('helpDialog').close();
    // The page draws in between.
    if (event % 250 === 249) await new Promise((done) => setTimeout(done, 0));
  }
  document.getElementById('helpDialog').close();
  return seen;
}"""


def monkey(page, process, count, seed):
    page.goto(address_of(process))
    wait_for(lambda: page.evaluate("window.motionView?.views.every((v) => v.store.motion.length > 10)"), "motion is on the page", 30)
    began = time.monotonic()
    seen = page.evaluate(MONKEY, [count, seed])
    took = time.monotonic() - began
    page.wait_for_timeout(1500)
    check(page.problems == [], f"{count} random events in {took:.0f} s without an error {seen} {page.problems[:5]}")
    # And the page still does what it is told.
    page.evaluate("motionView.playback.setPlaying(true)")
    before = page.evaluate("motionView.playback.moment")
    wait_for(lambda: page.evaluate("motionView.playback.moment") != before, "it still plays")
    check(page.evaluate("document.body.dataset.phase") == "motion", "it still shows the motion")


subprocess.run(["Scripts/viewer-assets.sh", ".build/viewer"], check=True)
os.environ["MOTION_VIEWER"] = ".build/viewer"
with tempfile.TemporaryDirectory() as folder:
    paths = [pathlib.Path(folder, f"{seed}.mcap") for seed in (3, 4)]
    for seed, path in zip((3, 4), paths):
        source = f"simulate:handheld?errors=phone&seed={seed}&speed=max"
        subprocess.run([MOTIONCTL, "record", source, "--for", "20", "-o", path], check=True, stderr=subprocess.DEVNULL)
    for number, sources in enumerate([paths, ["simulate:handheld?seed=3"]]):
        with motionctl("view", *map(str, sources), "--no-open", "--port", "0", "--folder", folder) as process, chromium(*GL, viewport={"width": 900, "height": 640}) as page:
            monkey(page, process, EVENTS // 2, 20261126 + number)
