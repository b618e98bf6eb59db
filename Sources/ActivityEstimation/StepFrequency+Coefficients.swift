// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension StepFrequency.Coefficients {
  static let trained = Self(
    half: -3.0416, step: 4.0449, oneAndHalf: 1.4577, strideSway: 4.0870, halfCorrelation: -2.9343,
    strideCorrelation: 5.6048, logarithm: -2.0072, square: -6.1122)
}
