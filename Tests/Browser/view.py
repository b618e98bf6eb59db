# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""`motionctl view` in Chromium and Firefox: a turn about each axis looks right (by pixels), numbers are those of `motionctl fuse`,
keys do what they say, recordings come out, and memory stays (VIEW_MINUTES, default 1). Pictures are written to be looked at."""

import contextlib, csv, json, math, os, pathlib, re, subprocess, tempfile, time

from playwright.sync_api import Error

from browsers import MOTIONCTL, Firefox, address_of, check, chromium, motionctl, wait_for, picture

GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-precise-memory-info")
SHARED = pathlib.Path(os.environ.get("OPENCOREMOTION_DATA", "../shared/data"))
IPHONE = SHARED / "mcap/pyojin_iphone_2019_06_11.mcap"
MAP = ["--map", "t=t[s] ax=ax[g] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz", "--sign", "apple"]

# Where a colour is on the canvas of the device: −1…1 to the right and up from its middle; null where it is not to be seen.
CENTRE = """(colour) => {
  const stage = document.getElementById('stage'), copy = document.createElement('canvas');
  [copy.width, copy.height] = [stage.width, stage.height];
  const context = copy.getContext('2d');
  context.drawImage(stage, 0, 0);
  const {data} = context.getImageData(0, 0, copy.width, copy.height);
  let [count, x, y] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (Math.hypot(data[at] - colour[0], data[at + 1] - colour[1], data[at + 2] - colour[2]) > 40) continue;
    count++; x += (at / 4) % copy.width; y += Math.floor(at / 4 / copy.width);
  }
  return count < 30 ? null : {x: 2 * x / count / copy.width - 1, y: 1 - 2 * y / count / copy.height};
}"""
COLOURS = {"x": (0xC8, 0x40, 0x1F), "y": (0x17, 0x80, 0x3D), "z": (0x1F, 0x5F, 0xC4)}
# What a quarter turn about an axis does to the two others on the screen: (axis, coordinate, direction).
TURNS = {
    "x": [("y", "y", 1), ("z", "y", -1)],
    "y": [("z", "x", 1), ("x", "y", -1)],
    "z": [("x", "y", 1), ("y", "x", -1)],
}


def quarter_turn(folder, name):
    """A recording: face up for a second, a quarter turn about an axis in a second, and a second there."""
    rows = ["t,ax,ay,az,gx,gy,gz"]
    for index in range(400):
        t = index / 100
        angle = math.pi / 2 * min(1, max(0, t - 1.5))
        rate = math.pi / 2 if 1.5 <= t < 2.5 else 0
        gravity = {"x": (0, -math.sin(angle), -math.cos(angle)), "y": (math.sin(angle), 0, -math.cos(angle)), "z": (0, 0, -1)}[name]
        rates = [rate if axis == name else 0 for axis in "xyz"]
        rows.append(",".join(f"{value:.9f}" for value in (t, *gravity, *rates)))
    path = pathlib.Path(folder, f"turn-{name}.csv")
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def opened(page, process, fragment=""):
    page.goto(address_of(process) + fragment)
    wait_for(lambda: page.evaluate("window.motionView?.views.every((v) => v.store.motion.length > 10)"), "motion is on the page", 30)
    page.wait_for_timeout(500)


def seek(page, moment):
    page.evaluate(f"motionView.playback.setPlaying(false); motionView.seek({moment})")
    page.wait_for_timeout(400)


def view(*arguments):
    return motionctl("view", *map(str, arguments), "--no-open", "--port", "0")


def turns(folder):
    for name, expected in TURNS.items():
        with view(quarter_turn(folder, name), *MAP) as process, chromium(*GL, color_scheme="light") as page:
            opened(page, process)
            places = []
            for moment in (0.5, 3.9):
                seek(page, moment)
                picture(page, f"view-turn-{name}-{moment}")
                places.append({axis: page.evaluate(CENTRE, COLOURS[axis]) for axis in "xyz"})
            before, after = places
            for axis, coordinate, direction in expected:
                moved = after[axis] and before[axis] and after[axis][coordinate] - before[axis][coordinate]
                check(moved and moved * direction > 0.1,
                      f"a quarter turn about {name} moves the axis {axis} {'right' if coordinate == 'x' else 'up'} by {moved and moved * direction:.2f}"
                      if moved else f"a quarter turn about {name}: the axes are to be seen {places}")
            check(page.problems == [], f"no errors {page.problems}")


def numbers(folder, source, frame):
    """The page's quaternions are those of `motionctl fuse` of the same file, in the order of the file."""
    table = pathlib.Path(folder, "fused.csv")
    subprocess.run([MOTIONCTL, "fuse", source, "--frame", frame, "-o", table, "--format", "csv"], check=True, stderr=subprocess.DEVNULL)
    rows = list(csv.DictReader(table.open()))
    with view(source, "--frame", frame) as process, chromium(*GL) as page:
        began = time.monotonic()
        opened(page, process)
        wait_for(lambda: page.evaluate("motionView.views[0].track !== undefined"), "the track is there", 30)
        check(page.evaluate("motionView.views[0].store.motion.length") == len(rows), f"the page has the {len(rows)} rows of fuse")
        columns = page.evaluate("['w', 'x', 'y', 'z', 't'].map((name) => { const m = motionView.views[0].store.motion; return Array.from(m[name].subarray(0, m.length)); })")
        names = ["attitude_w", "attitude_x", "attitude_y", "attitude_z"]
        largest = max(abs(float(row[name]) - columns[place][index]) for index, row in enumerate(rows) for place, name in enumerate(names))
        check(largest < 1e-6, f"the quaternions are those of fuse in the frame {frame} (largest difference {largest:.1e})")
        offset = float(rows[0]["timestamp"]) - columns[4][0]
        largest = max(abs(float(row["timestamp"]) - offset - columns[4][index]) for index, row in enumerate(rows))
        check(largest < 1e-6, "so are the times")
        return began


def recording(folder):
    if not IPHONE.exists():
        print(f"  SKIPPED: {IPHONE} is not here: the numbers and the ghost of an iPhone's recording")
        return
    numbers(folder, str(IPHONE), "magnetic")
    # With motion beside the samples: what a recording holds is the ghost.
    path = pathlib.Path(folder, "iphone.mcap")
    subprocess.run([MOTIONCTL, "convert", IPHONE, path, "--with", "motion"], check=True, stderr=subprocess.DEVNULL)
    with view(path, "--frame", "arbitrary") as process, chromium(*GL, color_scheme="dark") as page:
        opened(page, process, "&t=24.5&window=5&units=rad")
        picture(page, "view-iphone-dark")
        opened_state = page.evaluate("[motionView.playback.moment, motionView.playback.window, motionView.state.usesDegrees]")
        check(opened_state == [24.5, 5, False], f"the address opens its state {opened_state}")
        tilt, turn = page.evaluate("['Tilt apart', 'Turn apart'].map((name) => motionView.rowsOf(motionView.views[0]).find(([other]) => other === name)[1])")
        check(math.degrees(float(tilt.removesuffix(" rad"))) < 3, f"the recorded attitude is tilted by {tilt} and turned by {turn}")
        check(page.problems == [], f"no errors {page.problems}")
    with view(IPHONE, "--frame", "arbitrary", "--frame", "magnetic") as process, chromium(*GL) as page:
        opened(page, process, "&t=24.5")
        picture(page, "view-two-frames")
        check(page.evaluate("motionView.views.map((v) => v.frame).join()") == "arbitrary,magnetic", "two frames beside each other")


def switching(folder):
    """A frame that is asked for while another is read: the numbers, the frame that is named and the letter N are of one frame."""
    path = pathlib.Path(folder, "handheld.mcap")
    subprocess.run([MOTIONCTL, "record", "simulate:handheld?seed=3&speed=max", "--for", "60", "-o", path], check=True, stderr=subprocess.DEVNULL)
    with view(path, "--frame", "arbitrary") as process, chromium(*GL) as page:
        # The program is slow: it says how far it is where records are asked for, too, and then leaves the page waiting.
        held, progress = [], [0.3, 0.6]
        page.route("**/records/0*", lambda route: route.fulfill(json={"reading": progress.pop(0)}) if progress else held.append(route))
        page.goto(address_of(process) + "&t=20")
        wait_for(lambda: page.evaluate("true") and held, "the page asks again until there are records")
        held.pop().continue_()
        wait_for(lambda: page.evaluate("window.motionView?.views[0].store.motion.length > 10"), "motion is on the page")
        for frame in ("corrected", "magnetic"):
            progress.append(0.5)
            page.evaluate("motionView.actions.frame()")
            wait_for(lambda: page.inner_text("#frameName").startswith(f"arbitrary, then {frame}"), f"arbitrary is shown while {frame} is read")
            check(not page.evaluate("motionView.stateOf(motionView.views[0]).isNorth"), "without a north")
        wait_for(lambda: page.evaluate("true") and held, "the records are asked for", 60)
        page.wait_for_timeout(500)
        for route in held:
            # The one for the frame that is no longer wanted was given up.
            with contextlib.suppress(Error):
                route.continue_()
        wait_for(lambda: page.evaluate("motionView.views[0].frameAt(20)") == "magnetic", "the last frame that was asked for is shown", 20)
        wait_for(lambda: page.inner_text("#frameName") == "magnetic", "its name")
        rows = dict(page.evaluate("motionView.rowsOf(motionView.views[0])"))
        check(page.evaluate("motionView.stateOf(motionView.views[0]).isNorth"), "its north")
        check(rows["Heading"] != "no north in this frame" and "not used" not in rows["Magnetometer"], f"and its numbers: heading {rows['Heading']}, magnetometer {rows['Magnetometer']}")
        check(page.problems == [], f"no errors {page.problems}")


def strips(folder):
    """On the strips: values below the pointer, a click seeks, a drag zooms, a double click shows the whole window."""
    path = pathlib.Path(folder, "handheld.mcap")
    with view(path) as process, chromium(*GL, viewport={"width": 1280, "height": 800}) as page:
        opened(page, process, "&t=20")
        box = page.locator(".u-over").first.bounding_box()
        at = lambda share: (box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.mouse.move(*at(0.25))
        text = wait_for(lambda: (t := page.inner_text("#valuesAt")) != "Values at 20.000 s" and t, "values below the pointer")
        check(abs(float(text.split()[2]) - 17.5) < 0.1, f"they are those of its time: {text}")
        page.mouse.click(*at(0.25))
        check(abs(page.evaluate("motionView.playback.moment") - 17.5) < 0.1, "a click seeks")
        page.evaluate("motionView.seek(20)")
        page.wait_for_timeout(200)
        page.mouse.move(*at(0.4))
        page.mouse.down()
        page.mouse.move(*at(0.5), steps=4)
        page.mouse.move(*at(0.6), steps=4)
        page.mouse.up()
        zoomed = page.evaluate("motionView.playback.range()")
        check(abs(zoomed[0] - 19) < 0.1 and abs(zoomed[1] - 21) < 0.1, f"a drag zooms {zoomed}")
        wait_for(lambda: page.evaluate("!document.getElementById('reset').hidden"), "a button leads back")
        page.mouse.dblclick(*at(0.5))
        back = page.evaluate("motionView.playback.range()")
        check(abs(back[1] - back[0] - 10) < 1e-6, f"so does a double click {back}")
        check(page.problems == [], f"no errors {page.problems}")


# What the sentence says where it is not that of the sample shown, and how many sentences there were: `n` times, moved to and then playing.
WORDS = """async (n) => {
  const {playback, views: [view]} = motionView, [pose, clock] = ['pose', 'clock'].map((id) => document.getElementById(id));
  const frame = () => new Promise(requestAnimationFrame), seen = new Set(), wrong = [];
  const look = (moments) => {
    seen.add(pose.textContent);
    if (!moments.some((moment) => view.words(moment) === pose.textContent)) wrong.push(`${clock.textContent}: ${pose.textContent}`);
  };
  for (let step = 0; step < n; step++) {
    motionView.seek(3 + step * 0.37);
    do await frame(); while (!motionView.isShown);
    look([playback.moment]);
  }
  const still = pose.ariaLive;
  playback.setPlaying(true);
  for (let step = 0; step < n; step++) {
    await frame();
    // The clock is rounded, so it may be that of the next sample.
    look([-0.01, 0, 0.01].map((off) => parseFloat(clock.textContent) + off));
  }
  return [wrong, seen.size, still, pose.ariaLive];
}"""


def words(folder):
    """The sentence under the angles is that of the sample shown; a screen reader says it where the picture stands still."""
    path = pathlib.Path(folder, "handheld.mcap")
    subprocess.run([MOTIONCTL, "record", "simulate:handheld?seed=3&speed=max", "--for", "60", "--force", "-o", path], check=True, stderr=subprocess.DEVNULL)
    with view(path) as process, chromium(*GL) as page:
        opened(page, process, "&t=3")
        wrong, count, still, moving = page.evaluate(WORDS, 60)
        check(wrong == [] and count > 30, f"{count} sentences are those of their samples {wrong[:3]}")
        check((still, moving) == ("polite", "off"), f"it is said when it stands still: {still}, {moving}")
        check(page.evaluate("motionView.views[0].frame") == "magnetic", "there is a magnetometer: the frame is north")


def keyboard(folder):
    with view("simulate:handheld?seed=3", "--frame", "arbitrary", "--folder", folder) as process, chromium(*GL, viewport={"width": 1400, "height": 860}) as page:
        address = address_of(process)
        began = time.monotonic()
        opened(page, process)
        print(f"  motion on the page after {time.monotonic() - began:.2f} s, of which 0.5 s is this test's pause")
        page.wait_for_timeout(4000)
        picture(page, "view-handheld")
        turned = "motionView.views[0].turn"
        page.keyboard.press("0")
        check(page.evaluate(turned) != 0, "0 zeroes the heading")
        away = page.evaluate("(() => { const s = motionView.stateOf(motionView.views[0]), [w, x, y, z] = s.attitude; return Math.atan2(1 - 2 * (x * x + z * z), 2 * (x * y - w * z)) + s.turn; })()")
        check(abs(math.remainder(away - math.pi / 2, 2 * math.pi)) < 0.8, f"the top edge points away ({math.degrees(away):.0f}°)")
        page.keyboard.press("0")
        check(page.evaluate(turned) == 0, "0 again: back")
        page.keyboard.press("l")
        check(page.evaluate("motionView.views[0].mount !== null"), "L levels")
        page.keyboard.press("f")
        wait_for(lambda: page.evaluate("motionView.views[0].state.frame") == "corrected", "F asks the program for the next frame")
        wait_for(lambda: page.inner_text("#frameName") == "corrected", "the button names it")
        page.keyboard.press(" ")
        moment = page.evaluate("motionView.playback.moment")
        page.wait_for_timeout(400)
        check(page.evaluate("motionView.playback.moment") == moment, "space pauses")
        page.keyboard.press("ArrowLeft")
        back = moment - page.evaluate("motionView.playback.moment")
        check(0.005 < back < 0.025, f"← is a sample back ({back:.3f} s)")
        page.keyboard.press(" ")
        page.keyboard.press("?")
        check(page.evaluate("document.getElementById('helpDialog').open"), "? shows the keys")
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        wait_for(lambda: page.evaluate("document.body.textContent.includes('Rotation rate, rad/s')"), "U shows radians")
        sentence = page.evaluate("document.getElementById('pose').textContent")
        check(re.match(r"(Face|Upright|Upside|On its) ?.*\.", sentence), f"the picture in words: “{sentence}”")
        unnamed = page.evaluate("[...document.querySelectorAll('button, select, summary, canvas[tabindex]')].filter((e) => !(e.textContent.trim() || e.ariaLabel || e.labels?.length || e.getAttribute('aria-labelledby'))).length")
        check(unnamed == 0, "every control has a name")
        page.keyboard.press("r")
        wait_for(lambda: page.evaluate("document.getElementById('record').ariaPressed") == "true", "R records")
        page.wait_for_timeout(2000)
        page.keyboard.press("r")
        path = wait_for(lambda: page.evaluate("document.getElementById('files').textContent.match(/Recorded: (.*)$/)?.[1]"), "R again: it is whole")
        report = subprocess.run([MOTIONCTL, "info", path, "--json"], capture_output=True, text=True)
        check(report.returncode == 0 and json.loads(report.stdout)["samples"] > 300, f"{path} is a whole recording of {json.loads(report.stdout or '{}').get('samples')} samples")
        check(page.problems == [], f"no errors {page.problems}")
        memory(page, address, process)


def history(folder):
    """On joining, the program's last minute is drawn, and the picture does not run through it."""
    with view("simulate:handheld?seed=3") as process, chromium(*GL) as page:
        opened(page, process)
        page.wait_for_timeout(3000)
        # What the page has is sent again as history, as a program does that keeps the last minute.
        moved = page.evaluate("""async () => {
          const {openFeed} = await import('./connection.js'), {Store} = await import('./records.js');
          const live = await new Promise((done) => { const found = []; const socket = new WebSocket(new URL('live', location.href).href.replace('http', 'ws').split('#')[0], ['motion-view', sessionStorage.token]);
            socket.binaryType = 'arraybuffer'; socket.onmessage = ({data}) => { if (typeof data !== 'string') found.push(data); if (found.length === 20) { socket.close(); done(found); } }; });
          const Real = window.WebSocket, sockets = [];
          window.WebSocket = class { static OPEN = 1; readyState = 1; constructor() { sockets.push(this); } send() {} close() {} };
          let arrived = 0;
          const store = new Store(false), feed = openFeed([store], {arrived() { arrived++; }, state() {}, link() {}, failed() {}});
          window.WebSocket = Real;
          const [socket] = sockets, steps = [];
          socket.onopen();
          socket.onmessage({data: '{"history":true}'});
          for (const data of live) socket.onmessage({data});
          steps.push(feed.isHistory, arrived, store.motion.length > 10);
          socket.onmessage({data: '{"history":false}'});
          socket.onmessage({data: live[19]});
          steps.push(feed.isHistory, arrived);
          return steps;
        }""")
        check(moved == [True, 0, True, False, 1], f"history fills the strips and does not count as arriving {moved}")
        check(page.problems == [], f"no errors {page.problems}")


def memory(page, address, process):
    """The page's heap and the program's memory stay while it runs."""
    minutes = float(os.environ.get("VIEW_MINUTES", "1"))
    resident = lambda: int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024
    heap = lambda: page.evaluate("performance.memory.usedJSHeapSize") / 1e6
    heaps, programs = [], []
    for _ in range(8):
        page.wait_for_timeout(minutes * 60_000 / 8)
        heaps.append(min(heap() for _ in range(3)))
        programs.append(resident())
    text = f"heap {' '.join(f'{value:.0f}' for value in heaps)} MB, program {' '.join(f'{value:.0f}' for value in programs)} MB"
    check(min(heaps[4:]) < min(heaps[:4]) + 10, f"the page's memory stays over {minutes:g} minutes: {text}")
    check(programs[-1] < programs[1] + 5, "the program's memory stays")


def firefox(folder):
    with view("simulate:handheld") as process, Firefox() as browser:
        browser.open(address_of(process))
        answer = browser.run("""
          const isShown = () => window.motionView?.views[0].store.motion.length > 100 && document.body.dataset.phase === 'motion';
          for (let i = 0; i < 100 && !isShown(); i++) await new Promise((done) => setTimeout(done, 100));
          return {samples: window.motionView?.views[0].store.motion.length, pose: document.getElementById('pose').textContent,
            phase: document.body.dataset.phase, rows: window.motionView?.rowsOf(window.motionView.views[0])};""")
        check(isinstance(answer, dict) and answer["samples"] > 100 and answer["phase"] == "motion", f"Firefox shows the motion: {answer}")


subprocess.run(["Scripts/viewer-assets.sh", ".build/viewer"], check=True)
os.environ["MOTION_VIEWER"] = ".build/viewer"
with tempfile.TemporaryDirectory() as folder:
    for part in (turns, recording, switching, strips, words, keyboard, history, firefox):
        if part.__name__ not in os.environ.get("VIEW_PARTS", part.__name__).split(","):
            continue
        print(f"  {part.__name__}")
        part(folder)
