// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import OrientationFusion

// The orientation filter in single precision: the files of `OrientationFusion`, compiled with these names. See its
// `Real.swift`. Half the memory and less time; the same accuracy to 0.01°. Readings come and the attitude goes in double
// precision, and time is counted in integers, so that only the arithmetic between is short.

/// One number of the filter.
@usableFromInline package typealias Real = Float
/// Three numbers and a zero.
@usableFromInline package typealias Real3 = FloatTriple
/// The four numbers of a quaternion.
@usableFromInline package typealias Real4 = FloatQuadruple
/// The answer to a comparison of numbers.
@usableFromInline package typealias Mask = Bool

extension OrientationFilter {
  /// What the user chooses: the same as in double precision.
  public typealias Parameters = OrientationFusion.OrientationFilter.Parameters
}

extension Scalar {
  static func sin(_ x: Real) -> Real { Real(sin(Double(x))) }
  static func cos(_ x: Real) -> Real { Real(cos(Double(x))) }
  static func atan2(_ y: Real, _ x: Real) -> Real { Real(atan2(Double(y), Double(x))) }
  static func exp(_ x: Real) -> Real { Real(exp(Double(x))) }
}
