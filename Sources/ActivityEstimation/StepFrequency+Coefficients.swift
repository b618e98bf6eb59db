// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension StepFrequency.Coefficients {
  static let trained = Self(
    half: -3.0400, step: 4.0451, oneAndHalf: 1.4575, strideSway: 4.0872, halfCorrelation: -2.9336,
    strideCorrelation: 5.6040, logarithm: -2.0079, square: -6.1103)
}
