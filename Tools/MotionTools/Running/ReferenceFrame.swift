// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import CoreMotion
package import MotionHost
package import MotionSensing
package import MotionServices

/// A reference frame as a person writes it: Core Motion's name in full or a word for it, in any case.
package enum ReferenceFrame: String, CaseIterable, Decodable {
  case arbitrary
  case corrected
  case magnetic
  case `true`

  package init?(argument: String) {
    let wanted = argument.lowercased()
    guard let frame = Self.allCases.first(where: { $0.rawValue == wanted || $0.name.lowercased() == wanted })
    else { return nil }
    self = frame
  }

  private var facts: (name: String, value: CMAttitudeReferenceFrame, reference: MotionRow.Reference) {
    switch self {
    case .arbitrary: ("xArbitraryZVertical", .xArbitraryZVertical, .xArbitrary)
    case .corrected: ("xArbitraryCorrectedZVertical", .xArbitraryCorrectedZVertical, .xArbitraryCorrected)
    case .magnetic: ("xMagneticNorthZVertical", .xMagneticNorthZVertical, .xMagneticNorth)
    case .true: ("xTrueNorthZVertical", .xTrueNorthZVertical, .xTrueNorth)
    }
  }

  /// Core Motion's name.
  package var name: String { facts.name }
  package var value: CMAttitudeReferenceFrame { facts.value }
  /// The same frame below the façade.
  package var reference: MotionRow.Reference { facts.reference }

  /// The frame of a row.
  package init(_ reference: MotionRow.Reference) {
    self = Self.allCases.first { $0.reference == reference } ?? .arbitrary
  }

  /// Rows in this frame at a place.
  package func framing(at place: GeographicLocation?) -> MotionFraming {
    MotionFraming(reference, declination: place?.declination, dipAngle: place?.dipAngle)
  }

  package static var allValueStrings: [String] { allCases.map(\.rawValue) + allCases.map(\.name) }
}

/// What device motion needs, said in one sentence before anything starts.
package enum MotionRequirements {
  /// Why a source has no motion; nil when it has.
  package static func absence(_ info: SensorInfo) -> String? {
    guard !HubStream.deviceMotion(usesMagnetometer: false).isServed(by: info.kinds) else { return nil }
    let held = info.kinds.isEmpty ? "no sensors" : "only " + Text.list(info.kinds.names)
    return "Device motion needs an accelerometer and a gyroscope, and \(info.name) has \(held)."
  }

  package static func check(_ frame: ReferenceFrame, of selection: SourceSelection, at place: GeographicLocation?)
    throws
  {
    let info = selection.info
    if let absence = absence(info) { throw CommandFailure(absence) }
    // Motion that the source has fused itself comes in its own frame.
    guard !info.kinds.contains(.motion) else { return }
    if frame != .arbitrary, !info.kinds.contains(.magnetometer) {
      throw CommandFailure(
        "The frame \(frame.name) needs a magnetometer, and \(info.name) has none; use --frame arbitrary.")
    }
    guard frame == .true else { return }
    guard let place else {
      throw CommandFailure(
        "The frame \(frame.name) needs to know where the device is: say --location LATITUDE,LONGITUDE or set MOTION_LOCATION."
      )
    }
    guard place.declination != nil else {
      throw CommandFailure(
        "True north cannot be found at this location: it is too near a magnetic pole, or the year is beyond the magnetic model."
      )
    }
  }
}
