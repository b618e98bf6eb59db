#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0
"""coremotion-check FOLDER: type-checks every Swift file of an app that imports Core Motion, on Linux, as it stands.

Says which modules are missing here and in which files, the errors that name a type of Core Motion, and all others. What the app itself
declares is looked up in its other files. Status 0: nothing is wrong but what needs a module that is not here; 1: there are errors; 2: it
cannot be checked.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SDK = pathlib.Path(__file__).resolve().parent
IMPORT = re.compile(r"(?:^|(?<=;))[ \t]*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|internal|package|fileprivate|private)\s+)?import[ \t]+"
                    r"(?:(?:struct|class|func|enum|let|var|protocol|typealias|actor)\s+)?([A-Za-z_]\w*)[\w.]*", re.M)  # fmt: skip
ELSEWHERE = re.compile(r"^[ \t]*#sourceLocation\([^)\n]*\)", re.M)
JOINED = re.compile(r"^[ \t]*(?:@\w+[ \t]+)*import\b[^\n/]*;[^\n/]*", re.M)
TESTABLE = re.compile(r"@testable\s+import\s+(\w+)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TYPE = re.compile(r"\b(?:class|struct|enum|protocol|actor|extension|typealias)\s+([A-Za-z_]\w*)")
DECLARATION = re.compile(r"(?<!private )\b(?:class|struct|enum|protocol|actor|typealias|func|var|let|case|macro)\s+`?([A-Za-z_]\w*)")
ERROR = re.compile(r"^(.*?):(\d+):(\d+): error: (.*)$", re.M)
PLACE = re.compile(r"^(.*?):(\d+):(\d+): (?:note|error): ", re.M)
# What the compiler does not find: a name, a member of a type; a name that it finds in a module, which hides the app's own.
UNKNOWN = re.compile(r"cannot find (?:type )?'(\w+)' in scope|no type named '(\w+)'")
MEMBER = re.compile(r"(?:value of type|type|instance of type) '(?:any |\[)?([\w.]+).*?' has no (?:dynamic )?member '(\w+)'")
HIDDEN = re.compile(r"'(\w+)' (?:initializer )?is inaccessible due to '\w+' protection level")
MISSING = re.compile(r"^no such module '(\w+)'$")
# What Apple's Foundation brings along, and no file names.
BROUGHT_ALONG = {
    "Combine": re.compile(r"'(?:ObservableObject|Published|AnyCancellable|AnyPublisher|PassthroughSubject|CurrentValueSubject)'"),
    "Objective-C (@objc, #selector)": re.compile(r"Objective-C|#selector|@objc|#keyPath|IBOutlet|IBAction|'autoreleasepool'"),
}
# Core Media has the same prefix.
MOTION = re.compile(r"\bCM(?!Time|Sample|Block|Buffer|Format|Video|Audio|Clock|Memory|Metadata|Sync|Text|Tag|Media|Closed|Muxed|Simple)[A-Z]\w+")


class CannotCheck(Exception):
    """With the sentence why."""


class Compiler:
    """The frontend of `swiftc`, with the modules of this SDK."""

    def __init__(self):
        try:
            run = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, encoding="utf-8", errors="replace")
        except FileNotFoundError as error:
            raise CannotCheck("There is no swiftc: install Swift (https://www.swift.org/install/linux/).") from error
        try:
            info = json.loads(run.stdout)
            self.version, resources = info["compilerVersion"], info["paths"]["runtimeResourcePath"]
        except (ValueError, KeyError, TypeError) as error:
            raise CannotCheck(f"swiftc does not say what it is: {(run.stderr or run.stdout).strip()[-200:]}") from error
        self.command = ["swiftc", "-frontend", "-typecheck", "-module-name", "Client", "-swift-version", "5", "-DDEBUG", "-suppress-warnings",
                        "-diagnostic-style=llvm", "-plugin-path", resources + "/host/plugins", "-I", str(SDK / "modules")]  # fmt: skip

    def errors(self, file, others=(), options=(), is_program=False):
        """Line, column and text of the errors in `file`, which `others` complete."""
        options = [*options, *([] if is_program or file.name == "main.swift" else ["-parse-as-library"])]
        try:
            run = subprocess.run([*self.command, *options, "-primary-file", file, *others],
                                 capture_output=True, encoding="utf-8", errors="replace", timeout=60)  # fmt: skip
        except subprocess.TimeoutExpired:
            return [(1, 1, "the compiler takes more than a minute")]
        found, known = [], {str(file), *map(str, others)}
        places = [place for place in PLACE.finditer(run.stderr) if place[1] in known]
        for error in ERROR.finditer(run.stderr):
            name, line, column, text = error.groups()
            # One in the expansion of a macro, or in a module, belongs to the file that the notes after it name first, or those before it last.
            if name not in known:
                place = next((place for place in places if place.start() > error.start()), (places or [(0, str(file), 1, 1)])[-1])
                text, (name, line, column) = f"{text} (in {os.path.basename(name)}:{line})", (place[1], place[2], place[3])
            if name == str(file):
                found.append((int(line), int(column), text))
        if run.returncode and not ERROR.search(run.stderr):
            return [(1, 1, "the compiler stops: " + "; ".join(re.findall("error: (.*)", run.stderr) or [run.stderr.strip()[-200:]]))]
        if not is_program and not others and any("not allowed at the top level" in text for _, _, text in found):
            return self.errors(file, options=options[:-1], is_program=True)
        return list(dict.fromkeys(found))

    def missing(self, modules, scratch):
        """Those of the modules that are not here."""
        probe = scratch / "probe.swift"
        tests = [f'#if !canImport({name})\n#error("no such module \'{name}\'")\n#endif\n' for name in sorted(modules)]
        probe.write_text("import CoreMotion\n" + "".join(tests))
        texts = [text for _, _, text in self.errors(probe)]
        others = [text for text in texts if not MISSING.match(text)]
        if others:
            made = (SDK / "compiler").read_text(encoding="utf-8").strip()
            if made == self.version:
                raise CannotCheck(f"These modules are made by “{made}”, the version of swiftc here, which does not read them: "
                                  f"{'; '.join(others[:3])}")  # fmt: skip
            raise CannotCheck(f"These modules are made by “{made}”; swiftc here is “{self.version}” and cannot read them ({others[0]}). "
                              f"Install that version, or add the package of OpenCoreMotion, which any compiler builds.")  # fmt: skip
        return {match[1] for match in map(MISSING.match, texts) if match}


class App:
    """A folder with Swift files: what they import and declare. A file is checked as a copy in which `#error` stands for missing imports."""

    def __init__(self, folder, scratch):
        self.compiler, self.folder, self.scratch = Compiler(), folder, scratch
        found, unreadable = [], []
        for parent, folders, names in os.walk(folder, onerror=unreadable.append):
            folders[:] = set(folders) - {".build"}
            found += [pathlib.Path(parent, name) for name in names if name.endswith(".swift") and name != "Package.swift"]
        if unreadable:
            raise unreadable[0]
        self.files = sorted(file for file in found if file.is_file())
        self.texts = {file: file.read_text(encoding="utf-8-sig", errors="replace") for file in self.files}
        bare = {file: COMMENT.sub("", text) for file, text in self.texts.items()}
        imports = {file: set(IMPORT.findall(text)) for file, text in bare.items()}
        self.types = {file: set(TYPE.findall(text)) for file, text in bare.items()}
        self.declaring = collections.defaultdict(list)
        for file in self.files:
            for name in set(DECLARATION.findall(bare[file])):
                self.declaring[name].append(file)
        self.clients = [file for file in self.files if "CoreMotion" in imports[file]]
        if not self.clients:
            raise CannotCheck(f"No Swift file in {folder} imports CoreMotion.")
        self.missing = self.compiler.missing(set().union(*imports.values()), scratch)
        # A module of the app is a folder of that name, of which no file imports it, and which exports something or is seen to be a module.
        testable = {name for text in bare.values() for name in TESTABLE.findall(text)}
        importing = collections.defaultdict(set)
        for file, name in ((file, name) for file in self.files for name in imports[file] & self.missing):
            importing[name].update(file.parents)
        self.own = {parent.name for file in self.files for parent in file.parents
                    if parent.name in self.missing and parent not in importing[parent.name]
                    and (parent.parent.name == "Sources" or parent.name in testable or re.search(r"\b(?:public|open|package)\b", bare[file]))}  # fmt: skip
        self.imports = {file: imports[file] & self.missing - self.own for file in self.files}
        self.copies = {file: self.copy(number, file) for number, file in enumerate(self.files)}

    def is_empty(self, file):
        """Whether conditions that Linux does not meet (`#if os(iOS)`) take away all but imports."""
        lines = [line for line in IMPORT.sub("", COMMENT.sub("", self.texts[file])).splitlines() if line.strip(" \t;")]
        lines = [line if re.match(r"\s*#(?:if|else|end)", line) else "#error(\"left\")" for line in lines]
        if not any("#if" in line for line in lines) or "#error(\"left\")" not in lines:
            return False
        (probe := self.copies[file].with_name("left.swift")).write_text("\n".join(lines), encoding="utf-8")
        return not self.compiler.errors(probe)

    def copy(self, number, file):
        def instead(match):
            name = match[1]
            return match[0] if name not in self.missing else "import Swift" if name in self.own else f"#error(\"no such module '{name}'\")"

        def alone(joined):
            return joined[0].replace(";", f'\n#sourceLocation(file: "{copy}", line: {joined.string.count(chr(10), 0, joined.start()) + 1})\n')

        folder = self.scratch / str(number)
        folder.mkdir()
        copy = folder / ("main.swift" if file.name == "main.swift" else f"{number}.swift")
        copy.write_text(IMPORT.sub(instead, JOINED.sub(alone, ELSEWHERE.sub("", self.texts[file]))), encoding="utf-8")
        return copy

    def target(self, file):
        """The files of its folder that is a target of a package, or lies in the app's."""
        top = next(p for p in file.parents if p.parent.name in ("Sources", "Tests") or self.folder in (p, p.parent))
        return [other for other in self.files if top in other.parents and other != file]

    def nearest(self, name, file, extending=None):
        """The file that declares a name and lies nearest; with `extending`, in that type."""
        found = [f for f in self.declaring.get(name, []) if f != file and (extending is None or extending in self.types[f])]
        return min(found, key=lambda f: (-len(os.path.commonpath([f, file])), len(f.parts), f), default=None)

    def check(self, file):
        """The modules that a file needs, and its errors that no missing module explains."""
        def errors_with(others, *options):
            return self.compiler.errors(self.copies[file], [self.copies[other] for other in others], options)

        # An expression with unknown names can take the compiler minutes, so its search is bounded while there are any.
        bound = "-solver-scope-threshold=20000"
        errors, others = errors_with([], bound), []
        for _ in range(8):
            texts = [text for _, _, text in errors]
            wanted = {self.nearest(a or b, file) for text in texts for a, b in UNKNOWN.findall(text)}
            wanted |= {self.nearest(name, file, type.split(".")[-1]) for text in texts for type, name in MEMBER.findall(text)}
            wanted |= {self.nearest(name, file) for text in texts for name in HIDDEN.findall(text)}
            new = sorted(wanted - {None, *others})
            if not new:
                break
            others += new
            errors = errors_with(others, bound)
        # What no name led to: an operator, a member of a type that is not named; the language of Swift 6.
        for options in ((), ("-swift-version", "6")):
            if errors and not any(MISSING.match(text) for _, _, text in errors):
                errors = min(errors, errors_with(self.target(file), *options), key=len)
        needed = {match[1] for _, _, text in errors if (match := MISSING.match(text))}
        errors = [error for error in errors if not MISSING.match(error[2])]
        motion = [error for error in errors if any(name not in self.declaring for name in MOTION.findall(error[2]))]
        rest = [error for error in errors if error not in motion]
        needed |= {module for module, names in BROUGHT_ALONG.items() if any(names.search(text) for _, _, text in rest)}
        if rest and not needed:
            needed = set().union(*(self.imports[other] for other in others))
        return needed, motion, [] if needed else rest


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        raise CannotCheck("coremotion-check FOLDER: type-checks the Swift files of an app that import Core Motion.")
    folder = pathlib.Path(sys.argv[1])
    if not folder.is_dir():
        raise CannotCheck(f"{folder} is no folder." if folder.exists() else f"There is no folder {folder}.")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            app = App(folder, pathlib.Path(scratch))
            verdicts = dict(zip(app.clients, pool.map(app.check, app.clients)))
            good = [file for file, verdict in verdicts.items() if not any(verdict)]
            empty = list(itertools.compress(good, pool.map(app.is_empty, good)))
        except KeyboardInterrupt:  # Without waiting for the compilers.
            for children in pathlib.Path("/proc/self/task").glob("*/children"):
                for child in children.read_text().split():
                    os.kill(int(child), signal.SIGKILL)
            shutil.rmtree(scratch, ignore_errors=True)
            os._exit(130)
    needing = collections.defaultdict(list)
    for file, (needed, _, _) in verdicts.items():
        for module in needed:
            needing[module].append(file)
    for module, files in sorted(needing.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{module} is not here: {len(files)} {'file' if len(files) == 1 else 'files'}", *files, sep="\n  ")
    for title, kind in (("Errors that name a type of Core Motion:", 1), ("Other errors:", 2)):
        lines = [f"{file}:{line}:{column}: {text}" for file in verdicts for line, column, text in verdicts[file][kind]]
        if lines:
            print(title, *lines, sep="\n  ")
    motion, rest = (sum(bool(verdict[kind]) for verdict in verdicts.values()) for kind in (1, 2))
    needed = sum(bool(verdict[0]) and not verdict[1] for verdict in verdicts.values())
    if empty:
        print("Nothing is left of these on Linux (#if):", *empty, sep="\n  ")
    others = sum(not verdict[1] and bool(verdict[2]) for verdict in verdicts.values())

    def count(number, one, many):
        return f"{number} {one if number == 1 else many}"

    print(f"{count(len(verdicts), 'file imports', 'files import')} Core Motion: {count(len(good), 'compiles', 'compile')}, "
          f"{count(needed, 'needs', 'need')} another module, {count(motion, 'has', 'have')} errors that name a CM… type, "
          f"{count(others, 'has', 'have')} others.", flush=True)  # fmt: skip
    return 1 if motion or rest else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        os._exit(130)
    except (CannotCheck, OSError) as why:
        print(f"{why.filename or 'The output'}: {why.strerror}." if isinstance(why, OSError) else why, file=sys.stderr, flush=True)
        os._exit(2)
