// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Elementary functions of one real number, in radians, the same to the last bit on every machine.
///
/// The functions of a C library differ in the last bit from machine to machine, and a filter feeds its output back: a
/// bit grows. These consist of +, −, ×, ÷ and √ in a fixed order, which IEEE 754 fixes to the bit. An error is below
/// one unit in the last place (below 0.8 of it in a million trials). Zeros, infinities and NaN are as in IEEE 754,
/// section 9.2.
public enum Scalar {}

/// The conventional value of free fall on the earth, m/s² (3rd General Conference on Weights and Measures, 1901): 1 g.
///
/// The only definition in the package. Foundation's `UnitAcceleration.gravity` uses 9.81: never convert through it.
public let standardGravity = 9.80665
