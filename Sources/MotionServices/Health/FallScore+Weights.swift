// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0
//
// Written by Scripts/train-falls.py. Do not edit.

extension FallScore {
  static let trunk = FallScore(leastPeak: 1.6, constant: 0, slopes: .zero, knots: [], bends: [])
  static let wrist = FallScore(leastPeak: 1.8, constant: 0, slopes: .zero, knots: [], bends: [])
}
