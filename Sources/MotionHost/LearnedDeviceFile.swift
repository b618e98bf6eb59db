// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MotionMath
public import MotionSensing
public import MotionServices
import OrientationFusion

/// What was learned about one device, as a file of JSON.
///
/// ```json
/// {"format":"opencoremotion-learned","version":1,"device":"…","learnedAt":1789560000,
///  "gyroscopeBias":[…3],"gyroscopeMatrix":[…9],"magnetometerDelay":0.012,"covariance":[…91],
///  "magnetometer":{"hardIron":[…3],"softIron":[…9],"fieldStrength":4.5e-5,"hardIronDeviation":5e-7,
///                  "softIronDeviation":0.003,"accuracy":2}}
/// ```
///
/// SI units throughout, device axes; `learnedAt` in seconds since 1970. The order of the numbers is that of ``LearnedSensor``;
/// `magnetometer` and its `softIronDeviation` may be missing. A file that cannot be what it claims is refused with a sentence.
public struct LearnedDeviceFile: Sendable, Equatable {
  /// Bytes; a file has about 2500.
  private static let largestSize = 65_536
  private static let format = "opencoremotion-learned"
  private static let version = 1
  private static let words = SmallFile.Words(
    subject: "What was learned about the sensors", whenUnreadable: "", whenTooLarge: "",
    cannotWrite: "What was learned about the sensors cannot be kept", whenUnwritable: "")

  /// What tells the device from others; empty when it is not known, as for a recording.
  public var device: String
  /// When it was learned; nil when that means nothing, as for a recording.
  public var learnedAt: Date?
  /// What was learned.
  public var learned: LearnedDevice

  /// What to write.
  public init(device: String, learnedAt: Date?, learned: LearnedDevice) {
    self.device = device
    self.learnedAt = learnedAt
    self.learned = learned
  }

  /// Reads a file; nil when there is none.
  public init?(path: String) throws(SensorError) {
    let place = SensorError.Place(file: path)
    guard let data = try SmallFile.read(path, largestSize: Self.largestSize, Self.words) else { return nil }
    func malformed(_ reason: String) -> SensorError {
      SensorError(.malformed, "\(reason) Take the file away to start with nothing learned.", at: place)
    }
    guard let header = try? JSONDecoder().decode(Header.self, from: data), header.format == Self.format else {
      throw malformed("This is not a file of what was learned about sensors.")
    }
    guard header.version == Self.version else {
      throw SensorError(
        .unsupported, "The file has version \(header.version); this program reads version \(Self.version).", at: place)
    }
    guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
      throw malformed("A number of the file is missing or none.")
    }
    guard let learned = content.learned else {
      throw malformed("The numbers of the file cannot be the errors of a sensor.")
    }
    self.init(
      device: content.device, learnedAt: content.learnedAt.map(Date.init(timeIntervalSince1970:)), learned: learned)
  }

  /// The file's bytes, the same for the same numbers.
  public func encoded() throws(SensorError) -> Data {
    do {
      return try SmallFile.json(Content(self))
    } catch {
      throw SensorError(.invalidRequest, "What was learned holds a number that is not finite: it is not kept.")
    }
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  public func write(to path: String) throws(SensorError) {
    try SmallFile.write(try encoded(), to: path, Self.words)
  }

  private struct Header: Decodable {
    var format: String
    var version: Int
  }

  /// The members of the JSON.
  private struct Content: Codable {
    struct Magnetometer: Codable {
      var hardIron: [Double]
      var softIron: [Double]
      var fieldStrength: Double
      var hardIronDeviation: Double
      var softIronDeviation: Double?
      var accuracy: Int8
    }

    var format = LearnedDeviceFile.format
    var version = LearnedDeviceFile.version
    var device: String
    var learnedAt: Double?
    var gyroscopeBias: [Double]
    var gyroscopeMatrix: [Double]
    var magnetometerDelay: Double
    var covariance: [Double]
    var magnetometer: Magnetometer?

    init(_ file: LearnedDeviceFile) {
      let sensor = file.learned.sensor
      device = file.device
      learnedAt = file.learnedAt?.timeIntervalSince1970.rounded()
      gyroscopeBias = sensor.gyroscopeBias.list
      gyroscopeMatrix = sensor.gyroscopeMatrix.list
      magnetometerDelay = sensor.magnetometerDelay
      covariance = (0..<LearnedSensor.covarianceCount).map { sensor.covariance[$0] }
      magnetometer = file.learned.magnetometer.map {
        Magnetometer(
          hardIron: $0.hardIron.list, softIron: $0.softIron.list, fieldStrength: $0.fieldStrength,
          hardIronDeviation: $0.hardIronDeviation, softIronDeviation: $0.softIronDeviation,
          accuracy: $0.accuracy.rawValue)
      }
    }

    /// Nil when the numbers are too few or too many, or those of no sensor.
    var learned: LearnedDevice? {
      guard let bias = Vector3<Device>(gyroscopeBias), let matrix = Matrix3(gyroscopeMatrix),
        covariance.count == LearnedSensor.covarianceCount
      else { return nil }
      var elements = InlineArray<91, Double>(repeating: 0)
      for (index, element) in covariance.enumerated() { elements[index] = element }
      let sensor = LearnedSensor(
        gyroscopeBias: bias, gyroscopeMatrix: matrix, magnetometerDelay: magnetometerDelay, covariance: elements)
      guard sensor.isPlausible else { return nil }
      guard let magnetometer else { return LearnedDevice(sensor: sensor) }
      guard let hardIron = Vector3<Device>(magnetometer.hardIron), let softIron = Matrix3(magnetometer.softIron),
        let accuracy = MagnetometerAccuracy(rawValue: magnetometer.accuracy)
      else { return nil }
      let calibration = MagnetometerCalibration(
        hardIron: hardIron, fieldStrength: magnetometer.fieldStrength,
        hardIronDeviation: magnetometer.hardIronDeviation, accuracy: accuracy, softIron: softIron,
        softIronDeviation: magnetometer.softIronDeviation)
      // The calibrator looks at the numbers before it believes them.
      guard MagnetometerCalibrator(calibration: calibration).calibration.accuracy > .uncalibrated else { return nil }
      return LearnedDevice(sensor: sensor, magnetometer: calibration)
    }
  }
}

extension Vector3 {
  fileprivate init?(_ list: [Double]) {
    guard list.count == 3 else { return nil }
    self.init(x: list[0], y: list[1], z: list[2])
  }

  fileprivate var list: [Double] { [x, y, z] }
}

extension Matrix3 {
  fileprivate init?(_ m: [Double]) {
    guard m.count == 9 else { return nil }
    self.init(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
  }

  fileprivate var list: [Double] { [m11, m12, m13, m21, m22, m23, m31, m32, m33] }
}
