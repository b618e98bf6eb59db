#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# Runs the tests: all, or what the arguments choose (as for `swift test`). When none has begun or ended for PATIENCE
# minutes (10), it names those that have not ended, and ends them. The limits of Swift Testing count the time in which
# a test waits for a thread, so on a busy computer they fail tests that have not run yet.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests --explicit-target-dependency-import-check error
events=$(mktemp)
{
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    [ -n "$(find "$events" -mmin +"${PATIENCE:-10}")" ] || continue
    echo "No test has begun or ended for ${PATIENCE:-10} minutes. These have not ended:" >&2
    sed -nE '/"test(Started|Ended)"/s/.*"testID":"([^"]*)".*/  \1/p' "$events" | sort | uniq -u >&2
    kill -INT $$
    break
  done
  rm "$events"
} &
exec swift test --skip-build --event-stream-version 0 --event-stream-output-path "$events" "$@"
