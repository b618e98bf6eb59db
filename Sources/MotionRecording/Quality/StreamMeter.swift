// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Watches the times of one sensor's samples.
struct StreamMeter: Sendable {
  /// A step back by more than this is a clock that was put back, not a late sample.
  private static let latest = SensorDuration.seconds(1)
  /// A step ahead by more than this is a clock that was put forward, not a pause.
  private static let longestPause = SensorDuration.seconds(3600)

  private var result: StreamQuality
  private var intervals = IntervalDistribution()
  private var saturation: SaturationMeter
  private var previous: SensorInstant?
  private var period = SamplePeriod()

  init(kind: SensorKinds, range: Double?) {
    result = StreamQuality(kind: kind)
    saturation = SaturationMeter(kind: kind, range: range)
  }

  var samples: Int { result.samples }

  mutating func update(_ time: SensorInstant, x: Double, y: Double, z: Double) {
    update(time)
    saturation.update(x: x, y: y, z: z)
  }

  mutating func update(_ time: SensorInstant) {
    result.samples += 1
    result.first = min(result.first ?? time, time)
    result.last = max(result.last ?? time, time)
    guard let before = previous else {
      previous = time
      return
    }
    let step = time - before
    switch step {
    case .zero: result.repeats += 1
    case ..<(SensorDuration.zero - Self.latest), (Self.longestPause + SensorDuration(nanoseconds: 1))...:
      result.clockJumps += 1
      result.firstClockJump = result.firstClockJump ?? .init(start: before, duration: step)
      previous = time
    case ..<SensorDuration.zero: result.outOfOrder += 1
    default:
      previous = time
      intervals.add(step)
      take(step, after: before)
    }
  }

  private mutating func take(_ step: SensorDuration, after before: SensorInstant) {
    guard period.update(step) else { return }
    result.gaps += 1
    result.gapTime = result.gapTime + step
    if result.longestGap.map({ step > $0.duration }) ?? true {
      result.longestGap = .init(start: before, duration: step)
    }
  }

  /// What is known so far.
  var quality: StreamQuality {
    var result = result
    let quantiles = intervals.quantiles([0.05, 0.5, 0.95])
    if quantiles.count == 3 {
      (result.shortInterval, result.interval, result.longInterval) = (quantiles[0], quantiles[1], quantiles[2])
    }
    (result.saturated, result.range) = (saturation.count, saturation.limit)
    return result
  }
}

/// Counts readings at the end of a sensor's range.
///
/// Where the range is not known, the largest magnitude that was read stands for it if the sensor stood there for three samples in a
/// row, beyond what the smallest ranges of such sensors reach: noise does not repeat itself to the last bit, a converter at its stop
/// does.
struct SaturationMeter: Sendable {
  /// Of a declared range; drivers round it.
  private static let margin = 0.999
  private static let leastRun = 3

  private let declared: Double?
  /// The smallest full scale that sensors of this kind are made with, SI.
  private let leastRange: Double
  private var atDeclared = 0
  private var largest = 0.0
  private var atLargest = 0
  private var run = 0
  private var longestRun = 0

  init(kind: SensorKinds, range: Double?) {
    declared = range.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    // 2 g and 125 degrees a second; magnetometers and pressure sensors do not reach their ends outside a laboratory.
    leastRange = kind == .accelerometer ? 1.99 * standardGravity : kind == .gyroscope ? 2.18 : .infinity
  }

  mutating func update(x: Double, y: Double, z: Double) {
    let reading = max(abs(x), abs(y), abs(z))
    if let declared {
      if reading >= declared * Self.margin { atDeclared += 1 }
      return
    }
    if reading > largest {
      (largest, atLargest, run, longestRun) = (reading, 1, 1, 1)
    } else if reading == largest, reading > 0 {
      atLargest += 1
      run += 1
      longestRun = max(longestRun, run)
    } else {
      run = 0
    }
  }

  private var hasStop: Bool { longestRun >= Self.leastRun && largest >= leastRange }
  var limit: Double? { declared ?? (hasStop ? largest : nil) }
  var count: Int { declared != nil ? atDeclared : hasStop ? atLargest : 0 }
}
