// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing

/// A phone with the app Sensor Logger: turns samples into the bodies that the app would push.
struct SensorLoggerPhone {
  /// What stands in the messages.
  enum Form { case iOS, iOSStandardised, android }

  struct Push {
    /// When the batch was complete, ns on the phone's clock.
    var stamp: Int64
    var number: Int
    var body: [UInt8]
  }

  var form = Form.iOS
  var session = "session"
  var device = "phone-1"
  /// ns that are added to the samples' times: the phone's clock shows UTC.
  var epoch: Int64 = 1_790_000_000_000_000_000

  /// The samples in batches of some length; those of one batch sensor by sensor, as the app groups them.
  func pushes(_ samples: [SensorSample], batch: SensorDuration = .milliseconds(100)) -> [Push] {
    guard let first = samples.first?.time else { return [] }
    var batches: [Int64: [SensorSample]] = [:]
    for sample in samples { batches[(sample.time - first).nanoseconds / batch.nanoseconds, default: []].append(sample) }
    return batches.keys.sorted().enumerated().map { number, key in
      Push(
        stamp: epoch + first.nanoseconds + (key + 1) * batch.nanoseconds, number: number,
        body: body(batches[key] ?? [], number: number))
    }
  }

  func body(_ samples: [SensorSample], number: Int) -> [UInt8] {
    let grouped = samples.sorted { ($0.kinds.rawValue, $0.time) < ($1.kinds.rawValue, $1.time) }
    let entries = grouped.flatMap(entries(of:)).joined(separator: ",")
    return Array(
      #"{"messageId":\#(number),"sessionId":"\#(session)","deviceId":"\#(device)","payload":[\#(entries)]}"#.utf8)
  }

  private func entries(of sample: SensorSample) -> [String] {
    switch sample {
    case .accelerometer(let sample): [entry("accelerometeruncalibrated", sample.time, acceleration(sample))]
    case .gyroscope(let sample): [entry("gyroscopeuncalibrated", sample.time, sample.angularVelocity)]
    case .inertial(let sample):
      entries(of: .accelerometer(sample.accelerometer)) + entries(of: .gyroscope(sample.gyroscope))
    case .magnetometer(let sample):
      [
        entry(
          "magnetometeruncalibrated", sample.time,
          sample.unit == .microtesla ? sample.reading : sample.magneticField * 1e6)
      ]
    case .pressure(let sample):
      [
        #"{"name":"barometer","time":\#(stamp(sample.time)),"values":{"relativeAltitude":0.5,"pressure":\#(sample.pressure / 100)}}"#
      ]
    case .motion(let sample): [headphone(sample)]
    case .temperature: []
    }
  }

  /// In the unit of the form, the very number where it has that unit already.
  private func acceleration(_ sample: AccelerometerSample) -> Vector3<Device> {
    let unit: AccelerationUnit = form == .iOS ? .reversedGravity : .metresPerSecondSquared
    return sample.unit == unit ? sample.reading : sample.specificForce * (1 / unit.scale)
  }

  private func entry(_ name: String, _ time: SensorInstant, _ v: Vector3<Device>) -> String {
    let accuracy = form == .android ? #","accuracy":3"# : ""
    return #"{"name":"\#(name)","time":\#(stamp(time)),"values":{"z":\#(v.z),"y":\#(v.y),"x":\#(v.x)}\#(accuracy)}"#
  }

  private func headphone(_ sample: MotionRow) -> String {
    let (q, g, a, r) = (sample.vector, sample.gravity * 9.80665, sample.linearAcceleration, sample.angularVelocity)
    let location = sample.location == .headphoneRight ? "right" : "left"
    return
      #"{"name":"headphone","time":\#(stamp(sample.time)),"values":{"quaternionW":\#(sample.w),"quaternionX":\#(q.x),"quaternionY":\#(q.y),"quaternionZ":\#(q.z),"rotationRateX":\#(r.x),"rotationRateY":\#(r.y),"rotationRateZ":\#(r.z),"gravityX":\#(g.x),"gravityY":\#(g.y),"gravityZ":\#(g.z),"accelerationX":\#(a.x),"accelerationY":\#(a.y),"accelerationZ":\#(a.z),"roll":0,"pitch":0,"yaw":0,"devicelocation":"\#(location)"}}"#
  }

  private func stamp(_ time: SensorInstant) -> Int64 { epoch + time.nanoseconds }
}

extension [SensorSample] {
  /// The samples of one kind.
  func only(_ kinds: SensorKinds) -> [SensorSample] { filter { $0.kinds == kinds } }

  /// With times that begin at zero, to compare what two clocks have stamped.
  func fromZero() -> [SensorSample] {
    guard let first = first?.time else { return [] }
    return map { $0.moved(to: SensorInstant(nanoseconds: ($0.time - first).nanoseconds)) }
  }
}
