// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// What a recording is worth: regularity, gaps, clock, saturation and rest, found in one pass in bounded memory.
///
/// It looks at samples one after the other, in the order in which they come, and keeps none of them. A value without clock or file:
/// the same samples give the same report.
public struct RecordingQuality: Sendable {
  private var meters: [StreamMeter?]
  private var rest = RestMeter()
  /// The largest magnitude that one axis can report, by kind.
  private let ranges: [SensorKinds: Double]

  /// `channels` are those of the recording; their ranges, where they are known, tell what saturation is.
  public init(channels: [SensorInfo.Channel] = []) {
    meters = Array(repeating: nil, count: SensorKinds.RawValue.bitWidth)
    var ranges: [SensorKinds: Double] = [:]
    // The range of a chip that is named as a pair belongs to one of the two, nobody knows which.
    for channel in channels where channel.kind != .inertial { ranges[channel.kind] = channel.range }
    self.ranges = ranges
  }

  /// Takes the next sample.
  public mutating func update(_ sample: SensorSample) {
    switch sample {
    case .accelerometer(let sample): update(sample)
    case .gyroscope(let sample): update(sample)
    case .inertial(let sample):
      update(sample.accelerometer)
      update(sample.gyroscope)
    case .magnetometer(let sample): update(.magnetometer, sample.time, sample.magneticField)
    case .pressure(let sample):
      withMeter(of: sample.medium == .air ? .airPressure : .waterPressure) { $0.update(sample.time) }
    case .temperature(let sample): withMeter(of: .temperature) { $0.update(sample.time) }
    case .fusedMotion(let sample): withMeter(of: .fusedMotion) { $0.update(sample.time) }
    }
  }

  private mutating func update(_ sample: AccelerometerSample) {
    update(.accelerometer, sample.time, sample.specificForce)
    rest.update(force: sample.specificForce, at: sample.time)
  }

  private mutating func update(_ sample: GyroscopeSample) {
    update(.gyroscope, sample.time, sample.angularVelocity)
    rest.update(rate: sample.angularVelocity, at: sample.time)
  }

  private mutating func update(_ kind: SensorKinds, _ time: SensorInstant, _ value: Vector3<Device>) {
    withMeter(of: kind) { $0.update(time, x: value.x, y: value.y, z: value.z) }
  }

  private mutating func withMeter(of kind: SensorKinds, _ body: (inout StreamMeter) -> Void) {
    let index = kind.rawValue.trailingZeroBitCount
    var meter = meters[index].take() ?? StreamMeter(kind: kind, range: ranges[kind])
    body(&meter)
    meters[index] = meter
  }

  /// What is known so far of each sensor, in the order of the kinds.
  public var streams: [StreamQuality] { meters.compactMap { $0?.quality } }
  /// Samples of all sensors; both halves of an inertial sample count.
  public var samples: Int { meters.reduce(0) { $0 + ($1?.samples ?? 0) } }
  /// Of the whole seconds with motion sensors, 0…1, in which the device lay still; nil before the first.
  public var restShare: Double? { rest.share }
  /// m/s², the mean length of the specific force while the device lay still; nil when it never did.
  public var gravityAtRest: Double? { rest.gravity }
}
