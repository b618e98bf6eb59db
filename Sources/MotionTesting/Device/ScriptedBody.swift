// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(OpenCoreMotion) public import CoreMotion
public import Foundation
import MotionMath
public import MotionSensing

/// A body for `CMMotionManager.deviceMotionBody` that a test turns: an interface that follows the device's orientation,
/// or the second panel of a device that folds.
///
/// ```swift
/// let body = ScriptedBody()
/// manager.deviceMotionBody = body
/// try body.perform("turn to landscape left")
/// try body.perform("fold to 90°")
/// ```
public final class ScriptedBody: NSObject, CMBodyIdentifiable, Sendable {
  /// How the interface stands on the device.
  public enum Orientation: String, CaseIterable, Sendable {
    /// The body's axes are the device's.
    case portrait
    /// The device's top edge points down.
    case portraitUpsideDown = "portrait upside down"
    /// The device's top edge points to the left.
    case landscapeLeft = "landscape left"
    /// The device's top edge points to the right.
    case landscapeRight = "landscape right"

    /// Rad, about the device's z: from the body's axes to the device's.
    var angle: Double {
      switch self {
      case .portrait: 0
      case .portraitUpsideDown: .pi
      case .landscapeLeft: -.pi / 2
      case .landscapeRight: .pi / 2
      }
    }
  }

  private struct State {
    var orientation = Orientation.portrait
    /// Rad between the panels; π = flat.
    var opening = Double.pi
  }

  private let state = Lock(State())

  /// A body in portrait, unfolded.
  public override init() { super.init() }

  /// Turns the interface. It lies on the device at once; a later ``fold(to:)`` is independent of it.
  public func turn(to orientation: Orientation) { state.withLock { $0.orientation = orientation } }

  /// Folds the panel: `degrees` between the two, 0 closed … 180 flat. The hinge is the device's y axis, and the body's
  /// panel comes towards the person.
  public func fold(to degrees: Double) {
    require((0...180).contains(degrees), "The angle between two panels is 0 to 180 degrees.")
    state.withLock { $0.opening = Angle(degrees: degrees).radians }
  }

  /// The same in words: “turn to portrait”, “turn to landscape left”, “fold to 90°”. Throws what it does not
  /// understand.
  public func perform(_ text: String) throws(SensorError) {
    let words = text.lowercased().trimmingCharacters(in: .whitespaces)
    if words.hasPrefix("turn to "), let orientation = Orientation(rawValue: String(words.dropFirst(8))) {
      return turn(to: orientation)
    }
    if words.hasPrefix("fold to "), let degrees = Double(words.dropFirst(8).filter { $0 != "°" && $0 != " " }),
      (0...180).contains(degrees)
    {
      return fold(to: degrees)
    }
    let orientations = Orientation.allCases.map(\.rawValue).joined(separator: ", ")
    throw SensorError(
      .invalidRequest, "“\(text)” is neither “turn to” (\(orientations)) nor “fold to” (0° to 180°).")
  }

  /// Turns vectors in the body's axes into the device's (`MotionBody`).
  public var rotationInDevice: CMQuaternion {
    let state = state.withLock { $0 }
    // The right panel folds towards the person: its x axis turns to the device's z.
    let turn =
      Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: state.opening - .pi, z: 0))
      * Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0, y: 0, z: state.orientation.angle))
    return CMQuaternion(x: turn.x, y: turn.y, z: turn.z, w: turn.w)
  }
}

@_spi(OpenCoreMotion) extension ScriptedBody: MotionBody {}
