// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The quality of a recording: regularity, gaps, clock, saturation and rest, computed in one pass in bounded memory.
///
/// It looks at samples one after the other, in the order in which they come, and keeps none of them. A value without
/// clock or file: the same samples give the same report.
package struct RecordingQuality: Sendable {
  private var meters: [StreamMeter?]
  private var rest = RestMeter()
  /// Samples that tell the temperature beside the pressure, by kind.
  private var temperatures: [SensorKinds: Int] = [:]
  /// The largest magnitude that one axis can report, by kind.
  private let ranges: [SensorKinds: Double]

  /// `channels` are those of the recording; their ranges, if known, define saturation.
  package init(channels: [SensorInfo.Channel] = []) {
    meters = Array(repeating: nil, count: SensorKinds.RawValue.bitWidth)
    var ranges: [SensorKinds: Double] = [:]
    // The range of a chip that is named as a pair belongs to one of the two, and which is not known.
    for channel in channels where channel.kind != .inertial { ranges[channel.kind] = channel.range }
    self.ranges = ranges
  }

  /// Takes the next sample.
  package mutating func update(_ sample: SensorSample) {
    rest.update(sample)
    switch sample {
    case .accelerometer(let sample): update(.accelerometer, sample.time, sample.specificForce)
    case .gyroscope(let sample): update(.gyroscope, sample.time, sample.angularVelocity)
    case .inertial(let sample):
      update(.accelerometer, sample.accelerometer.time, sample.specificForce)
      update(.gyroscope, sample.gyroscope.time, sample.angularVelocity)
    case .magnetometer(let sample): update(.magnetometer, sample.time, sample.magneticField)
    case .pressure(let sample):
      let kind: SensorKinds = sample.medium == .air ? .airPressure : .waterPressure
      update(kind, sample.time)
      if sample.temperature != nil { temperatures[kind, default: 0] += 1 }
    case .temperature(let sample): update(.temperature, sample.time)
    case .motion(let sample): update(.motion, sample.time)
    }
  }

  private mutating func update(_ kind: SensorKinds, _ time: SensorInstant, _ value: Vector3<Device>? = nil) {
    let index = kind.rawValue.trailingZeroBitCount
    if meters[index] == nil { meters[index] = StreamMeter(kind: kind, range: ranges[kind]) }
    // In its place: a copy counts four references, twice a sample.
    meters[index]?.update(time, value)
  }

  /// What is known so far of each sensor, in the order of the kinds.
  package var streams: [StreamQuality] {
    meters.compactMap { meter in
      guard var quality = meter?.quality else { return nil }
      quality.temperatures = temperatures[quality.kind] ?? 0
      return quality
    }.closed
  }
  /// Samples of all sensors; both halves of an inertial sample count.
  package var samples: Int { meters.reduce(0) { $0 + ($1?.samples ?? 0) } }
  /// Of the whole seconds with motion sensors, 0…1, in which the device lay still; nil before the first.
  package var restShare: Double? { rest.share }
  /// m/s², the mean length of the specific force while the device lay still; nil when it never did.
  package var gravityAtRest: Double? { rest.gravity }
}

/// How far the device turns from one reading of its gyroscope to the next.
///
/// A gyroscope is integrated, and what happens between two readings it does not say. From some 20° on it follows a turn
/// no better than the accelerometer alone: so in simulated hands and pockets, read 1 to 50 times a second.
package struct TurnMeter: Sendable {
  /// Radians.
  static let most = Angle(degrees: 20).radians
  private var squares = 0.0, count = 0.0
  private var previous: SensorInstant?

  /// Nothing measured yet.
  package init() {}

  /// Takes the next rate, rad/s.
  package mutating func update(_ rate: Vector3<Device>, at time: SensorInstant) {
    defer { previous = time }
    guard let previous, time > previous, rate.isFinite else { return }
    let angle = min(.pi, rate.length * (time - previous).seconds)
    squares += angle * angle
    count += 1
  }

  /// The root of the mean square, rad; nil before the second reading.
  private var turn: Double? { count > 0 ? (squares / count).squareRoot() : nil }

  /// A sentence where that is too far.
  package var warning: String? {
    guard let turn, turn > Self.most else { return nil }
    let degrees = Int(clamping: Angle(radians: turn).degrees.rounded())
    return
      "between two readings of the gyroscope the device turns by \(degrees)° (root mean square), too far to follow: the "
      + "accelerometer alone says where down is, and the azimuth is not known"
  }
}

/// How much of a recording the device lay still, second by second, and what gravity read meanwhile.
///
/// A second counts as rest when the standard deviations of specific force and rotation rate are those of a sensor's
/// noise, and the mean rate is small. Limits: ``stillForce``, ``stillRate`` and ``slowTurn``, above the noise of the
/// phone and controller sensors of our recordings and below that of a hand that holds a device.
package struct RestMeter: Sendable {
  /// A second that is over, and whether the device lay still in it.
  package struct Second: Sendable, Hashable {
    package var start: SensorInstant
    package var isAtRest: Bool
  }

  /// m/s², of the vector.
  static let stillForce = 0.12
  /// rad/s, of the vector.
  static let stillRate = 0.025
  /// rad/s: a steady turn has no deviation either.
  static let slowTurn = 0.15

  /// Mean and sum of squared deviations of the vectors of one second (B. P. Welford, Technometrics 4, 1962).
  private struct Window: Sendable {
    var count = 0.0
    var mean = Vector3<Device>.zero
    var squares = 0.0

    mutating func add(_ value: Vector3<Device>) {
      count += 1
      let before = value - mean
      mean = mean + before * (1 / count)
      squares += before.dot(value - mean)
    }

    var deviation: Double { count > 1 ? (squares / count).squareRoot() : .infinity }
  }

  private static let length = SensorDuration.seconds(1)
  private var force = Window()
  private var rate = Window()
  private var start: SensorInstant?
  private var hasForce = false
  private var hasRate = false
  private var seconds = 0
  private var secondsAtRest = 0
  private var gravitySum = 0.0

  /// Nothing measured yet.
  package init() {}

  /// Takes the next sample of any sensor.
  package mutating func update(_ sample: SensorSample) {
    switch sample {
    case .accelerometer(let sample): update(force: sample.specificForce, at: sample.time)
    case .gyroscope(let sample): update(rate: sample.angularVelocity, at: sample.time)
    case .inertial(let sample):
      update(force: sample.specificForce, at: sample.accelerometer.time)
      update(rate: sample.angularVelocity, at: sample.time)
    default: break
    }
  }

  /// Takes a specific force, m/s²; returns the second that it ends, if it does.
  @discardableResult
  package mutating func update(force value: Vector3<Device>, at time: SensorInstant) -> Second? {
    let second = turn(time)
    hasForce = true
    force.add(value)
    return second
  }

  /// The same with a rotation rate, rad/s.
  @discardableResult
  package mutating func update(rate value: Vector3<Device>, at time: SensorInstant) -> Second? {
    let second = turn(time)
    hasRate = true
    rate.add(value)
    return second
  }

  private mutating func turn(_ time: SensorInstant) -> Second? {
    guard let begin = start else {
      start = time
      return nil
    }
    guard time - begin >= Self.length || time < begin else { return nil }
    start = time
    return close().map { Second(start: begin, isAtRest: $0) }
  }

  /// Whether the second was one of rest; nil when it has too few readings to tell.
  private mutating func close() -> Bool? {
    defer { (force, rate) = (Window(), Window()) }
    // Below four readings a deviation says nothing.
    guard hasForce || hasRate, !hasForce || force.count >= 4, !hasRate || rate.count >= 4 else { return nil }
    seconds += 1
    let isForceStill = !hasForce || force.deviation < Self.stillForce
    let isRateStill = !hasRate || (rate.deviation < Self.stillRate && rate.mean.length < Self.slowTurn)
    guard isForceStill, isRateStill else { return false }
    secondsAtRest += 1
    gravitySum += force.mean.length
    return true
  }

  /// 0…1; nil before the first whole second.
  package var share: Double? { seconds > 0 ? Double(secondsAtRest) / Double(seconds) : nil }
  /// m/s², the mean length of the specific force at rest; nil when there was no rest, or no accelerometer.
  var gravity: Double? { hasForce && secondsAtRest > 0 ? gravitySum / Double(secondsAtRest) : nil }
}
