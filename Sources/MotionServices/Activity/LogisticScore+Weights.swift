// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension LogisticScore {
  /// A run instead of a walk, for a device on the body.
  static let runningBody = LogisticScore(
    weights: [-2.255, 2.949, -0.527, 8.158, -0.875, 1.067, 0.132, 4.395, -9.732])
  /// Pedals instead of steps, for a device on the body.
  static let pedalling = LogisticScore(
    weights: [9.211, -15.551, -5.680, -16.003, -2.487, 10.056])
  /// A run instead of a walk, for a device on the wrist.
  static let runningWrist = LogisticScore(
    weights: [-2.141, 2.687, 0.033, 11.659, -9.291, 3.842, 11.067, 7.599, -15.119])
}
