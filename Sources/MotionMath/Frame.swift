// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A coordinate frame, as a type without values.
///
/// Every frame of the package is right-handed. A frame appears as a generic argument of ``Vector3`` and ``Rotation``,
/// so that adding a vector of one frame to a vector of another, or composing rotations whose middle frames differ, does
/// not compile. Frames cost nothing at run time.
public protocol Frame: Sendable {}

/// The frame fixed to the device.
///
/// Held upright in front of you: +x to the right edge, +y to the top edge, +z out of the screen towards you. It never
/// follows the rotation of the user interface.
public enum Device: Frame {}

/// The earth's frame inside the package: +x east, +y north, +z up.
///
/// North is magnetic north when a magnetometer is used. Without one the azimuth is not determined: +z is still up, and
/// "north" is an arbitrary horizontal direction that stays the same as long as the estimator runs.
public enum EastNorthUp: Frame {}

/// The frame of Core Motion's reference frames: +x north (or arbitrary), +y west, +z up.
public enum NorthWestUp: Frame {}

/// The frame of a sensor chip before a driver's axis map has been applied.
public enum Chip: Frame {}
