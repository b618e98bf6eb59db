// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing

/// A source whose samples are corrected by a calibration before anybody sees them.
///
/// ``SourceCatalog`` puts it around a sensor of this computer that has a file in its folder of calibrations, and around
/// any source whose address says `calibration=FILE`.
package struct CalibratedSource: SensorSource {
  /// The source as it is without.
  package let base: any SensorSource
  /// Where the calibration is from, with its dates and figures.
  package let file: CalibrationFile
  package let info: SensorInfo

  /// The source `base` with the corrections of a file.
  ///
  /// A corrected magnetometer counts as calibrated: its accuracy is high from the start, and its hard iron is no longer
  /// looked for. What is learned about the sensors from now on is kept apart from what was learned without.
  package init(_ base: any SensorSource, file: CalibrationFile) {
    self.base = base
    self.file = file
    var info = base.info
    for index in info.channels.indices where info.channels[index].kind.contains(.magnetometer) {
      if file.magnetometer != nil { info.channels[index].isCalibrated = true }
    }
    if let identity = info.identity, let date = file.date {
      info.identity = "\(identity) calibrated \(Int(clamping: date.timeIntervalSince1970))"
    }
    self.info = info
  }

  /// Delivers what the source delivers, corrected, until the session stops.
  package func run(_ session: SensorSession) async throws {
    let calibration = file.calibration
    try await base.run(SensorSession(of: session) { calibration.applied(to: $0) })
  }
}

extension SourceCatalog {
  /// The source with its calibration: that of `path`, or, for a sensor of this computer, that in the folder; `off` =
  /// none.
  func calibrated(_ source: any SensorSource, option path: String?) throws(SensorError) -> any SensorSource {
    switch path {
    case "off": return source
    case .some(let path):
      guard let file = try CalibrationFile(path: path) else {
        throw SensorError(
          .notFound, "There is no such calibration; motionctl calibrate makes one.", at: .init(file: path))
      }
      return CalibratedSource(source, file: file)
    case nil:
      guard source.info.origin == .hardware, let identity = source.info.identity, !identity.isEmpty,
        let file = try calibrations?.calibration(of: identity)
      else { return source }
      return CalibratedSource(source, file: file)
    }
  }
}

/// A folder of the devices that the user has calibrated.
extension DeviceFolder {
  /// What is known about a device; nil = nothing. A file that is not understood, or is about another device, throws.
  package func calibration(of identity: String) throws(SensorError) -> CalibrationFile? {
    let path = file(of: identity)
    guard let file = try CalibrationFile(path: path) else { return nil }
    guard file.device == identity else {
      throw SensorError(
        .malformed, "The calibration is about the device “\(file.device)”, not “\(identity)”. Remove the file.",
        at: .init(file: path))
    }
    return file
  }

  /// The paths of all files in the folder, by name.
  package var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
  }
}
