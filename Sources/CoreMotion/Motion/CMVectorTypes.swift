// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// An acceleration along the device's axes, in g (1 g = 9.80665 m/s²).
///
/// The sign is Core Motion's: a device at rest, face up, reads (0, 0, −1). `init()` is (0, 0, 0). Like the other
/// structs of the module it is neither Equatable nor Codable, as on Apple's systems; a client adds what it needs.
public struct CMAcceleration: Sendable, BitwiseCopyable {
  /// g, towards the right edge.
  public var x: Double
  /// g, towards the top edge.
  public var y: Double
  /// g, out of the screen.
  public var z: Double

  /// (0, 0, 0).
  public init() { (x, y, z) = (0, 0, 0) }
  /// The three components.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A rate of rotation about the device's axes, in rad/s, right-handed. `init()` is (0, 0, 0).
public struct CMRotationRate: Sendable, BitwiseCopyable {
  /// rad/s about the axis to the right edge.
  public var x: Double
  /// rad/s about the axis to the top edge.
  public var y: Double
  /// rad/s about the axis out of the screen.
  public var z: Double

  /// (0, 0, 0).
  public init() { (x, y, z) = (0, 0, 0) }
  /// The three components.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A magnetic field along the device's axes, in microtesla. `init()` is (0, 0, 0).
public struct CMMagneticField: Sendable, BitwiseCopyable {
  /// µT, towards the right edge.
  public var x: Double
  /// µT, towards the top edge.
  public var y: Double
  /// µT, out of the screen.
  public var z: Double

  /// (0, 0, 0).
  public init() { (x, y, z) = (0, 0, 0) }
  /// The three components.
  public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}

/// A struct of three components: what the samples of one vector hold.
package protocol VectorComponents: Sendable {
  var x: Double { get }
  var y: Double { get }
  var z: Double { get }
  init(x: Double, y: Double, z: Double)
}

extension CMAcceleration: VectorComponents {}
extension CMRotationRate: VectorComponents {}
extension CMMagneticField: VectorComponents {}

extension VectorComponents {
  init(_ vector: Vector3<Device>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

  /// The same components, as a sample stores them.
  package var vector: Vector3<Device> { Vector3(x: x, y: y, z: z) }
}
