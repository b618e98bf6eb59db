#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""Whether anything that a client does makes `motionctl view` wait: the gaps in the live samples of one page, the time in which a new
client is answered, and the memory of the program, while others do not read what they asked for, press R as fast as they can, or flood it.

    swift build -c release --product motionctl && Benchmarks/viewer.py [MOTIONCTL]

Prints a row for each load and ends with 1 where a gap or the memory is out of bounds. The clients are processes of their own on
127.0.0.1. "machine" is the longest pause of a process that only sleeps: on a machine that is busy with other work, three of them are
allowed for, as the source, the server and the client may each be the one that waits for a processor. `chrt -r 5` before the command
keeps such work out."""

import argparse, base64, contextlib, json, multiprocessing, os, pathlib, re, resource, select, socket, statistics, subprocess, sys, tempfile, threading, time

GAP, ANSWER, MEMORY = 0.1, 1, 60e6  # s, s and bytes: the bounds of every load
PAUSE = 10  # s that a client which does not read stays


class Client:
    """A connection to the viewer: requests, and after `upgrade` WebSocket frames."""

    def __init__(self, place, token, window=None):
        self.socket = socket.socket()
        if window:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        self.socket.settimeout(60)
        self.socket.connect(place)
        self.place, self.token, self.buffer = place, token, b""

    def ask(self, path, *fields):
        lines = [f"GET {path} HTTP/1.1", f"Host: {self.place[0]}:{self.place[1]}", f"Authorization: Bearer {self.token}", *fields, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())

    def head(self):
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        return head.decode()

    def fill(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError("the program has closed the connection")
        self.buffer += data

    def upgrade(self):
        key = base64.b64encode(os.urandom(16)).decode()
        self.ask("/live", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                 "Sec-WebSocket-Protocol: motion-view", f"Sec-WebSocket-Key: {key}")
        assert " 101 " in self.head()
        self.say({})  # A client that has sent a message keeps its place.
        return self

    def say(self, message):
        text = json.dumps(message).encode()
        self.socket.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)

    def frame(self):
        """The kind and the payload of the next frame."""
        while True:
            if len(self.buffer) >= 2:
                length, size = self.buffer[1], 2
                if length > 125:
                    size = 4 if length == 126 else 10
                    length = int.from_bytes(self.buffer[2:size], "big") if len(self.buffer) >= size else 1 << 62
                if len(self.buffer) >= size + length:
                    kind, payload = self.buffer[0] & 15, self.buffer[size : size + length]
                    self.buffer = self.buffer[size + length :]
                    return kind, payload
            self.fill()


def watch(place, token, times):
    """A page that reads: when each live message came; those of the minute before do not count."""
    page = Client(place, token).upgrade()
    while page.frame() != (1, b'{"history":false}'):
        pass
    with contextlib.suppress(EOFError):
        while True:
            kind, _ = page.frame()
            if kind == 2:
                times.send(time.monotonic())


def ask_only(place, token, path):
    """Asks and does not read."""
    client = Client(place, token, window=4096)
    client.ask(path)
    time.sleep(PAUSE)


def listen_not(place, token):
    """A page that does not read."""
    client = Client(place, token, window=4096).upgrade()
    time.sleep(PAUSE)


def press(place, token):
    """The key R, fifty times a second."""
    client = Client(place, token, window=4096).upgrade()
    for _ in range(PAUSE * 50):
        client.say({"command": "record"})
        time.sleep(0.02)


def pour(place, token, kind):
    """What a page or a request can be flooded with, as fast as it is taken; where the server ends the connection, on a new one."""
    fields = f" HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\nAuthorization: Bearer {token}\r\n"
    frames = {"pings": b"\x89", "texts": b"\x81", "fragments": b"\0"}
    payload = {**{name: (first + b"\x80\0\0\0\0") * 9999 for name, first in frames.items()},
               "requests": f"GET /nothing{fields}\r\n".encode() * 500,
               "bodies": f"POST /x{fields}Content-Length: 1000000\r\n\r\n".encode() + b"x" * 1_000_000}[kind]
    end = time.monotonic() + PAUSE
    while time.monotonic() < end:
        with contextlib.suppress(OSError, EOFError, AssertionError):
            client = Client(place, token)
            client.upgrade() if kind in frames else None
            if kind == "fragments":
                client.socket.sendall(b"\1\xfe\xff\0\0\0\0\0" + b"a" * 65280)
            client.socket.setblocking(False)
            rest = payload
            while time.monotonic() < end:
                readable, writable, _ = select.select([client.socket], [client.socket], [], 0.1)
                if readable and not client.socket.recv(1 << 16):
                    break
                if writable:
                    rest = rest[client.socket.send(rest[: 1 << 16]) :] or payload


def connect(place, token, words, rush=False):
    """Two thousand connections that say nothing, or half of something, and stay; or ones that close at once, without end."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    end, silent = time.monotonic() + PAUSE, []
    while time.monotonic() < end:
        if len(silent) >= 2000:
            time.sleep(0.1)
            continue
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(place)
        with contextlib.suppress(OSError):
            client.send(words)
        client.close() if rush else silent.append(client)


def arrive(place, token, answers):
    """New clients, one after the other: the time until each is answered."""
    while True:
        began = time.monotonic()
        with contextlib.suppress(OSError, EOFError):
            client = Client(place, token)
            client.ask("/session.json", "Connection: close")
            client.head()
            answers.send(time.monotonic() - began)
        time.sleep(0.2)


def sleep_only(_, __, pauses):
    """What the machine itself takes: how much too late a process wakes that sleeps 5 ms."""
    while True:
        began = time.monotonic()
        time.sleep(0.005)
        if (late := time.monotonic() - began - 0.005) > 0.01:
            pauses.send(late)


class Measurement:
    def __init__(self, place, token, pid):
        self.place, self.token, self.pid = place, token, pid
        self.times, inlet = multiprocessing.Pipe(False)
        self.pauses, outlet = multiprocessing.Pipe(False)
        self.answers, answered = multiprocessing.Pipe(False)
        self.start(watch, inlet)
        self.start(arrive, answered)
        self.start(sleep_only, outlet)
        self.misses = []

    def start(self, work, *arguments):
        process = multiprocessing.Process(target=work, args=(self.place, self.token, *arguments), daemon=True)
        process.start()
        return process

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.pid}/status").read_text())[1]) * 1024

    @staticmethod
    def drain(pipe):
        values = []
        while pipe.poll():
            values.append(pipe.recv())
        return values

    def run(self, name, processes, seconds=None):
        """A row: the load lasts until its processes end, or for so many seconds."""
        times, memory = self.drain(self.times)[-1:], 0
        self.drain(self.pauses)
        self.drain(self.answers)
        began = time.monotonic()
        for process in processes:
            self.start(*process) if seconds else None
        running = [] if seconds else [self.start(*process) for process in processes]
        while any(process.is_alive() for process in running) or (seconds and time.monotonic() - began < seconds):
            memory = max(memory, self.memory())
            times += self.drain(self.times)
            time.sleep(0.02)
        failed = [process.exitcode for process in running if process.exitcode]
        times += self.drain(self.times)
        machine, answer = max(self.drain(self.pauses), default=0), max(self.drain(self.answers), default=60)
        times.append(max(times[-1:] + [time.monotonic()]))
        gaps = sorted(later - earlier for earlier, later in zip(times, times[1:]))
        tail = gaps[min(len(gaps) - 1, int(len(gaps) * 0.999))]
        seconds = time.monotonic() - began
        print(f"{name:44} {seconds:6.1f} s {len(gaps):6} gaps: median {statistics.median(gaps) * 1e3:5.1f}, "
              f"p99.9 {tail * 1e3:5.1f}, largest {gaps[-1] * 1e3:5.1f} ms   "
              f"new client {answer * 1e3:5.1f} ms   machine {machine * 1e3:5.1f} ms   {memory / 1e6:5.1f} MB", flush=True)
        if failed:
            self.misses.append(f"{name}: a client failed")
        if gaps[-1] >= GAP + 3 * machine or len(gaps) < seconds * 10:
            self.misses.append(f"{name}: a gap of {gaps[-1] * 1e3:.0f} ms")
        if answer >= ANSWER + 3 * machine:
            self.misses.append(f"{name}: a new client was answered after {answer:.1f} s")
        if memory >= MEMORY:
            self.misses.append(f"{name}: {memory / 1e6:.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motionctl", nargs="?", default=".build/release/motionctl")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("three.js", "uplot.js", "uplot.css"):
            pathlib.Path(folder, name).write_text("x" * 800_000)
        process = subprocess.Popen(
            [options.motionctl, "view", "simulate:handheld", "--no-open", "--port", "0", "--folder", folder],
            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env={**os.environ, "MOTION_VIEWER": folder})
        try:
            address = next(m for line in process.stderr if (m := re.search(r"http://([\d.]+):(\d+)/#token=(\w+)", line)))
            threading.Thread(target=process.stderr.read, daemon=True).start()
            place, token = (address[1], int(address[2])), address[3]
            measurement = Measurement(place, token, process.pid)
            measurement.run("nothing else", [], seconds=5)
            measurement.run("thirty requests for the page, unread", [(ask_only, "/three.js")] * 30)
            measurement.run("eight pages that do not read", [(listen_not,)] * 8)
            measurement.run("R, fifty times a second", [(press,)])
            for kind in ("pings", "texts", "fragments", "requests", "bodies"):
                measurement.run(f"four floods of {kind}", [(pour, kind)] * 4)
            measurement.run("two thousand silent connections", [(connect, b"")])
            measurement.run("two thousand half requests", [(connect, b"GET / HT")])
            measurement.run("connections that close at once", [(connect, b"", True)])
            measurement.run("all of the first together", [(press,)] + [(ask_only, "/three.js")] * 30 + [(listen_not,)] * 8)
            files = len([path for path in pathlib.Path(folder).iterdir() if path.suffix == ".mcap"])
            print(f"{files} recordings of 2 times {PAUSE} s of pressing R, one toggle a second at most")
            if files > 2 + PAUSE * 2:
                measurement.misses.append(f"{files} recordings")
        finally:
            process.terminate()
            process.wait(10)
    for miss in measurement.misses:
        print(f"OUT OF BOUNDS ({GAP * 1e3:.0f} ms, {ANSWER} s, {MEMORY / 1e6:.0f} MB): {miss}", file=sys.stderr)
    sys.exit(bool(measurement.misses))


main()
