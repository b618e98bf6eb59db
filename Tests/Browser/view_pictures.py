# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The viewer's page in seven states, light and dark: each looks as in Tests/Browser/pictures (VIEW_PICTURES=keep writes new ones; look at
them before they are committed), and axe-core finds nothing to say about it, contrast included."""

import json, math, os, pathlib, subprocess, tempfile

from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageChops

from browsers import MOTIONCTL, PICTURES, address_of, check, chromium, motionctl, wait_for

GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
KEPT = pathlib.Path("Tests/Browser/pictures")
# Of both pictures a quarter of the size is compared, where the edges of letters do not count.
SCALE = 4
# A pixel differs from 24 of 255 on in a channel. The same page differs in up to 0.14 % of them; one without its buttons in 0.31 %, without
# the angles in 0.6 %, without a strip in 1 %, without the device in 3 %.
LEAST, LARGEST_SHARE = 24, 0.003


def small(image):
    return image.convert("RGB").resize((image.width // SCALE, image.height // SCALE), Image.Resampling.BOX)


def compare(page, name):
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"view-{name}.png"
    page.screenshot(path=str(path))
    seen, kept = Image.open(path), KEPT / f"{name}.png"
    if os.environ.get("VIEW_PICTURES") == "keep":
        KEPT.mkdir(exist_ok=True)
        seen.convert("RGB").quantize(48, dither=Image.Dither.NONE).save(kept, optimize=True)
        check(kept.stat().st_size <= 60_000, f"{kept} is small: {kept.stat().st_size} bytes")
        return
    difference = ImageChops.difference(small(seen), small(Image.open(kept)))
    red, green, blue = difference.split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    share = sum(largest.histogram()[LEAST:]) / (difference.width * difference.height)
    check(share <= LARGEST_SHARE, f"{name} looks as in {kept}: {share:.2%} differ")


def accessible(page, name):
    found = Axe().run(page).response["violations"]
    check(found == [], f"axe-core finds nothing in {name} {[(item['id'], [node['html'][:120] for node in item['nodes'][:3]]) for item in found]}")


def recorded(folder):
    """A phone in the hand, and the same a quarter of a second later: two lines that can be told apart."""
    path, later = pathlib.Path(folder, "monday.mcap"), pathlib.Path(folder, "tuesday.mcap")
    source = "simulate:handheld?errors=phone&seed=3&speed=max"
    subprocess.run([MOTIONCTL, "record", source, "--for", "30", "-o", path], check=True, stderr=subprocess.DEVNULL)
    subprocess.run([MOTIONCTL, "cut", path, later, "--from", "0.25s"], check=True, stderr=subprocess.DEVNULL)
    return str(path), str(later)


def accelerometer(folder):
    path = pathlib.Path(folder, "accelerometer.csv")
    rows = (f"{t / 100},{0.3 * math.sin(t / 40):.4f},{0.1 * math.cos(t / 25):.4f},-1" for t in range(2000))
    path.write_text("t,ax,ay,az\n" + "\n".join(rows) + "\n")
    return [str(path), "--map", "t=t[s] ax=ax[g] ay=ay az=az", "--sign", "apple"]


def code():
    """Squares in the shape of a QR code; what they say is tested in Swift."""
    size = 29
    isDark = lambda x, y: (x * y + x // 2 + y // 3) % 3 == 0
    return "".join(f"M{x} {y}h1v1h-1z" for y in range(size) for x in range(size) if isDark(x, y)), size


def waiting(page):
    path, size = code()
    phone = {"address": "https://192.168.1.20:8443/k3J9dQ/", "qr": path, "size": size, "waiting": "Scan the code with the phone, accept the warning about the certificate, then tap Start."}
    view = {"view": 0, "frame": "arbitrary", "rates": [], "gaps": 0, "dropped": 0, "latency": None, "largestLatency": None, "notice": None, "hasEnded": False}
    page.route_web_socket("**/live", lambda socket: socket.on_message(lambda _: socket.send(json.dumps({"views": [view], "phone": phone}))))


def states(folder):
    """Name, arguments, size, fragment, what is done before the page opens, and what is waited for."""
    first, second = recorded(folder)
    motion = "document.body.dataset.phase === 'motion'"
    desktop, phone = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
    refuse = lambda page: page.route("**/session.json", lambda route: route.fulfill(status=403, body="This address has no token, or an old one: open the address that motionctl has printed."))
    slow = lambda page: page.route("**/track/0*", lambda route: route.fulfill(json={"reading": 0.4}))
    phase = lambda name: f"document.body.dataset.phase === '{name}'"
    yield "recording", [first, "--frame", "magnetic"], desktop, "&t=12.34", None, motion
    yield "compared", [first, second], {"width": 1120, "height": 700}, "&t=12.34&window=5", None, motion
    yield "phone", [first], phone, "&t=12.34", None, motion
    yield "loading", [first], desktop, "&t=12.34", slow, phase("loading") + " && document.querySelector('progress')"
    yield "waiting", ["simulate:rest"], desktop, "", waiting, phase("waiting") + " && document.querySelector('.code')"
    yield "empty", accelerometer(folder), desktop, "&t=12.34", None, phase("empty")
    yield "failed", [first], desktop, "&t=12.34", refuse, phase("failed")


subprocess.run(["Scripts/viewer-assets.sh", ".build/viewer"], check=True)
os.environ["MOTION_VIEWER"] = ".build/viewer"
with tempfile.TemporaryDirectory() as folder:
    for name, arguments, size, fragment, prepare, ready in states(folder):
        with motionctl("view", *arguments, "--no-open", "--port", "0") as process:
            address = address_of(process)
            for theme in ("light", "dark"):
                with chromium(*GL, viewport=size, color_scheme=theme, has_touch=name == "phone", reduced_motion="reduce") as page:
                    if prepare:
                        prepare(page)
                    page.goto(address + fragment)
                    wait_for(lambda: page.evaluate(ready), f"{name} is shown", 30)
                    page.wait_for_timeout(1200)
                    compare(page, f"{name}-{theme}")
                    accessible(page, f"{name}-{theme}")
                    if name == "empty":
                        check(page.inner_text("#link") == "2,000 samples", "without motion the samples are those of the accelerometer")
                        check(not any(page.is_visible(f"#{id}") for id in ("zero", "level", "frame")), "and there is nothing to zero")
                    if name in ("recording", "phone"):
                        page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
                        page.wait_for_timeout(300)
                        accessible(page, f"{name}-{theme} with everything unfolded")
                        page.evaluate("document.getElementById('more').open = false; motionView.actions.help()")
                        accessible(page, f"the help of {name}-{theme}")
                    unexpected = [problem for problem in page.problems if not (name == "failed" and "403" in problem)]
                    check(unexpected == [], f"no errors {unexpected}")
