#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Builds the page that shows the attitude in a phone's browser without any server, into .build-web/attitude: layer 0 and
# BrowserSigns as Embedded Swift for WebAssembly (the stock toolchain has the target and wasm-ld), and the files of
# Documentation/Web/attitude. `--check` also builds the same code for this machine and compares both in Node, reading by reading.
set -euo pipefail
cd "$(dirname "$0")/.."

output=.build-web
site=$output/attitude
limit=57000 # bytes of attitude.wasm
shared="Sources/NetworkSources/Browser/BrowserReading.swift Sources/NetworkSources/Browser/BrowserSigns.swift Scripts/Web/FilterExports.swift"
features=(-swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -package-name OpenCoreMotion -parse-as-library -wmo)

# compile FOLDER NAME SOURCES… : one module, with the options in `options`.
compile() {
  local folder=$1 name=$2
  shift 2
  swiftc "${features[@]}" "${options[@]}" -I "$folder" -module-name "$name" \
    -emit-module-path "$folder/$name.swiftmodule" -c -o "$folder/$name.o" "$@"
}

# modules FOLDER MORE… : layer 0, then what stands on it.
modules() {
  local folder=$1 module
  shift
  mkdir -p "$folder"
  for module in MotionMath OrientationFusion; do
    # shellcheck disable=SC2046
    compile "$folder" "$module" $(find "Sources/$module" -name '*.swift' | LC_ALL=C sort)
  done
  # shellcheck disable=SC2086
  compile "$folder" AttitudePage $shared "$@"
}

# Without a stack protector, which would be a call into a library; memory is copied by WebAssembly's own instruction.
options=(-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -Osize -Xfrontend -disable-stack-protector
  -Xcc -mbulk-memory -Xcc -msimd128 -Xllvm -inline-threshold=-10)
modules "$output/wasm"
mkdir -p "$site"
wasm-ld --no-entry --gc-sections --strip-all --allow-undefined -O3 --compress-relocations -z stack-size=65536 \
  --initial-memory=196608 --export=__heap_base -o "$site/attitude.wasm" "$output"/wasm/*.o
cp Documentation/Web/attitude/* Sources/NetworkSources/Browser/Page/motion.js "$site/"
chmod 644 "$site"/*
size=$(wc -c <"$site/attitude.wasm")
echo "attitude.wasm: $size bytes, $(gzip -9c "$site/attitude.wasm" | wc -c) with gzip; the page: $site/index.html"
if [ "$size" -gt "$limit" ]; then
  echo "attitude.wasm is larger than $limit bytes." >&2
  exit 1
fi

if [ "${1:-}" = --check ]; then
  if ! command -v node >/dev/null; then
    echo "Node is missing, with which the numbers are compared: apt-get install nodejs." >&2
    exit 75
  fi
  options=(-O)
  modules "$output/native" Scripts/Web/SimulatedMotion.swift
  swiftc "$output"/native/*.o -lm -o "$output/native/simulated-motion"
  "$output/native/simulated-motion" >"$output/native/readings.txt"
  node Scripts/Web/compare-filter.mjs "$site" "$output/native/readings.txt"
fi
