// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionMath
package import MotionSensing

/// How a pair of headphones sits on its wearer's head, as a file of JSON: what `motionctl headphones calibrate` leaves.
///
/// ```json
/// {
///   "date" : "2026-11-21T10:00:00Z",
///   "format" : "opencoremotion-head-mount",
///   "nodAngle" : 0.39,
///   "rotation" : [0.48419, -0.40546, -0.75741, 0.16581],
///   "side" : "left",
///   "spread" : 0.004,
///   "version" : 1
/// }
/// ```
///
/// `rotation` is the quaternion w, x, y, z from the sensor's axes to the head's (+x right ear, +y nose, +z up). Angles
/// are radians; those of the quality may be missing. The file does not name the headphones' address, which is personal;
/// its name is made from it in a way that does not show it. A file that is not understood is refused with a sentence,
/// never ignored.
package struct HeadMountFile: Sendable, Equatable {
  /// What is applied, with the angle of the nod and the scatter of gravity, where they are known.
  package var mount: HeadMount
  /// The side that spoke while it was measured; `.device` = a headband, or not known.
  package var side: MotionRow.Location
  /// When it was measured, to the second.
  package var date: Date
  /// What the headphones are, "AirPods Pro 2"; nil = not known.
  package var model: String?
  /// Angle between the mounts of the two nods, rad; nil after a single one.
  package var disagreement: Double?
  /// The largest pitch or roll while the head turned, rad; nil when that was not checked.
  package var tiltWhileTurning: Double?

  /// A file's content.
  package init(
    mount: HeadMount, side: MotionRow.Location, date: Date, model: String? = nil, disagreement: Double? = nil,
    tiltWhileTurning: Double? = nil
  ) {
    self.mount = mount
    self.side = side
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
    self.model = model
    self.disagreement = disagreement
    self.tiltWhileTurning = tiltWhileTurning
  }

  /// A file has about 400 bytes.
  private static let file = DeviceFile(
    format: "opencoremotion-head-mount", largestSize: 16_384, subject: "The calibration of the headphones",
    remedy: "Remove the file and calibrate again (motionctl headphones calibrate).",
    whenUnreadable: "Make it readable, or remove it.", whenUnwritable: "Name another place with --output.")

  /// Reads a file; nil when there is none.
  ///
  /// Throws `.malformed`, `.unsupported`, `.limitExceeded` or `.notPermitted`, with the path and what to do.
  package init?(path: String) throws(SensorError) {
    guard let content = try Self.file.read(Content.self, at: path) else { return nil }
    guard let file = content.file else {
      throw Self.file.malformed("The numbers of the calibration are not a rotation.", at: path)
    }
    self = file
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  package func write(to path: String) throws(SensorError) { try Self.file.write(Content(self), to: path) }

  /// The members of the JSON.
  private struct Content: Codable {
    var format = HeadMountFile.file.format
    var version = HeadMountFile.file.version
    var date: Date
    var side: String
    var model: String?
    var rotation: [Double]
    var nodAngle: Double?
    var spread: Double?
    var disagreement: Double?
    var tiltWhileTurning: Double?

    init(_ file: HeadMountFile) {
      date = file.date
      side = HeadMountFile.name(of: file.side)
      model = file.model
      let q = file.mount.rotation
      rotation = [q.w, q.x, q.y, q.z]
      nodAngle = file.mount.nodAngle
      spread = file.mount.spread
      disagreement = file.disagreement
      tiltWhileTurning = file.tiltWhileTurning
    }

    /// Nil when the numbers are no rotation, or the side is none.
    var file: HeadMountFile? {
      guard rotation.count == 4, abs(rotation.reduce(0) { $0 + $1 * $1 } - 1) < 0.02,
        let quaternion = Rotation<Chip, Device>(w: rotation[0], x: rotation[1], y: rotation[2], z: rotation[3]),
        let side = [.device, .headphoneLeft, .headphoneRight].first(where: { HeadMountFile.name(of: $0) == side })
      else { return nil }
      return HeadMountFile(
        mount: HeadMount(rotation: quaternion, nodAngle: nodAngle, spread: spread), side: side, date: date,
        model: model, disagreement: disagreement, tiltWhileTurning: tiltWhileTurning)
    }
  }

  /// "left", "right", "device".
  static func name(of side: MotionRow.Location) -> String {
    switch side {
    case .device: "device"
    case .headphoneLeft: "left"
    case .headphoneRight: "right"
    }
  }
}

/// Finds the mount that the wearer has calibrated for headphones of an address (upper case with colons; nil = not
/// known) and their active side (`.device` = not known, or a headband); nil = there is none. A look-up, so the driver
/// does not depend on files. It is asked on the source's thread, at the beginning of a stream and whenever another bud
/// becomes active.
package typealias HeadMounts = @Sendable (_ address: String?, _ side: MotionRow.Location) -> HeadMount?

/// A folder with a file for each side of each pair of headphones that the user has calibrated (``HeadMountFile``).
package struct HeadMountFolder: Sendable, Hashable {
  /// An absolute path; the folder is made when there is something to write.
  package var path: String

  /// The folder at a path.
  package init(path: String) { self.path = path }

  /// The one in the folder with the calibrations of other sensors.
  package init(calibrations path: String) { self.init(path: path + "/headphones") }

  /// The path of the file of one side of the headphones of an address. The name does not show the address, which is
  /// personal.
  package func file(address: String, side: MotionRow.Location) -> String {
    let digits = DeviceFile.hash(address.uppercased())
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(path)/\(padded)-\(HeadMountFile.name(of: side)).json"
  }

  /// What is known of a side; nil = nothing. A file that is not understood throws.
  package func mount(address: String, side: MotionRow.Location) throws(SensorError) -> HeadMountFile? {
    try HeadMountFile(path: file(address: address, side: side))
  }

  /// The look-up for a driver. A file that is not understood is passed to `report` each time that it is needed, and the
  /// headphones then count as not calibrated.
  package func mounts(report: @escaping @Sendable (String) -> Void) -> HeadMounts {
    { address, side in
      guard let address else { return nil }
      do {
        return try mount(address: address, side: side)?.mount
      } catch {
        report((error as? SensorError)?.description ?? "\(error)")
        return nil
      }
    }
  }
}
