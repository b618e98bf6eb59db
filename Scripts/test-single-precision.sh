#!/bin/bash
# SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
# SPDX-License-Identifier: Apache-2.0

# The tests of the orientation filter with the package trait SinglePrecision (`Real = Float`): on simulated motion it has to follow
# the stored outputs of double precision within 0.01°, and to pass the tests against truth. The other suites demand more digits than
# a Float has.
set -euo pipefail
cd "$(dirname "$0")/.."

export OPENCOREMOTION_DEVELOP=OrientationFusionTests
options=(--traits SinglePrecision --scratch-path .build-single)
swift build "${options[@]}" --product OpenCoreMotionPackageTests
swift test "${options[@]}" --skip-build --filter 'OrientationFusionTests\.OrientationFilter(Golden|Law|Pose|Bias|Heading|Fault|Robustness|Stress|Travel|Vehicle|Smoothness)Tests/'
