// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-activity.py. Do not edit.

extension VehicleEvidence.Coefficients {
  /// For a device on the body: right for 93 % of what people do, and 94 % of the rides.
  static let body = Self(
    means: [-3.542, 0.3887, 0.6122, 0.4428, 0.7674, -2.837, 0.08238, 0.3049, 1.664],
    deviations: [1.153, 0.1369, 0.106, 0.156, 0.1531, 0.5766, 0.1544, 0.1112, 0.1124],
    linear: [-2.254, 0.6451, 1.88, 2.714, -2.997, 4.007, -0.1084, 0.1717, -1.814],
    squares: [-1.466, -0.2629, 0.2149, 0.4529, -0.6666, -1.275, -0.7484, -0.543, -0.09098],
    constant: 3.369)
  /// For a device on the wrist: right for 95 % of what people do, and 96 % of the rides.
  static let wrist = Self(
    means: [-2.756, 0.404, 0.6388, 0.4086, 0.742, -2.28, 0.1675, 0.3149, 1.672],
    deviations: [1.191, 0.1507, 0.1193, 0.1669, 0.1454, 0.7611, 0.2383, 0.126, 0.1226],
    linear: [-3.638, 0.9515, 2.67, 3.375, -3.087, 0.5877, -2.241, 0.2231, -2.606],
    squares: [-1.83, 0.538, 0.03059, 0.7842, -0.3473, -2.411, -1.363, -1.026, -0.3484],
    constant: 3.069)
}
