#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Runs the stress tests of the managers and the servers under the thread sanitizer (those of the filter use one thread); only their
# targets are built. A run without a single test counts as a failure: a filter that matches nothing would otherwise pass for ever.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
OPENCOREMOTION_DEVELOP=CoreMotionTests,LiveOutputTests TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}" \
  swift test --sanitize=thread --scratch-path .build-tsan --filter 'CoreMotionTests.*Stress|LiveOutputTests' 2>&1 | tee "$log"
if ! grep -qE 'Test run with [1-9][0-9]* tests?' "$log" && ! grep -qE 'Executed [1-9][0-9]* tests?' "$log"; then
  echo "No test whose name holds \"Stress\" has run." >&2
  exit 1
fi
