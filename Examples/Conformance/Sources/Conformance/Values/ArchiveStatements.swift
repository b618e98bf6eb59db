// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// Archives (`NSSecureCoding`) and copies of the data classes.
enum ArchiveStatements {
  static let all: [Statement] =
    [
      Statement("API-1", .values, "The data classes can be archived and copied; empty ones here.") {
        var findings = [
          try empty(CMLogItem()), try empty(CMAccelerometerData()), try empty(CMGyroData()), try empty(CMAttitude()),
          try empty(CMDeviceMotion()),
        ]
        #if !os(macOS)
        findings += [
          try empty(CMMagnetometerData()), try empty(CMAltitudeData()), try empty(CMAbsoluteAltitudeData()),
          try empty(CMAmbientPressureData()), try empty(CMRecordedPressureData()), try empty(CMPedometerData()),
          try empty(CMPedometerEvent()), try empty(CMMotionActivity()), try empty(CMRecordedAccelerometerData()),
          try empty(CMRotationRateData()), try empty(CMRecordedRotationRateData()), try empty(CMOdometerData()),
          try empty(CMHighFrequencyHeartRateData()), try empty(CMWaterSubmersionEvent()),
          try empty(CMWaterSubmersionMeasurement()), try empty(CMWaterTemperature()),
        ]
        #endif
        return findings
      }
    ] + real

  #if os(macOS)
  private static let real: [Statement] = []
  #else
  private static let real: [Statement] = [
    ManagerStatements.manager("API-1", "A real sample survives its archive.") { manager in
      manager.startDeviceMotionUpdates()
      defer { manager.stopDeviceMotionUpdates() }
      for _ in 0..<100 where manager.deviceMotion == nil { await pause(0.02) }
      guard let motion = manager.deviceMotion else { throw Obstacle("There was no device motion.") }
      let data = try NSKeyedArchiver.archivedData(withRootObject: motion, requiringSecureCoding: true)
      guard let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CMDeviceMotion.self, from: data) else {
        return [.holds("the archive can be read", false)]
      }
      return ArchiveChecks.same(MotionSample(motion), MotionSample(read))
        + [.note("keys of the archive", ArchiveChecks.keys(of: motion))]
    }
  ]
  #endif

  private static func empty<Sample: NSObject & NSSecureCoding & NSCopying>(_ sample: Sample) throws -> Finding {
    let data = try NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: Sample.self, from: data)
    return .holds("\(Sample.self)", read != nil && sample.copy() is Sample)
  }
}

enum ArchiveChecks {
  static func same(_ written: MotionSample, _ read: MotionSample) -> [Finding] {
    [
      .near("time", read.time, written.time, within: 0),
      .near("attitude, distance", read.quaternion.difference(to: written.quaternion), 0, within: 1e-9),
      .near("gravity, distance", read.gravity.distance(to: written.gravity), 0, within: 1e-6),
      .near("rate, distance", read.rate.distance(to: written.rate), 0, within: 1e-6),
      .near(
        "user acceleration, distance", read.userAcceleration.distance(to: written.userAcceleration), 0, within: 1e-6),
      .near("heading", read.heading, written.heading, within: 1e-6),
    ]
  }

  /// The keys under which a sample keeps its values, for the record.
  static func keys(of sample: NSObject & NSSecureCoding) -> String {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.outputFormat = .xml
    archiver.encode(sample, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let parts = String(decoding: archiver.encodedData, as: UTF8.self).components(separatedBy: "<key>").dropFirst()
    let keys = Set(parts.compactMap { $0.components(separatedBy: "</key>").first })
    return keys.filter { !$0.hasPrefix("$") && !$0.hasPrefix("CF$") && $0 != "root" }.sorted().joined(separator: " ")
  }
}
