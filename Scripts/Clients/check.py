#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""check.py MODULES SOURCES FOLDER…: type-checks the files with `import CoreMotion` of each project below the folders. MODULES
holds what the build left; SOURCES is the folder with the C modules.

A file is checked as the compiler's primary file; the files of its project that declare what it misses are added as long as
they help, and what is wrong in them does not count. Imports of those others that no module answers are blanked in copies.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import project as projects

ERROR = re.compile(r"^(.*?):(\d+):(\d+): error: (.*)$", re.M)
UNKNOWN = re.compile(r"cannot find (?:type )?'(\w+)' in scope|no type named '(\w+)'")
MEMBER = re.compile(r"(?:value of type|type|instance of type) '(?:any |\[)?([\w.]+).*?' has no (?:dynamic )?member '(\w+)'")
# A module has a member of that name which the file cannot see; the project's own stands in another file, any of those that
# declare the name.
HIDDEN = re.compile(r"'(\w+)' is inaccessible due to '\w+' protection level")
NO_MODULE = re.compile(r"no such module '([\w.]+)'|[Uu]nable to resolve module dependency: '([\w.]+)'")
OBJECTIVE_C = re.compile(r"Objective-C|#selector|@objc|#keyPath|IBOutlet|IBAction|'@\w+' attribute")


class Checker:
    """Type-checks one file of a project with our modules."""

    def __init__(self, modules: pathlib.Path, sources: pathlib.Path, scratch: pathlib.Path):
        self.scratch = scratch
        self.available: dict[str, bool] = {}
        plugins = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/host/plugins"
        self.arguments = ["-plugin-path", str(plugins), "-I", str(modules), "-I", str(sources / "CoreMotionSubmodules")]
        for folder in sorted(sources.glob("C*/include")):
            self.arguments += ["-I", str(folder)]
        for module in sorted(modules.parent.glob("*.build/module.modulemap")):
            self.arguments += ["-Xcc", f"-fmodule-map-file={module}"]

    def errors(self, file: pathlib.Path, others: list[pathlib.Path]) -> list[str]:
        """The errors that the compiler reports in `file`."""
        mode = [] if file.name == "main.swift" else ["-parse-as-library"]
        command = ["swiftc", "-frontend", "-typecheck", "-module-name", "Client", "-swift-version", "5", "-DDEBUG",
                   "-enable-testing", "-suppress-warnings", "-diagnostic-style=llvm", *mode, *self.arguments,
                   "-primary-file", str(file), *map(str, others)]
        try:
            run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
        except subprocess.TimeoutExpired:
            return ["the compiler takes more than two minutes"]
        found = [e[3] for e in ERROR.findall(run.stderr) if e[0] == str(file)]
        missing = [e[3] for e in ERROR.findall(run.stderr) if e[0] != str(file) and NO_MODULE.search(e[3])]
        if run.returncode and not found and (missing or "error:" not in run.stderr):
            return [f"in another file: {m}" for m in missing] or ["the compiler stops: " + run.stderr.strip()[-200:]]
        return found

    def has(self, module: str) -> bool:
        if module not in self.available:
            probe = self.scratch / f"probe-{module}-{os.getpid()}.swift"
            probe.write_text(f"import {module}\n")
            self.available[module] = not self.errors(probe, [])
        return self.available[module]

    def copy(self, file: pathlib.Path, text: str | None = None) -> pathlib.Path:
        """The file in the scratch folder, without the imports that nothing answers."""
        text = projects.read(file) if text is None else text
        text = projects.IMPORT.sub(lambda m: m[0] if self.has(m[1]) else "", text)
        target = self.scratch / f"{abs(hash(str(file)))}" / file.name
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
        return target

    def check(self, project: projects.Project, file: pathlib.Path, text: str | None = None) -> tuple[list[str], list[str]]:
        """The errors in a file: those of the project itself, and the others. `text` stands for what is in the file."""
        whole = projects.read(file) if text is None else text
        modules = [m for m in dict.fromkeys(projects.IMPORT.findall(projects.COMMENTS.sub("", whole))) if not self.has(m)]
        third = [m for m in modules if m not in project.modules]
        # With the missing imports blanked, the rest of the file is checked all the same.
        primary = self.copy(file, text) if modules or text is not None else file
        others: list[pathlib.Path] = []
        errors = self.errors(primary, [])
        for _ in range(12):
            wanted = {project.declaring(n1 or n2, file) for e in errors for n1, n2 in UNKNOWN.findall(e)}
            wanted |= {project.declaring(m, file, t.split(".")[-1]) for e in errors for t, m in MEMBER.findall(e)}
            wanted |= {f for e in errors for n in HIDDEN.findall(e) for f in project.declarations.get(n, []) if f != file}
            new = [f for f in sorted(wanted - {None}) if f not in others]
            if not new:
                break
            trial = others + new
            found = self.errors(primary, [self.copy(f) for f in trial])
            if any(e.startswith(("the compiler", "in another")) for e in found):
                break
            others, errors = trial, found
        own = [e for e in errors for n in [UNKNOWN.search(e)] if n and (n[1] or n[2]) in project.declarations]
        return own, [f"no such module '{m}'" for m in third] + [e for e in errors if e not in own]


def cause(error: str) -> str:
    """An error, so that equal causes are equal."""
    if name := UNKNOWN.search(error):
        return f"name {name[1] or name[2]}"
    if member := MEMBER.search(error):
        return f"member {member[1]}.{member[2]}"
    if module := NO_MODULE.search(error):
        return f"module {module[1] or module[2]}"
    if OBJECTIVE_C.search(error):
        return "Objective-C (#selector, @objc, @IBOutlet)"
    return re.sub(r"'[^']{60,}'", "'…'", error)


def main() -> int:
    modules, sources, *folders = map(pathlib.Path, sys.argv[1:])
    all_projects = [projects.Project(p) for folder in folders for p in sorted(folder.iterdir()) if p.is_dir()]
    with tempfile.TemporaryDirectory() as name:
        checker = Checker(modules, sources, pathlib.Path(name))

        def verdict(item: tuple[projects.Project, pathlib.Path]) -> tuple:
            owner, file = item
            lifted = projects.lift(projects.read(file))
            return file, lifted is not None, *checker.check(owner, file, lifted)

        items = [(p, f) for p in all_projects for f in p.clients]
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
            verdicts = list(pool.map(verdict, items))
    return report(verdicts, len(all_projects))


def report(verdicts: list[tuple], count: int) -> int:
    kinds = collections.Counter()
    causes, sole = collections.Counter(), collections.Counter()
    lines = []
    for file, off, own, other in verdicts:
        compiles = not own and not other
        kinds["off" if off else "on"] += 1
        kinds["off good" if off else "good"] += compiles
        kinds["own only"] += bool(own) and not other
        found = {cause(e) for e in other}
        causes.update(found)
        if len(found) == 1:
            sole.update(found)
        reasons = "; ".join(sorted(found)) + ("; own: " + "; ".join(sorted(set(own))) if own else "")
        lines.append(f"{'compiles' if compiles else 'not'}\t{'off' if off else 'on'}\t{file}\t{reasons}")
    if path := os.environ.get("LIST"):
        pathlib.Path(path).write_text("".join(line + "\n" for line in lines))
    total = kinds["on"] + kinds["off"]
    print(f"{total} files with `import CoreMotion`, in {count} projects.")
    print(f"{kinds['on']} that nothing switches off: {kinds['good']} compile, {kinds['on'] - kinds['good']} do not.")
    print(f"{kinds['off']} that a condition switches off as a whole; with it lifted: {kinds['off good']} compile, "
          f"{kinds['off'] - kinds['off good']} do not.")
    print(f"{kinds['own only']} miss a name of their own project and nothing else.")
    print("\nWhat the others miss: files, of which it is the only cause")
    for name, files in causes.most_common(int(os.environ.get("CAUSES", "40"))):
        print(f"{files:6} {sole[name]:5}  {name}")
    minimum = int(os.environ.get("MINIMUM", "0"))
    if kinds["good"] < minimum:
        print(f"\nAt least {minimum} must compile.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
