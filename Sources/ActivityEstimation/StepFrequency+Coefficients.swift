// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension StepFrequency.Coefficients {
  static let trained = Self(
    step: 5.6148,
    double: -1.7418,
    half: -1.9250,
    strideSway: 2.8485,
    stepSway: -2.0716,
    stepCorrelation: 0.6406,
    strideCorrelation: 5.4183,
    strength: 2.7831,
    logarithm: -1.0750,
    square: -8.1381)
}
