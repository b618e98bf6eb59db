// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A named region. It can be asked whether it holds a place; nobody watches its border.
open class CLRegion: NSObject {
  /// Its name.
  public let identifier: String
  /// Kept; nothing reads it.
  open var notifyOnEntry = true
  /// Kept; nothing reads it.
  open var notifyOnExit = true

  init(identifier: String) {
    self.identifier = identifier
  }
}

/// A circle on the ground.
open class CLCircularRegion: CLRegion {
  /// The middle.
  public let center: CLLocationCoordinate2D
  /// Metres.
  public let radius: CLLocationDistance

  /// A circle.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  /// Whether a place lies within, by the distance along the ellipsoid.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    geodesicDistance(center, coordinate) <= radius
  }
}
