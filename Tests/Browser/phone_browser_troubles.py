# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""phone:browser when something is wrong: strangers are refused with a sentence and change nothing, and the page says what is wrong."""

import http.client, json, re, socket, ssl, struct, subprocess, time, urllib.parse

from browsers import address_of, check, chromium, motionctl, picture, wait_for
from virtual_phone import VirtualPhone

ANY_CERTIFICATE = ssl._create_unverified_context()
TOKEN = "secret0123456789"


def ask(address, method="GET", path="", body=None, host=None, origin=None, of="127.0.0.1"):
    """Status and text of a request to the server of an address; `of`: the client's address."""
    url = urllib.parse.urlsplit(address)
    connection = http.client.HTTPSConnection(
        url.hostname, url.port, context=ANY_CERTIFICATE, timeout=10, source_address=(of, 0))
    fields = {"Host": host or url.netloc, **({"Origin": origin} if origin else {})}
    connection.request(method, path or url.path, body=body, headers=fields)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def batch(session, first=0):
    """Ten samples face up."""
    rows = b"".join(struct.pack("<d8f", 1000 + 16.7 * (first + i), 0, 0, 9.8, 0, 0, 0, 0, 0) for i in range(10))
    return b"OCMB" + struct.pack("<HHIIQ", 1, 10, first, 0, session) + rows


def send(page, phone):
    """Presses the button and waits until motion flows."""
    phone.hold(0.5)
    page.click("#start")
    wait_for(lambda: page.inner_text("#state") == "Sending.", "the page sends")


def strangers():
    arguments = ("stream", f"phone:browser?listen=127.0.0.1&port=0&token={TOKEN}", "--format", "ndjson")
    with motionctl(*arguments) as process, chromium() as page:
        address = address_of(process)
        url = urllib.parse.urlsplit(address)
        fingerprint = next(line.strip() for line in process.errors if re.fullmatch(r"\s*([0-9A-F]{2}:){31}[0-9A-F]{2}", line))
        certificate = ssl.get_server_certificate((url.hostname, url.port))
        shown = subprocess.run(["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-text"], input=certificate,
                               capture_output=True, text=True, check=True).stdout
        check(fingerprint in shown, "the fingerprint beside the code is that of the certificate")
        check("prime256v1" in shown and url.hostname in shown, "the certificate is P-256, with the address in it")
        page.goto(address)
        phone = VirtualPhone(page)
        page.reload()
        send(page, phone)

        status, text = ask(address, path="/wrongtoken000000/")
        check(status == 403 and "token" in text, f"a wrong token is refused: {text.strip()}")
        check(ask(address, path="/")[0] == 403, "so is none")
        status, text = ask(address, "POST", path=f"/{TOKEN[:-1]}x/motion", body=batch(1))
        check(status == 403, "and samples with a wrong one")
        status, text = ask(address, host="evil.example:8443")
        check(status == 421 and "not called" in text, f"another name in Host is refused: {text.strip()}")
        status, text = ask(address, "POST", f"{url.path}motion", batch(1), origin="https://evil.example")
        check(status == 403 and "evil.example" in text, f"a page of another origin is refused: {text.strip()}")
        with socket.create_connection((url.hostname, url.port), timeout=10) as plain:
            plain.sendall(f"GET {url.path} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
            answer = plain.recv(4096).decode()
        check("https" in answer, f"http on the https port gets a sentence: {answer.splitlines()[-1] if answer else 'nothing'}")
        status, text = ask(address, "POST", f"{url.path}motion", b"x" * 70_000)
        check(status == 413, f"a long body is refused: {text.strip()}")
        status, text = ask(address, "POST", f"{url.path}motion", batch(1)[:-1])
        check(status == 400, f"a cut batch is refused: {text.strip()}")
        status, text = ask(address, "POST", f"{url.path}motion", batch(1), of="127.0.0.2")
        check(status == 409 and "Another phone" in text, f"a second phone is refused: {text.strip()}")
        check(ask(address, path=f"{url.path}../../../etc/passwd")[0] in (400, 404), "there is nothing outside the page")

        # A page of another origin in a real browser: its request may leave, but nothing is taken.
        other = page.context.new_page()
        other.goto("data:text/html,<title>other</title>")
        answer = other.evaluate("""async (address) => {
          try { const answer = await fetch(address, { method: "POST", body: "x", mode: "no-cors" }); return answer.type; }
          catch (error) { return "" + error; } }""", f"{address}motion")
        other.close()
        before = len(process.lines)
        page.wait_for_timeout(1000)
        check(len(process.lines) - before > 40, f"the phone went on meanwhile ({len(process.lines) - before} samples in a second; other page: {answer})")
        check("lost" not in page.inner_text("#samples"), "and nothing was lost")
        check(page.problems == [], f"the page runs without errors {page.problems}")


def server_gone():
    arguments = ("stream", f"phone:browser?port=18443&token={TOKEN}", "--format", "ndjson")
    with chromium() as page:
        with motionctl(*arguments) as process:
            page.goto(address_of(process))
            phone = VirtualPhone(page)
            page.reload()
            send(page, phone)
        wait_for(lambda: "does not answer" in page.inner_text("#problem"), "the page says that the program is gone")
        check("samples wait" in page.inner_text("#state"), f"and: {page.inner_text('#state')}")
        picture(page, "phone-browser-gone")
        with motionctl(*arguments) as process:
            wait_for(lambda: page.inner_text("#state") == "Sending.", "the page goes on when the program is back", 15)
            wait_for(lambda: process.lines, "motion comes")
            check(page.inner_text("#problem") == "", "and has nothing to complain of")
        with motionctl(*arguments[:1], f"phone:browser?port=18443&token=x{TOKEN}", *arguments[2:]):
            wait_for(lambda: "scan its new code" in page.inner_text("#problem"), "with another token it says to scan the new code", 15)


def page_says_what_is_wrong():
    with motionctl("stream", "phone:browser?port=0", "--format", "ndjson") as process:
        address = address_of(process)
        with chromium(permissions=["accelerometer", "gyroscope"]) as page:
            page.goto(address)
            page.click("#start")
            wait_for(lambda: re.search("no gyroscope|sends no motion", page.inner_text("#problem")), "without sensors the page says so")
        with chromium() as page:
            page.add_init_script("DeviceMotionEvent.requestPermission = async () => 'denied';")
            page.goto(address)
            page.click("#start")
            wait_for(lambda: "denied" in page.inner_text("#problem"), "a denied permission is said, with the way out")
            picture(page, "phone-browser-denied")
        with chromium() as page:
            # The page as a user would get it over http from a computer of the network.
            page.route("http://phone.example/**", lambda route: route.fulfill(
                response=page.request.fetch(address + route.request.url.removeprefix("http://phone.example/"))))
            page.goto("http://phone.example/")
            page.click("#start")
            wait_for(lambda: "https" in page.inner_text("#problem"), "a page that is not secure says so")
        with chromium() as page:
            page.goto(address)
            phone = VirtualPhone(page)
            page.reload()
            send(page, phone)
            second = page.context.new_page()
            second.goto(address)
            phone = VirtualPhone(second)
            second.reload()
            second.bring_to_front()
            send(second, phone)
            page.bring_to_front()
            wait_for(lambda: "taken over" in page.inner_text("#problem"), "a page that another one has replaced says so")


def sleep_and_reload():
    with motionctl("stream", "phone:browser?port=0", "--format", "ndjson") as process, chromium() as page:
        page.goto(address_of(process))
        phone = VirtualPhone(page)
        page.reload()
        send(page, phone)
        wait_for(lambda: any("signs of the standard" in line for line in process.errors), "the program says that the phone sends")
        # The clock of the day jumps against that of the events, as after a sleep.
        page.evaluate("(() => { const now = Date.now; Date.now = () => now() + 60000; })()")
        page.wait_for_timeout(1500)
        before = len(process.lines)
        page.wait_for_timeout(1000)
        check(len(process.lines) - before > 40, "after a sleep the page goes on")
        check(page.inner_text("#problem") == "", "and has nothing to complain of")
        page.reload()
        wait_for(lambda: any("sent nothing" in line for line in process.errors), "the program says that the phone is silent")
        send(page, phone)
        wait_for(lambda: any("sends again" in line for line in process.errors), "and that it is back")
        stamps = [json.loads(line)["timestamp"] for line in list(process.lines)]
        check(all(a < b for a, b in zip(stamps, stamps[1:])), "time never goes back")
        process.terminate()
        process.wait(10)
        check(not any("lost" in line or "given up" in line for line in process.errors), f"nothing was lost: {process.errors[-3:]}")


def without_orientation():
    with motionctl("stream", "phone:browser?port=0", "--format", "ndjson") as process, chromium() as page:
        page.add_init_script("""const add = window.addEventListener.bind(window);
          window.addEventListener = (type, ...more) => type === "deviceorientation" ? undefined : add(type, ...more);""")
        page.goto(address_of(process))
        phone = VirtualPhone(page)
        page.reload()
        phone.hold(0.5)
        page.click("#start")
        wait_for(lambda: "face-up test" in page.inner_text("#state"), "without orientation events the page asks for the face-up test")
        page.wait_for_timeout(2000)
        check(process.lines == [], "without orientation events nothing is delivered before the face-up test")
        page.click("#face-up")
        wait_for(lambda: page.inner_text("#state") == "Sending.", "then the page sends")
        wait_for(lambda: process.lines, "and motion comes")
        gravity = json.loads(process.lines[-1])["gravity"]["z"]
        check(gravity < -0.999, f"the test has found the sign: gravity z {gravity:.3f}")
# Two seconds of waiting and one of the test.
        count = wait_for(lambda: len(process.lines) > 150 and len(process.lines), "what has waited is not lost", 1)
        check(count > 150, f"and what has waited is not lost ({count} samples at once)")


strangers()
without_orientation()
sleep_and_reload()
server_gone()
page_says_what_is_wrong()
