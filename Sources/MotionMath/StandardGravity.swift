// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The conventional value of free fall on the earth, m/s² (3rd General Conference on Weights and Measures, 1901): one g.
///
/// The only definition in the package. Foundation's `UnitAcceleration.gravity` uses 9.81: never convert through it.
public let standardGravity = 9.80665
