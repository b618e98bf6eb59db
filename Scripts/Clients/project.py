# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

"""The Swift files of one client project: which import Core Motion, which are switched off as a whole, and which file declares
a name."""

import collections
import functools
import pathlib
import re

IMPORT = re.compile(r"^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:public|internal|package|fileprivate|private)\s+)?import\s+"
                    r"(?:(?:struct|class|func|enum|let|var|protocol|typealias|actor)\s+)?([A-Za-z_]\w*)", re.M)
DECLARATION = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias|func|var|let|case|macro)\s+`?([A-Za-z_]\w*)")
EXTENSION = re.compile(r"\bextension\s+([A-Za-z_]\w*)")
COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# Conditions that no file on Linux meets, as long as nothing negates them.
APPLE_ONLY = re.compile(r"os\((?:iOS|watchOS|macOS|tvOS|visionOS)\)|targetEnvironment\(|canImport\(\w+\)")


def read(file: pathlib.Path) -> str:
    return file.read_text(errors="replace")


def lift(text: str) -> str | None:
    """A file that a condition switches off as a whole outside Apple's systems, with the condition lifted; else None."""
    depth, lifted, found = 0, [], False
    in_comment = False
    for line in text.splitlines():
        code = line.strip()
        if in_comment:
            in_comment = "*/" not in code
            code = ""
        elif code.startswith("/*"):
            in_comment = "*/" not in code
            code = ""
        if code.startswith("#if"):
            if depth == 0 and APPLE_ONLY.search(code) and "os(Linux)" not in code and "!" not in code:
                found = found or "canImport(CoreMotion)" != code[3:].strip()
                line = "#if true"
            depth += 1
        elif code.startswith("#endif"):
            depth -= 1
        elif depth == 0 and code and not code.startswith(("//", "import ", "@preconcurrency import", "@testable import")):
            return None
        lifted.append(line)
    return "\n".join(lifted) + "\n" if found else None


class Project:
    """A folder with Swift files."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.files = sorted(f for f in folder.rglob("*.swift") if f.is_file() and not f.is_symlink())

    @functools.cached_property
    def clients(self) -> list[pathlib.Path]:
        """The files that import Core Motion."""
        return [f for f in self.files if f.name != "Package.swift" and "CoreMotion" in IMPORT.findall(read(f))]

    @functools.cached_property
    def declarations(self) -> dict[str, list[pathlib.Path]]:
        """The files that declare a name, with a line that begins at most eight columns in for members."""
        found = collections.defaultdict(list)
        for file in self.files:
            text = COMMENTS.sub("", read(file))
            for name in set(DECLARATION.findall(text)):
                found[name].append(file)
        return found

    @functools.cached_property
    def modules(self) -> set[str]:
        """The names of folders, any of which may be a module of the project: `import` of one of them looks into the project."""
        return {part for f in self.files for part in f.relative_to(self.folder.parent).parts[:-1]} | {
            self.folder.name.split("+")[-1]}

    @functools.cached_property
    def extensions(self) -> dict[pathlib.Path, set[str]]:
        """The types that a file extends."""
        return {file: set(EXTENSION.findall(COMMENTS.sub("", read(file)))) for file in self.files}

    def declaring(self, name: str, near: pathlib.Path, extending: str | None = None) -> pathlib.Path | None:
        """The file that declares `name` and lies nearest to `near`; with `extending`, in an extension of that type."""
        candidates = [f for f in self.declarations.get(name, []) if f != near]
        if extending is not None:
            candidates = [f for f in candidates if extending in self.extensions[f] | self.types(f)]

        def distance(file: pathlib.Path) -> int:
            common = sum(1 for _ in pathlib.Path(file).parts if _ in near.parts)
            return len(file.parts) + len(near.parts) - 2 * common

        return min(candidates, key=lambda f: (distance(f), str(f)), default=None)

    @functools.lru_cache(maxsize=None)
    def types(self, file: pathlib.Path) -> frozenset[str]:
        return frozenset(re.findall(r"\b(?:class|struct|enum|protocol|actor)\s+([A-Za-z_]\w*)", read(file)))
