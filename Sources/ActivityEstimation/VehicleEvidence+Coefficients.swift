// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension VehicleEvidence.Coefficients {
  static let body = Self(
    means: [-3.456, 0.39, 0.6162, 0.4388, 0.7587, -2.806, 0.08725, 0.3045, 1.665],
    deviations: [1.171, 0.1431, 0.1116, 0.1649, 0.1677, 0.5904, 0.1533, 0.116, 0.1146],
    linear: [-2.091, 0.6099, 1.716, 2.568, -2.8, 3.683, 0.3967, 0.1206, -1.607],
    squares: [-1.296, -0.0624, 0.139, 0.5025, -0.4397, -1.134, -0.3477, -0.6183, -0.1493],
    constant: 2.669)
  static let wrist = Self(
    means: [-2.729, 0.4155, 0.6338, 0.4073, 0.7391, -2.279, 0.1706, 0.3106, 1.675],
    deviations: [1.18, 0.1535, 0.1145, 0.1657, 0.1533, 0.7571, 0.2382, 0.1238, 0.1215],
    linear: [-2.914, 0.9494, 1.553, 2.158, -2.313, -0.01975, -0.6554, 0.2378, -2.333],
    squares: [-1.845, 0.2141, 0.19, 0.4035, -0.2635, -1.913, -0.4487, -0.8277, -0.362],
    constant: 3.17)
}
