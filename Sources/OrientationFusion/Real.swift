// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The numbers that the filter computes with, here in double precision.
//
// The filter is written once and compiled four times: in this module with `Double`, in `OrientationFusionFloat` with
// `Float`, and in `OrientationFusionLanes` and `OrientationFusionFloatLanes` with many numbers side by side, one per
// stream. Those modules hold symbolic links to the files of this one and a `Real.swift` of their own. Generics would do
// the same in one module, but an unspecialised generic costs ten times the time in a debug build, where tests run, and
// a name for a concrete type costs nothing anywhere.
//
// In the files that all four share, a condition on a number is a ``Mask``: a choice between numbers is written
// `select(condition, a, b)`, and `if any(condition)` stands before work that is rarely needed.

/// One number of the filter.
@usableFromInline package typealias Real = Double
/// Three numbers and a zero: what stands in the vector registers of one stream.
@usableFromInline package typealias Real3 = SIMD4<Double>
/// The four numbers of a quaternion.
@usableFromInline package typealias Real4 = SIMD4<Double>
/// The answer to a comparison of numbers.
@usableFromInline package typealias Mask = Bool
