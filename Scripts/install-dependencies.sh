#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Makes sure that what the build needs beside Swift is there. Says nothing when it is; otherwise names the missing Debian
# packages, asks, and installs them: without a question where CI is set (not to 0 or false), and not at all without a terminal to ask at.
# Each package is probed by the file it brings, not by the package database, so that a system which has the file from
# elsewhere is left alone. `cross`: also what builds for and runs ARM; `pip`: also what fetches the viewer's libraries.
set -euo pipefail

missing=()

# Notes a package as missing unless the test after its name succeeds.
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}

has_header() { [ -e "/usr/include/$1" ] || compgen -G "/usr/include/*-linux-gnu*/$1"; }
has_library() { compgen -G "/usr/lib/*-linux-gnu*/$1" || compgen -G "/usr/lib64/$1" || compgen -G "/usr/lib/$1"; }

if [ "$(uname -s)" != Linux ]; then
  echo "OpenCoreMotion is for Linux; on $(uname -s) use the system's own Core Motion." >&2
  exit 1
fi

need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt # SwiftPM fetches the dependencies over https
need git command -v git
need gzip command -v gzip           # some tests read compressed recordings
need make command -v make
need pkg-config command -v pkg-config
need binutils command -v ld
need libc6-dev has_header stdio.h
need libstdc++-12-dev compgen -G '/usr/include/c++/*' # Foundation links against it
need zlib1g-dev has_header zlib.h   # compressed recordings
need libsqlite3-dev has_header sqlite3.h # the history
need python3 command -v python3     # make lint checks references with it
need tzdata test -d /usr/share/zoneinfo
# What the Swift tools themselves load.
need libcurl4 has_library 'libcurl.so.4*'
need libncurses6 has_library 'libncurses.so.6*'
need libsqlite3-0 has_library 'libsqlite3.so.0*'
need libxml2 has_library 'libxml2.so.*'
[ "${1:-}" != pip ] || need python3-pip python3 -m pip --version
if [ "${1:-}" = cross ]; then
  need gcc-aarch64-linux-gnu command -v aarch64-linux-gnu-gcc
  need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdlib.h
  need qemu-user-static command -v qemu-aarch64-static
  need qemu-system-arm command -v qemu-system-arm
fi

if [ ${#missing[@]} -gt 0 ]; then
  run_as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    run_as_root=(sudo)
    [ -t 0 ] || run_as_root=(sudo -n) # nobody is there to type a password
  fi
  if ! command -v apt-get >/dev/null || { [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; }; then
    echo "These packages (Debian names) are missing, and there is no apt-get with root rights to install them:" \
      "${missing[*]}. Install them and run the command again." >&2
    exit 1
  fi
  install=(env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}")
  echo "Missing Debian packages: ${missing[*]}"
  if [[ ${CI:-0} =~ ^(0|[Ff]alse|FALSE|no)$ ]]; then
    answer=
    [ ! -t 0 ] || read -rp "Install them with ${run_as_root[*]:+sudo }apt-get? [y/N] " answer || true
    if [[ $answer != [yY]* ]]; then
      echo "Nothing was installed. Run it by hand: ${run_as_root[*]:+sudo }apt-get install ${missing[*]} (with CI=1 it is run for you)." >&2
      exit 1
    fi
  fi
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  if ! { "${run_as_root[@]}" apt-get update && "${run_as_root[@]}" "${install[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "Installing them failed (the end of apt-get's output is above). Install by hand: ${missing[*]}" >&2
    exit 1
  fi
fi

if ! command -v swift >/dev/null; then
  echo "Swift is missing: install Swift 6.3 or later from https://www.swift.org/install/linux/ and run the command again." >&2
  exit 1
fi
