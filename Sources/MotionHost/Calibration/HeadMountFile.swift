// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MotionMath
public import MotionSensing

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
/// `rotation` is the quaternion w, x, y, z from the sensor's axes to the head's (+x right ear, +y nose, +z up). Angles are radians;
/// those of the quality may be missing. The file does not name the headphones' address, which is personal; its name is made from it in
/// a way that does not show it. A file that is not understood is refused with a sentence, never ignored.
public struct HeadMountFile: Sendable, Equatable {
  /// What is applied, with the angle of the nod and the scatter of gravity, where they are known.
  public var mount: HeadMount
  /// The side that spoke while it was measured; `.device` = a headband, or not known.
  public var side: FusedMotionSample.Location
  /// When it was measured, to the second.
  public var date: Date
  /// What the headphones are, "AirPods Pro 2"; nil = not known.
  public var model: String?
  /// Angle between the mounts of the two nods, rad; nil after a single one.
  public var disagreement: Double?
  /// The largest pitch or roll while the head turned, rad; nil when that was not checked.
  public var tiltWhileTurning: Double?

  /// A file's content.
  public init(
    mount: HeadMount, side: FusedMotionSample.Location, date: Date, model: String? = nil, disagreement: Double? = nil,
    tiltWhileTurning: Double? = nil
  ) {
    self.mount = mount
    self.side = side
    self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
    self.model = model
    self.disagreement = disagreement
    self.tiltWhileTurning = tiltWhileTurning
  }

  /// Bytes; a file has about 400.
  private static let largestSize = 16_384
  private static let format = "opencoremotion-head-mount"
  private static let version = 1
  private static let remedy = "Take the file away, and calibrate anew (motionctl headphones calibrate)."
  private static let words = SmallFile.Words(
    subject: "The calibration of the headphones", whenUnreadable: "Make it readable, or take it away.",
    whenTooLarge: remedy,
    cannotWrite: "The calibration cannot be written", whenUnwritable: "Name another place with --output.")

  /// Reads a file; nil when there is none.
  ///
  /// Throws `.malformed`, `.unsupported`, `.limitExceeded` or `.notPermitted`, with the path and what to do.
  public init?(path: String) throws(SensorError) {
    let place = SensorError.Place(file: path)
    guard let data = try SmallFile.read(path, largestSize: Self.largestSize, Self.words) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let content = try? decoder.decode(Content.self, from: data), content.format == Self.format else {
      throw SensorError(.malformed, "This is no calibration of headphones. \(Self.remedy)", at: place)
    }
    guard content.version == Self.version else {
      throw SensorError(
        .unsupported,
        "The calibration has version \(content.version); this program reads version \(Self.version). \(Self.remedy)",
        at: place)
    }
    guard let file = content.file else {
      throw SensorError(.malformed, "The numbers of the calibration are no rotation. \(Self.remedy)", at: place)
    }
    self = file
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  public func write(to path: String) throws(SensorError) {
    let data: Data
    do {
      data = try SmallFile.json(Content(self))
    } catch {
      throw SensorError(.invalidRequest, "The calibration holds a number that is not finite: it is not written.")
    }
    try SmallFile.write(data, to: path, Self.words)
  }

  /// The members of the JSON.
  private struct Content: Codable {
    var format = HeadMountFile.format
    var version = HeadMountFile.version
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
  static func name(of side: FusedMotionSample.Location) -> String {
    switch side {
    case .device: "device"
    case .headphoneLeft: "left"
    case .headphoneRight: "right"
    }
  }
}
