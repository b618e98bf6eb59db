// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import OrientationFusion

// The orientation filter for eight streams side by side in double precision: the files of `OrientationFusion`, compiled
// with these names. See its `Real.swift`.

/// The number of one stream.
public typealias LaneNumber = Double
/// As many bits: what a comparison of such numbers gives.
typealias LaneBits = Int64
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
