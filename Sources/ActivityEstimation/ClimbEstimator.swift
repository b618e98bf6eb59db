// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Adds up what was climbed and what was descended, and counts floors.
///
/// A height that wanders is no climb: the way counts from one turning point to the next, and a turning point is one
/// only when the height has come back from it by ``Parameters/reversal``. A floor is three metres of one climb,
/// landings in it, with half a metre of grace for low ceilings.
///
/// Weather counts too: over hours its slow metres become climbs and descents, as with every barometer.
package struct ClimbEstimator: Sendable, Hashable {
  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// Metres. Default 1.
    package var reversal = 1.0
    /// Metres. Default 3.
    package var floorHeight = 3.0
    /// Metres that a floor may be lower. Default 0.5.
    package var floorGrace = 0.5

    /// The defaults.
    package init() {}
  }

  /// As given.
  package let parameters: Parameters
  private var anchor: Double?
  private var extreme = 0.0
  /// 1 up, −1 down, 0 before the first leg.
  private var direction = 0.0
  private var finishedAscent = 0.0
  private var finishedDescent = 0.0
  private var finishedFloors = 0

  /// Nothing climbed yet.
  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Metres climbed, 0 or more.
  package var ascent: Double { finishedAscent + max(0, leg) }
  /// Metres descended, 0 or more.
  package var descent: Double { finishedDescent + max(0, -leg) }
  /// Floors climbed.
  package var floors: Int { finishedFloors + floors(in: leg) }

  /// From the last turning point to the farthest point since.
  private var leg: Double { direction == 0 ? 0 : extreme - (anchor ?? extreme) }

  private func floors(in leg: Double) -> Int {
    // fits: 0…10⁶, whatever a barometer says
    leg > 0 ? Int(min(1e6, (leg + parameters.floorGrace) / parameters.floorHeight)) : 0
  }

  /// Processes a height in metres.
  package mutating func update(_ height: Double) {
    guard height.isFinite else { return }
    guard let anchor else {
      (self.anchor, extreme) = (height, height)
      return
    }
    if direction == 0 {
      guard abs(height - anchor) >= parameters.reversal else { return }
      direction = height > anchor ? 1 : -1
      extreme = height
    } else if (height - extreme) * direction > 0 {
      extreme = height
    } else if (extreme - height) * direction >= parameters.reversal {
      finishedFloors += floors(in: leg)
      finishedAscent += max(0, leg)
      finishedDescent += max(0, -leg)
      (self.anchor, extreme, direction) = (extreme, height, -direction)
    }
  }
}

/// Counts floors that are climbed on foot.
///
/// Height counts only from one step to the next, and half a second around a walk, so a lift, an aeroplane and the
/// weather of a night at the desk give none. Steps are known some seconds late; therefore the heights of the last 40 s
/// are kept. The drift of the weather is measured between walks and subtracted during them.
struct FloorCounter: Sendable {
  private struct Height: Sendable {
    var time: Int64
    var metres: Double
  }

  /// Nanoseconds of one mean height.
  private static let span: Int64 = 640_000_000
  /// Nanoseconds: the body rises before the first foot has landed, and after the last.
  private static let margin: Int64 = 500_000_000
  /// Nanoseconds: the longest step.
  private static let longestStep: Int64 = 2_000_000_000
  /// m/s: faster is no staircase, but a lift or a door.
  private static let fastest = 1.0
  /// m/s: the fastest weather (0.7 hPa in an hour are 0.0016 m/s).
  private static let fastestWeather = 0.003

  /// Floors upwards and downwards since the start; nil before the first pressure.
  var floors: (ascended: Int, descended: Int)? { count == 0 && sum == nil ? nil : (up.floors, down.floors) }

  private var heights = [Height](repeating: Height(time: .min, metres: 0), count: 64)
  private var count = 0
  private var sum: (start: Int64, metres: Double, samples: Double)?
  /// A floor is 3 m; 2.6 m are enough.
  private var up = ClimbEstimator(parameters: Self.climb)
  private var down = ClimbEstimator(parameters: Self.climb)
  /// Metres on foot, and the last step of a walk with the height there.
  private var climbed = 0.0
  private var last: Height?
  /// m/s of the weather, and the beginning of a rest.
  private var drift = 0.0
  private var rest: Height?

  private static var climb: ClimbEstimator.Parameters {
    var parameters = ClimbEstimator.Parameters()
    parameters.floorGrace = 0.4
    return parameters
  }

  /// Takes a pressure in pascal.
  mutating func update(pressure: Double, at time: Int64) {
    guard pressure > 20_000, pressure < 115_000 else { return }
    let height = StandardAtmosphere.height(at: pressure)
    if let sum, time >= sum.start, time - sum.start < Self.span {
      self.sum = (sum.start, sum.metres + height, sum.samples + 1)
      return
    }
    if let sum { append(Height(time: sum.start + Self.span / 2, metres: sum.metres / sum.samples)) }
    sum = (time, height, 1)
  }

  private mutating func append(_ height: Height) {
    // Time has gone back: what was before belongs to another line.
    if count > 0, height.time <= heights[(count - 1) % heights.count].time { restart() }
    heights[count % heights.count] = height
    count += 1
  }

  /// What was before has nothing to do with what comes; the floors stay.
  mutating func restart() {
    (count, last, rest, sum) = (0, nil, nil, nil)
  }

  /// The mean height around a time, between its neighbours; the nearest one outside.
  private func height(at time: Int64) -> Double? {
    guard count > 0 else { return nil }
    var after = heights[(count - 1) % heights.count]
    for age in 0..<min(count, heights.count) {
      let before = heights[(count - 1 - age) % heights.count]
      if before.time <= time {
        guard after.time > before.time, time < after.time else { return before.metres }
        let part = Double(time - before.time) / Double(after.time - before.time)
        return before.metres + (after.metres - before.metres) * part
      }
      after = before
    }
    return after.metres
  }

  /// Takes the time of a step.
  mutating func step(at time: Int64) {
    rest = nil
    if let last, time <= last.time || time - last.time >= Self.longestStep { finishWalk() }
    if last == nil { last = height(at: time - Self.margin).map { Height(time: time - Self.margin, metres: $0) } }
    climb(to: time)
  }

  /// What was climbed since the last step, or between it and the end of the walk.
  private mutating func climb(to time: Int64) {
    guard let metres = height(at: time), let last else { return }
    self.last = Height(time: time, metres: metres)
    let seconds = Double(time - last.time) * 1e-9
    let change = metres - last.metres - drift * seconds
    guard abs(change) <= Self.fastest * seconds + 0.3 else { return }
    climbed += change
    up.update(climbed)
    down.update(-climbed)
  }

  private mutating func finishWalk() {
    if let last { climb(to: last.time + Self.margin) }
    last = nil
  }

  /// The device lies still: what moves the height now is the weather.
  mutating func stayStill(at time: Int64) {
    if let last, time - last.time >= Self.longestStep { finishWalk() }
    guard let metres = height(at: time) else { return }
    guard let rest, time > rest.time else {
      rest = Height(time: time, metres: metres)
      return
    }
    guard time - rest.time >= 60_000_000_000 else { return }
    let rate = (metres - rest.metres) / (Double(time - rest.time) * 1e-9)
    self.rest = Height(time: time, metres: metres)
    if abs(rate) <= Self.fastestWeather { drift += (rate - drift) * 0.2 }
  }
}

/// The height at which the standard atmosphere has a pressure (ISO 2533, troposphere):
///
///     h(p) = 44330.769 m · (1 − (p / 101 325 Pa)^0.190263)
///
/// A metre is 12 Pa at sea level and 11 Pa at 900 hPa. One pair of constants is good to 11 km. (ALT-1.)
package enum StandardAtmosphere {
  /// Pascal at sea level.
  package static let seaLevelPressure = 101_325.0

  /// Metres above the level where the pressure is `reference`; both in pascal, above 0.
  package static func height(at pressure: Double, above reference: Double = seaLevelPressure) -> Double {
    44330.769 * (1 - Scalar.pow(max(pressure, 1) / reference, 0.190263))
  }
}
