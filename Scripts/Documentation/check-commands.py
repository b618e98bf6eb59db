#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""Runs every command line and type-checks every Swift snippet of README.md, the examples' README and the DocC catalogue.

  Scripts/Documentation/check-commands.py [--only TEXT] [--verbose]

Command lines are those of ```sh blocks. Each runs in a folder of its own that holds the files that the documentation names, but for the one that
it writes; with motionctl (MOTIONCTL, else the release build) first in PATH and a simulated walk as MOTION_SOURCE, so a command without a source finds one. A command passes when it ends with 0, or when
it still runs after a few seconds and ends by Ctrl-C with 0 or 130. What names hardware, or a date, may end with a sentence and status 1,
because CI has neither; programs of the reader (`MyProgram`) are a compiled example. `sudo`, `apt-get`, `swift test`, those of the SDK and of the C library are only
parsed by the shell (other steps of CI run the tests, `make test-package` the SDK, `make library` the other), `make TARGET` has to exist. ```swift blocks are compiled with warnings as errors; a fragment takes its
surroundings from SURROUNDINGS, by the words that it begins with. Output of programs and files stand in ```text, ```json and ```yaml.
Needs the debug build of the package (`swift build --build-tests`) and the release build of motionctl.
"""

import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "Sources/CoreMotion/CoreMotion.docc"
ABSENT = re.compile(r"\b(iio|evdev|airpods|headtracker|phone):|doctor|--from \d{4}-|systemctl|motionctl history(?!.*--store)")
# Seconds until Ctrl-C, and from there until it counts as hanging.
PATIENCE, LAST_PATIENCE = 4, 10
# Most of the time is waiting, so many run at a time; but one at a time of those that want the same port.
AT_A_TIME, LISTENING, PORT = 8, re.compile(r"--to foxglove|phone:"), threading.Lock()
SOURCE = "simulate:walk?duration=2"

# What a reader has where he types the commands, made by motionctl itself.
FIXTURES = [
    "record 'simulate:walk?speed=max&duration=100' -o walk.mcap",
    "record 'simulate:headNod?speed=max&duration=20' -o head.mcap",
    "record 'simulate:dive?speed=max&duration=60' -o dive.mcap",
    "record 'simulate:stairs?speed=max&duration=60' -o stairs.mcap",
    "history record 'simulate:walk?speed=max&duration=600' --store walk.sqlite",
    "history record 'simulate:walk?speed=max&duration=600' --store day.sqlite",
    "convert walk.mcap monday.mcap",
    "convert walk.mcap tuesday.mcap",
    "convert walk.mcap walk.ndjson",
    "calibrate gyro 'simulate:rest?errors=phone&speed=max' --output phone.json",
]

# The beginning of a fragment, and what stands before and after it so that it compiles.
MOTION = "import CoreMotion\nfunc example(motion: CMDeviceMotion, newer: CMDeviceMotion, attitude: CMAttitude, straightAhead: CMAttitude, manager: CMMotionManager) {\n"
TESTING = "import CoreMotion\nimport MotionTesting\nstruct Counter: Sendable { var steps = 0 }\n@MainActor func example(device: TestDevice, counter: Counter) async throws {\n"
HOST = "import CoreMotion\nimport MotionHost\nimport MotionSensing\nimport MotionRecording\nimport SimulatedSources\nfunc example() async throws {\n"
SURROUNDINGS = [
    ("let m = motion", MOTION, "_ = inReferenceFrame\n}"),
    ("let neutral", MOTION, "}"),
    ("attitude.multiply", MOTION, "}"),
    ("manager.startAccelerometerUpdates", MOTION, "}"),
    ("let entry = try SourceCatalog", HOST, "}"),
    ("let host = MotionHost", HOST, "}"),
    ("await device.advance", TESTING, "}"),
    ("await device.deny", TESTING, "}"),
    ("let upright", TESTING, "}"),
    ("private let device", "import CoreMotion\nimport MotionTesting\nimport XCTest\nfinal class ExampleTests: XCTestCase {\n", "}"),
    ("@MainActor @Test func", "import CoreMotion\nimport MotionTesting\nimport Testing\n@testable import Gestures\n", ""),
    (".product(", "import PackageDescription\nlet package = Package(name: \"P\", targets: [.target(name: \"T\", dependencies: [\n", "])])"),
    (".package(", "import PackageDescription\nlet package = Package(name: \"P\", dependencies: [\n", "])"),
    (".target(", "import PackageDescription\nlet package = Package(name: \"P\", targets: [\n", "])"),
    ("dependencies:", "import PackageDescription\nlet package = Package(name: \"P\",\n", ")"),
    ("// Package.swift", "import PackageDescription\nlet package = Package(name: \"P\",\n", ")"),
]


def blocks(path):
    """Language, first line and text of each fenced block."""
    language = None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("```"):
            if language is None:
                language, first, text = line[3:].strip() or "none", number + 1, []
            else:
                yield language, first, text
                language = None
        elif language is not None:
            text.append(line)


def commands(first, text):
    """Command lines with their line numbers; a backslash joins, a comment ends."""
    joined = ""
    for offset, line in enumerate(text):
        joined += line
        if joined.endswith("\\"):
            joined = joined[:-1]
            continue
        command = re.sub(r"(^|\s)#(?!\d).*$", "", joined).strip()
        joined = ""
        if command:
            yield first + offset, command


class Sandbox:
    """The files that the commands name, and the programs that they run."""

    def __init__(self, folder, motionctl, program):
        self.fixtures, tools = (pathlib.Path(folder) / name for name in ("fixtures", "tools"))
        for place in (self.fixtures, tools):
            place.mkdir()
        self.tool(tools / "motionctl", f'exec "{motionctl}" "$@"')
        self.tool(self.fixtures / "MyProgram", f'exec "{program}" 1')
        self.tool(self.fixtures / "my-program", f'exec "{program}" 1')
        # `swift run` in a checkout runs what is built already.
        self.tool(tools / "swift", f'''while [ $# -gt 0 ]; do case $1 in
  motionctl) shift; exec "{motionctl}" "$@";;
  MyProgram|MotionPrinter) exec "{program}" 1;;
esac; shift; done; exec "{program}" 1''')
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "MOTION_SOURCE": SOURCE,
                            "MOTION_HEADPHONES": "simulate:headphones?duration=2", "HOME": str(folder), "BROWSER": "true"}  # fmt: skip
        # The libraries of the viewer's page, fetched once.
        viewer = ROOT / ".build/viewer"
        subprocess.run([ROOT / "Scripts/viewer-assets.sh", viewer], check=True)
        self.environment["MOTION_VIEWER"] = str(viewer)
        for name in ("MOTION_MEMORY", "MOTION_CALIBRATION", "MOTION_LOCATION", "MOTION_STORE", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            self.environment.pop(name, None)

    @staticmethod
    def tool(path, script):
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def make_fixtures(self):
        """The files that the documentation names; why not, if not."""
        shutil.copy(ROOT / "Examples/Recordings/walk-phone.csv", self.fixtures / "walk.csv")
        for fixture in FIXTURES:
            output, status = self.run("motionctl " + fixture, self.fixtures)
            if status != 0:
                return f"motionctl {fixture}: {output}"
        shutil.copytree(ROOT / "Examples/Recordings", self.fixtures / "Examples/Recordings")
        killed = (self.fixtures / "walk.mcap").read_bytes()
        (self.fixtures / "killed.mcap").write_bytes(killed[: len(killed) * 2 // 3])
        # A zip as Sensor Logger writes it: ns, s, z, y, x.
        with zipfile.ZipFile(self.fixtures / "walk.zip", "w") as archive:
            archive.writestr("Metadata.csv", "version,platform\n3,android\n")
            for name, (x, y, z) in {"TotalAcceleration": (0, 0, 9.81), "Gyroscope": (0, 0, 0.1)}.items():
                rows = (f"{1_700_000_000_000_000_000 + 10_000_000 * k},{0.01 * k},{z},{y},{x}" for k in range(500))
                archive.writestr(f"{name}.csv", "\n".join(["time,seconds_elapsed,z,y,x", *rows, ""]))
        return None

    def begin(self, command, folder):
        """The files in a fresh folder, without what the command writes."""
        shutil.copytree(self.fixtures, folder, dirs_exist_ok=True)
        words = shlex.split(command)
        written = [words[k + 1] for k, word in enumerate(words[:-1]) if word in ("-o", "--output")]
        if {"convert", "cut"} & set(words):
            written += [word for word in words if re.search(r"\.\w+$", word)][1:2]
        for name in written:
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
            (folder / name).unlink(missing_ok=True)

    def run(self, command, folder):
        """Status and output; Ctrl-C after some seconds."""
        process = subprocess.Popen(
            ["bash", "-c", command], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)  # fmt: skip
        try:
            output, _ = process.communicate(timeout=PATIENCE)
            return output, process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGINT)
        try:
            output, _ = process.communicate(timeout=LAST_PATIENCE)
            return output, 0 if process.returncode in (0, 130, -signal.SIGINT) else process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            return output, "hangs after Ctrl-C"

    def complaint(self, command):
        """Why a command line of the documentation is wrong; nothing when it is right."""
        if re.search(r"\b(sudo|apt-get|docker|podman)\b|coremotion-check|coremotion\.rsp|ocm-device|arm-none-eabi|qemu-system-arm|\./example|tar -xzf libopencoremotion|^MOTION_SOURCE=\S+ \./app|^(git clone|cd|export|source)\b|\bswift (test|build)\b", command):
            status = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
            return status.stderr if status.returncode else ""
        if match := re.match(r"(?:\w+=\S+ )*make ([\w-]+)", command):
            status = subprocess.run(["make", "-n", match[1]], cwd=ROOT, capture_output=True, text=True, check=False)
            return "" if status.returncode == 0 else f"make has no target {match[1]}"
        if match := re.match(r"([A-Z]\w+/\S+\.(?:sh|py))", command):
            return "" if os.access(ROOT / match[1], os.X_OK) else f"{match[1]} is no program"
        with tempfile.TemporaryDirectory() as folder, PORT if LISTENING.search(command) else contextlib.nullcontext():
            self.begin(command, pathlib.Path(folder))
            output, status = self.run(command, folder)
        if ABSENT.search(command):
            if status not in (0, 1) or not output.strip():
                return f"it ends with {status}, not with 1 and a sentence:\n{output}"
            return ""
        return "" if status == 0 else f"status {status}:\n{output[-1500:]}"


class Compiler:
    """Type-checks snippets against the modules of the debug build."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        products = pathlib.Path(subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True).strip())
        maps = sorted(products.glob("*.build/module.modulemap"))
        self.options = ["-I", products / "Modules", "-I", ROOT / "AddOns/CZlib", "-I", ROOT / "AddOns/CSQLite"]
        self.options += ["-I", ROOT / "Sources/CoreMotionSubmodules", "-I", self.folder]
        for module_map in maps:
            self.options += ["-Xcc", f"-fmodule-map-file={module_map}"]
        toolchain = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent
        self.manifest = ["-I", toolchain / "lib/swift/pm/ManifestAPI"]
        self.compile(["-emit-module", "-module-name", "Gestures", "-enable-testing", "-emit-module-path", self.folder / "Gestures.swiftmodule"],
                     *sorted((ROOT / "Examples/MotionTestingExample/Sources/Gestures").glob("*.swift")))  # fmt: skip

    def compile(self, options, *files):
        command = ["swiftc", *options, *self.options, "-swift-version", "5", *files]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)

    def complaint(self, text):
        source = "\n".join(text)
        stripped = source.lstrip()
        if stripped.startswith("// swift-tools-version"):
            return ""  # A whole manifest: `make client` builds its package.
        before, after = next(((b, a) for start, b, a in SURROUNDINGS if stripped.startswith(start)), ("", ""))
        if not before and not re.search(r"^import ", source, re.M):
            return "no surroundings for this fragment in SURROUNDINGS"
        name = "Snippet.swift" if "@Test" in source or "XCTest" in before else "main.swift"
        options = ["-typecheck", "-warnings-as-errors"] + (self.manifest + ["-package-description-version", "6.1"] if "PackageDescription" in before else [])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, name)
            file.write_text(f"{before}{source}\n{after}\n")
            done = self.compile(options, file)
        return re.sub(r"^.*?(?=error:|warning:)", "", done.stderr, flags=re.M) if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the command lines and files that hold this text")
    parser.add_argument("--verbose", action="store_true", help="print each as it runs")
    options = parser.parse_args()
    motionctl = pathlib.Path(os.environ.get("MOTIONCTL") or ROOT / ".build/release/motionctl").resolve()
    program = ROOT / ".build/debug/MotionPrinter"
    for needed in (motionctl, program):
        if not needed.exists():
            sys.exit(f"{needed} is missing; make docs-commands builds it.")
    files = [ROOT / "README.md", ROOT / "Examples/README.md", *sorted(CATALOGUE.glob("*.md"))]
    failures, counts, tried = 0, {"sh": 0, "swift": 0}, []
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as modules,
        concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool,
    ):
        sandbox, compiler = Sandbox(folder, motionctl, program), Compiler(modules)
        if complaint := sandbox.make_fixtures():
            sys.exit(f"The files for the commands cannot be made: {complaint}")
        for path in files:
            for language, first, text in blocks(path):
                units = commands(first, text) if language == "sh" else [(first, text)] if language == "swift" else []
                if language == "none":
                    print(f"{path.relative_to(ROOT)}:{first}: say what is in this block: sh, swift, text …", file=sys.stderr)
                    failures += 1
                for number, unit in units:
                    shown = unit if language == "sh" else "\n".join(unit)
                    if options.only not in f"{path} {shown}":
                        continue
                    counts[language] += 1
                    place = f"{path.relative_to(ROOT)}:{number}"
                    tried.append((place, shown, pool.submit((sandbox if language == "sh" else compiler).complaint, unit)))
        for place, shown, outcome in tried:
            complaint = outcome.result()
            if options.verbose or complaint:
                print(f"{place}: {'FAILED' if complaint else 'ok'}: {shown.splitlines()[0]}", flush=True)
            if complaint:
                failures += 1
                print("    " + complaint.strip().replace("\n", "\n    "))
    print(f"{counts['sh']} command lines, {counts['swift']} Swift snippets: {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
