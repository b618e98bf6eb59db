// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Core Location's names for the numbers of CMOdometerData. That framework does not exist here; its four names are, so that
// code that spells them compiles. A module that brings the same aliases of Double does not make them ambiguous: two names for
// one type are one type to the compiler (G40).

/// Metres.
public typealias CLLocationDistance = Double
/// Metres, the radius of uncertainty; negative = not valid.
public typealias CLLocationAccuracy = Double
/// Metres per second.
public typealias CLLocationSpeed = Double
/// Metres per second, the uncertainty of a speed; negative = not valid.
public typealias CLLocationSpeedAccuracy = Double
