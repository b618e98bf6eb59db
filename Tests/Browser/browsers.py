# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""What the browser tests share: browsers, a motionctl that runs, a check that ends the test with a sentence."""

import contextlib, json, os, pathlib, re, socket, subprocess, sys, tempfile, threading, time

from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/lib/chromium/chromium-headless-shell"
MOTIONCTL = os.environ.get("MOTIONCTL", ".build/debug/motionctl")
PICTURES = pathlib.Path(".build/browser-pictures")


def check(condition, sentence):
    """Ends the test unless the condition holds."""
    if not condition:
        print(f"  FAILED: {sentence}", file=sys.stderr)
        sys.exit(1)
    print(f"  ok: {sentence}")


def wait_for(question, sentence, seconds=10):
    """The first true answer to the question; ends the test when there is none in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := question():
            return answer
        time.sleep(0.05)
    check(False, f"{sentence} (waited for {seconds} s)")


@contextlib.contextmanager
def chromium(*arguments, **context_options):
    """A page in headless Chromium that accepts self-signed certificates; its errors are kept in `.problems`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(arguments))
        context = browser.new_context(ignore_https_errors=True, **context_options)
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda line: line.type == "error" and page.problems.append(line.text))
        try:
            yield page
        finally:
            browser.close()


class Firefox:
    """Headless Firefox through its own Marionette protocol: lengths and JSON over TCP."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        pathlib.Path(self.profile.name, "user.js").write_text(
            f'user_pref("marionette.port", {self.port});\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.profile.name],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stream = wait_for(self._connect, "Firefox starts", 60)
        self.buffer = b""
        self.number = 0
        self._receive()
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.command("Marionette:Quit", flags=["eForceQuit"])
        self.process.terminate()
        self.process.wait()
        self.profile.cleanup()

    def _connect(self):
        with contextlib.suppress(OSError):
            return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def _receive(self):
        while b":" not in self.buffer or len(self.buffer.split(b":", 1)[1]) < int(self.buffer.split(b":", 1)[0]):
            data = self.stream.recv(1 << 16)
            if not data:
                raise OSError("Firefox has closed the connection.")
            self.buffer += data
        length, rest = self.buffer.split(b":", 1)
        self.buffer = rest[int(length):]
        return json.loads(rest[: int(length)])

    def command(self, name, **parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.stream.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise OSError(f"{name}: {error.get('message')}")
        return result

    def open(self, address):
        self.command("WebDriver:Navigate", url=address)

    def run(self, script, *arguments):
        """The value that a script returns; `await` is allowed. The page's own objects are seen as in its scripts."""
        body = ("const [inner, done] = [arguments, arguments[arguments.length - 1]];"
                f"(async function () {{ {script} }}).apply(null, inner).then(done, (error) => done('' + error));")
        return self.command("WebDriver:ExecuteAsyncScript", script=body, args=list(arguments), sandbox=None)["value"]


@contextlib.contextmanager
def motionctl(*arguments, environment=None):
    """A motionctl that runs; its lines grow in `.lines` and `.errors`, and the times at which they came in `.times` (monotonic, s)."""
    process = subprocess.Popen(
        [MOTIONCTL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
        env={**os.environ, **(environment or {})})
    process.lines, process.errors, process.times = [], [], []

    def collect(stream, lines, times):
        for line in stream:
            times.append(time.clock_gettime(time.CLOCK_MONOTONIC))
            lines.append(line.rstrip("\n"))

    for stream, lines, times in ((process.stdout, process.lines, process.times), (process.stderr, process.errors, [])):
        threading.Thread(target=collect, args=(stream, lines, times), daemon=True).start()
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def address_of(process, pattern=r"https?://\S+", seconds=20):
    """The first address that a program says on standard error."""
    found = lambda: next((m[0] for line in list(process.errors) if (m := re.search(pattern, line))), None)
    return wait_for(found, f"motionctl prints its address; it said: {process.errors}", seconds)


def picture(page, name):
    """Keeps a picture of the page for people to look at."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(PICTURES / f"{name}.png"))
