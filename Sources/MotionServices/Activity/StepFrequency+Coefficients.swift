// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension StepFrequency.Coefficients {
  static let trained = Self(
    step: 5.8407,
    double: -1.8145,
    half: -1.4248,
    strideSway: 3.2305,
    stepSway: -1.1787,
    stepCorrelation: 0.5104,
    strideCorrelation: 4.6902,
    strength: 2.3931,
    logarithm: -1.5188,
    square: -8.4203)
}
