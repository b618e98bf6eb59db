// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import OrientationFusionFloat

// The orientation filter for sixteen streams side by side in single precision: the files of `OrientationFusion`, compiled
// with these names. See its `Real.swift`.

/// The number of one stream.
public typealias LaneNumber = Float
/// The numbers of all streams: as many as fit in the longest register of today, 64 bytes.
public typealias LaneNumbers = SIMD16<Float>
/// A time of each stream, ns.
public typealias LaneTimes = SIMD16<Int64>
/// Something else of each stream.
public typealias LaneArray<Element> = InlineArray<16, Element>
/// A bit for each stream.
public typealias LaneSetBits = UInt16
/// Times in seconds.
typealias LaneDoubles = SIMD16<Double>
/// As many bits: what a comparison of such numbers gives.
typealias LaneBits = SIMD16<Int32>
/// The filter of one stream.
typealias SingleFilter = OrientationFusionFloat.OrientationFilter
/// The numbers of sixteen streams.
@usableFromInline package typealias Real = Lanes
/// Three numbers of each.
@usableFromInline package typealias Real3 = LaneTriple
/// The four numbers of a quaternion of each.
@usableFromInline package typealias Real4 = LaneQuadruple
/// The answers to a comparison.
@usableFromInline package typealias Mask = LaneMask
