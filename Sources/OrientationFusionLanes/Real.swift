// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import OrientationFusion

// The orientation filter for eight streams side by side in double precision: the files of `OrientationFusion`, compiled
// with these names. See its `Real.swift`.

/// The number of one stream.
public typealias LaneNumber = Double
/// The numbers of all streams: as many as fit in the longest register of today, 64 bytes.
public typealias LaneNumbers = SIMD8<Double>
/// A time of each stream, ns.
public typealias LaneTimes = SIMD8<Int64>
/// Something else of each stream.
public typealias LaneArray<Element> = InlineArray<8, Element>
/// A bit for each stream.
public typealias LaneSetBits = UInt8
/// Times in seconds.
typealias LaneDoubles = SIMD8<Double>
/// As many bits: what a comparison of such numbers gives.
typealias LaneBits = SIMD8<Int64>
/// The filter of one stream.
typealias SingleFilter = OrientationFusion.OrientationFilter
/// The numbers of eight streams.
@usableFromInline package typealias Real = Lanes
/// Three numbers of each.
@usableFromInline package typealias Real3 = LaneTriple
/// The four numbers of a quaternion of each.
@usableFromInline package typealias Real4 = LaneQuadruple
/// The answers to a comparison.
@usableFromInline package typealias Mask = LaneMask
