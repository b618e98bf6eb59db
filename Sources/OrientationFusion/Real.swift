// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One number of the filter.
@usableFromInline package typealias Real = Double
/// Three numbers and a zero: what stands in the vector registers of one stream.
@usableFromInline package typealias Real3 = SIMD4<Double>
/// The four numbers of a quaternion.
@usableFromInline package typealias Real4 = SIMD4<Double>
/// The answer to a comparison of numbers.
@usableFromInline package typealias Mask = Bool
