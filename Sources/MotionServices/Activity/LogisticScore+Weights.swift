// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension LogisticScore {
  /// A run instead of a walk, for a device on the body.
  static let runningBody = LogisticScore(
    weights: [-2.255, 2.951, -0.527, 8.141, -0.867, 1.064, 0.134, 4.399, -9.723])
  /// Pedals instead of steps, for a device on the body.
  static let pedalling = LogisticScore(
    weights: [9.205, -15.549, -5.676, -15.993, -2.489, 10.059])
  /// A run instead of a walk, for a device on the wrist.
  static let runningWrist = LogisticScore(
    weights: [-2.141, 2.687, 0.033, 11.659, -9.291, 3.842, 11.067, 7.599, -15.119])
}
