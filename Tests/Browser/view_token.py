# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The token of `motionctl view` in Chromium: it stays in the tab that has opened the printed address. A page of another port of
this computer, in the same browser, is sent nothing and learns nothing, even one that has the token, while the viewer works."""

import contextlib, http.server, os, pathlib, subprocess, tempfile, threading

from browsers import address_of, check, chromium, motionctl, wait_for

GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
MOVES = "window.motionView?.views[0].store.motion.length > 10 && document.body.dataset.phase === 'motion'"
REFUSED = "document.body.dataset.phase === 'failed' && document.getElementById('phase').textContent"
SENTENCE = "Open the address that motionctl printed"
USED = "The ticket was used already"

# What a page of another port tries; null where it learns nothing.
ATTEMPTS = """
  const found = {cookies: document.cookie || null, storage: sessionStorage.token ?? null};
  const known = {headers: {Authorization: `Bearer ${token}`}};
  for (const [name, options] of Object.entries({plain: {}, cookie: {credentials: 'include'}, opaque: {mode: 'no-cors', credentials: 'include'}, token: known})) {
    for (const [path, method] of [['', 'GET'], ['session.json', 'GET'], ['token', 'POST']])
      found[`${name} ${method} /${path}`] = await fetch(viewer + path, {...options, method}).then((answer) => answer.text(), () => '') || null;
  }
  for (const protocols of [[], ['motion-view'], ['motion-view', token]]) {
    found[`socket ${protocols}`] = await new Promise((done) => {
      const socket = new WebSocket(viewer.replace('http', 'ws') + 'live', protocols);
      socket.onopen = () => done('open');
      socket.onclose = () => done(null);
    });
  }
  const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), {src: `${viewer}#token=${token}`}));
  await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); });
  found.frame = frame.contentDocument?.body?.textContent || null;
  return found;"""


@contextlib.contextmanager
def stranger():
    """A server of another user: its page's address, and the heads of all requests that browsers have sent to it."""
    heads = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            heads.append(f"{self.requestline}\n{self.headers}")
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Cache-Control", "max-age=31536000, immutable")
            self.end_headers()
            self.wfile.write(b"<!DOCTYPE html><title>stranger</title><body>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", heads
    finally:
        server.shutdown()
        server.server_close()


def learns_nothing(name, found, heads, token):
    check(isinstance(found, dict) and not any(found.values()), f"{name}: a page of another port learns nothing {found}")
    check(heads and not any("cookie:" in head.lower() or token in head for head in heads), f"{name}: its server is sent nothing")


def in_chromium(place, token):
    with stranger() as (elsewhere, heads), chromium(*GL) as page:
        page.goto(f"{place}#window=5&token={token}")
        wait_for(lambda: page.evaluate(MOVES), "the printed address shows the motion", 30)
        check(page.url == f"{place}#window=5" and page.evaluate("document.cookie") == "", f"the token is out of the address: {page.url}")
        other = page.context.new_page()
        other.goto(elsewhere)
        learns_nothing("Chromium", other.evaluate("async ([viewer, token]) => {" + ATTEMPTS + "}", [place, token]), heads, token)
        check(not any(frame.url.startswith(place) for frame in other.frames), f"nor does it frame the viewer {[frame.url for frame in other.frames]}")
        page.reload()
        wait_for(lambda: page.evaluate(MOVES), "a reload shows the motion again", 30)
        check(page.problems == [], f"no errors {page.problems}")
        other.goto(place)
        wait_for(lambda: SENTENCE in (other.evaluate(REFUSED) or ""), "a tab that is opened by hand says what to open")
        # The document stays for a change behind the #.
        with other.expect_event("load"):
            other.evaluate(f"location.hash = 'token={token}'")
        wait_for(lambda: other.evaluate(MOVES), "the printed address in that tab shows the motion", 30)
        check(token not in other.url, "and leaves the address")
        with other.expect_event("load"):
            other.evaluate("location.hash = 'token=ofanotherrun'")
        wait_for(lambda: other.evaluate(f"location.hash === '' && {MOVES}"), "the address of another run does not take the tab's token", 30)


def in_the_browser_of_the_desktop(folder):
    """Other users can read the arguments of the program that opens a browser: it gets a ticket, which gives the token once."""
    path = pathlib.Path(folder, "xdg-open")
    path.write_text(f'#!/bin/sh\nprintf %s "$1" >"{folder}/part" && mv "{folder}/part" "{folder}/opened"\n')
    path.chmod(0o755)
    environment = {"DISPLAY": ":99", "PATH": f"{folder}:{os.environ['PATH']}"}
    with motionctl("view", "simulate:handheld", environment=environment) as process, chromium(*GL) as page:
        token = address_of(process).split("token=")[1]
        opened = wait_for(lambda: next((file.read_text() for file in pathlib.Path(folder).glob("opened")), None), "a browser is opened")
        check(token not in opened, "not with the token")
        page.goto(opened)
        wait_for(lambda: page.evaluate(MOVES), "it shows the motion", 30)
        page.reload()
        wait_for(lambda: page.evaluate(MOVES), "after a reload, too", 30)
        other = page.context.new_page()
        other.goto(opened)
        wait_for(lambda: USED in (other.evaluate(REFUSED) or ""), "another tab with the ticket says that it was used")
        wait_for(lambda: USED in page.evaluate("document.getElementById('notice').textContent"), "the first is cut off, and says so, too")
        address = wait_for(lambda: next((line.split()[-1] for line in process.errors if "used twice" in line), None), "the terminal says so, too")
        with other.expect_event("load"):
            other.goto(address)
        wait_for(lambda: other.evaluate(MOVES), "the new address shows the motion", 30)


def at_the_address_of_an_earlier_program():
    """What a program has left in the browser is of another origin than any run of the viewer."""
    with chromium(*GL) as page:
        with stranger() as (earlier, _):
            page.goto(earlier)
        with motionctl("view", "simulate:handheld", "--no-open", "--port", earlier.split(":")[2][:-1]) as process:
            page.goto(address_of(process))
            wait_for(lambda: page.evaluate(MOVES), "at the port of an earlier program the viewer's own page opens", 30)
            page.goto(earlier)
            check(page.title() == "stranger", "although the browser has kept the other")


subprocess.run(["Scripts/viewer-assets.sh", ".build/viewer"], check=True)
os.environ["MOTION_VIEWER"] = ".build/viewer"
with tempfile.TemporaryDirectory() as folder:
    with motionctl("view", "simulate:handheld", "--no-open") as process:
        address = address_of(process).split("#token=")
        in_chromium(*address)
    in_the_browser_of_the_desktop(folder)
at_the_address_of_an_earlier_program()
