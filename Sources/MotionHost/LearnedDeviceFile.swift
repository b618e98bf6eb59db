// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionMath
package import MotionSensing
package import MotionServices
import OrientationFusion

/// A folder with a file for each sensor of this computer: what was learned about it (``LearnedDeviceFile``), or its
/// calibration (``CalibrationFile``).
///
/// ```swift
/// let host = try MotionHost("iio:", memories: DeviceFolder(path: "/var/lib/robot/sensors"))
/// ```
///
/// Only sensors that run live are remembered, and only those whose source states which device it is
/// (``SensorInfo/identity``). A recording and a simulation start with nothing, so that they give the same bits every
/// time.
package struct DeviceFolder: Sendable, Hashable {
  /// An absolute path; the folder is made when there is something to keep.
  package var path: String

  /// The folder at a path.
  package init(path: String) { self.path = path }

  /// The memory of the sensor that a source stands for; nil for one that is not to be remembered.
  package func memory(of info: SensorInfo) -> (any SensorMemory)? {
    guard info.origin == .hardware, info.pacing == .live, let identity = info.identity, !identity.isEmpty
    else { return nil }
    return FileMemory(path: file(of: identity), device: identity)
  }

  /// The path of a device's file, made from ``SensorInfo/identity`` (``DeviceFile/name(for:)``).
  package func file(of identity: String) -> String { "\(path)/\(DeviceFile.name(for: identity))" }
}

/// A file as a memory. What goes wrong is logged once, and the sensor works without a memory from then on: a file that
/// cannot be understood is not overwritten.
private struct FileMemory: SensorMemory {
  let path: String
  let device: String
  private let isBroken = Lock(false)

  func recall() -> LearnedDevice? {
    unlessBroken { () throws(SensorError) in
      guard let file = try LearnedDeviceFile(path: path) else { return nil }
      guard file.device == device else {
        throw SensorError(
          .malformed, "The file is about the device “\(file.device)”, not “\(device)”: it is not used.",
          at: .init(file: path))
      }
      // Configuration, not data. A clock that went back says nothing about the time between.
      let elapsed = file.learnedAt.map { Date().timeIntervalSince($0) } ?? -1
      return file.learned.widened(elapsed: elapsed >= 0 ? elapsed : .infinity)
    }
  }

  func keep(_ learned: LearnedDevice) {
    let _: Void? = unlessBroken { () throws(SensorError) in
      try LearnedDeviceFile(device: device, learnedAt: Date(), learned: learned).write(to: path)
    }
  }

  private func unlessBroken<Result>(_ work: () throws(SensorError) -> Result?) -> Result? {
    guard !isBroken.withLock({ $0 }) else { return nil }
    do throws(SensorError) {
      return try work()
    } catch {
      isBroken.withLock { $0 = true }
      HostLog.warning(error.description)
      return nil
    }
  }
}

/// What was learned about one device, as a file of JSON.
///
/// ```json
/// {"format":"opencoremotion-learned","version":1,"device":"…","learnedAt":1789560000,
///  "gyroscopeBias":[…3],"gyroscopeMatrix":[…9],"magnetometerDelay":0.012,"covariance":[…91],
///  "magnetometer":{"hardIron":[…3],"fieldStrength":4.5e-5,"hardIronDeviation":5e-7,"accuracy":2}}
/// ```
///
/// SI units throughout, device axes; `learnedAt` in seconds since 1970. The order of the numbers is that of
/// ``LearnedSensor``; `magnetometer` may be missing, and members of older files that are not named here are passed over. A
/// file that cannot be what it claims is refused with a sentence.
package struct LearnedDeviceFile: Sendable, Equatable {
  /// A file has about 2500 bytes.
  private static let file = DeviceFile(
    format: "opencoremotion-learned", largestSize: 65_536, subject: "What was learned about the sensors",
    remedy: "Remove the file to start with nothing learned.")

  /// What distinguishes the device from others; empty when it is not known, as for a recording.
  package var device: String
  /// When it was learned; nil when that means nothing, as for a recording.
  package var learnedAt: Date?
  /// What was learned.
  package var learned: LearnedDevice

  /// What to write.
  package init(device: String, learnedAt: Date?, learned: LearnedDevice) {
    (self.device, self.learnedAt, self.learned) = (device, learnedAt, learned)
  }

  /// Reads a file; nil when there is none.
  package init?(path: String) throws(SensorError) {
    guard let content = try Self.file.read(Content.self, at: path) else { return nil }
    guard let learned = content.learned else {
      throw Self.file.malformed("The numbers of the file cannot be the errors of a sensor.", at: path)
    }
    self.init(
      device: content.device, learnedAt: content.learnedAt.map(Date.init(timeIntervalSince1970:)), learned: learned)
  }

  /// The file's bytes, the same for the same numbers.
  package func encoded() throws(SensorError) -> Data { try Self.file.encoded(Content(self)) }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  package func write(to path: String) throws(SensorError) { try Self.file.write(Content(self), to: path) }

  /// The members of the JSON.
  private struct Content: Codable {
    struct Magnetometer: Codable {
      var hardIron: [Double]
      var fieldStrength: Double
      var hardIronDeviation: Double
      var accuracy: Int8
    }

    var format = LearnedDeviceFile.file.format
    var version = LearnedDeviceFile.file.version
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
          hardIron: $0.hardIron.list, fieldStrength: $0.fieldStrength, hardIronDeviation: $0.hardIronDeviation,
          accuracy: $0.accuracy.rawValue)
      }
    }

    /// Nil when the numbers are too few or too many, or those of no sensor.
    var learned: LearnedDevice? {
      guard let bias = Vector3<Device>(list: gyroscopeBias), let matrix = Matrix3(list: gyroscopeMatrix),
        covariance.count == LearnedSensor.covarianceCount
      else { return nil }
      var elements = InlineArray<91, Double>(repeating: 0)
      for (index, element) in covariance.enumerated() { elements[index] = element }
      let sensor = LearnedSensor(
        gyroscopeBias: bias, gyroscopeMatrix: matrix, magnetometerDelay: magnetometerDelay, covariance: elements)
      guard sensor.isPlausible else { return nil }
      guard let magnetometer else { return LearnedDevice(sensor: sensor) }
      guard let hardIron = Vector3<Device>(list: magnetometer.hardIron),
        let accuracy = MagnetometerAccuracy(rawValue: magnetometer.accuracy)
      else { return nil }
      let calibration = MagnetometerCalibration(
        hardIron: hardIron, fieldStrength: magnetometer.fieldStrength,
        hardIronDeviation: magnetometer.hardIronDeviation, accuracy: accuracy)
      return calibration.isPlausible ? LearnedDevice(sensor: sensor, magnetometer: calibration) : nil
    }
  }
}
