#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The main job on the built-in simulated device, from a fresh clone: motion by motionctl, the same by an app's code, and a picture.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${SECONDS_OF_DEMO:-4}
picture=$PWD/.build/demo.svg
export OPENCOREMOTION_DEVELOP=${OPENCOREMOTION_DEVELOP:-1} MOTION_SOURCE=simulate:walk

cat <<TEXT
This demo needs no hardware: all motion comes from "walk", a simulated device in the hand of somebody who walks.
  1. It builds motionctl and an example program: about 2 minutes the first time on two cores, seconds afterwards.
  2. motionctl prints device motion for $seconds s.
  3. Examples/Sources/MotionPrinter, written for Apple's Core Motion, prints the same for 2 s.
  4. motionctl draws 20 s of motion as a picture, and what the viewer's page needs is fetched, 861 kB.

TEXT
for product in motionctl MotionPrinter; do swift build --product "$product"; done
programs=$(swift build --show-bin-path)

echo
echo "== motionctl stream: device motion for $seconds s =="
"$programs/motionctl" stream --rate 5 --for "$seconds" --frame magnetic
echo
echo "== An app's code, unchanged: Examples/Sources/MotionPrinter =="
"$programs/MotionPrinter" 2
echo
echo "== motionctl plot: 20 s of motion as a picture =="
"$programs/motionctl" plot "$MOTION_SOURCE" --for 20 --frame magnetic --output "$picture"
echo
Scripts/viewer-assets.sh || echo "motionctl view needs two libraries: Scripts/viewer-assets.sh fetches them."
echo "Look at the picture: $picture"
echo "See it move in the browser: $programs/motionctl view $MOTION_SOURCE"
