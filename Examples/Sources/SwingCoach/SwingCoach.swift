// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// Coaches a racket swing: finds the impact in the 800 Hz accelerations, walks back in the 200 Hz device motion to the
// start of the swing and says how long it took. Stops after as many strokes as the first argument says, 3 by default.

import CoreMotion

@main struct SwingCoach {
  static func main() async {
    let wanted = CommandLine.arguments.dropFirst().first.flatMap(Double.init).map { max(1, Int($0)) } ?? 3
    guard CMBatchedSensorManager.isAccelerometerSupported else {
      print("No batched sensors on this device.")
      exit(1)
    }
    guard CMBatchedSensorManager().accelerometerDataFrequency >= 400 else {
      print("This accelerometer is too slow for the impact of a ball.")
      exit(1)
    }
    do {
      let count = try await coach(strokes: wanted)
      exit(count > 0 ? 0 : 1)
    } catch {
      print(error.localizedDescription)
      exit(1)
    }
  }

  /// Returns how many strokes there were.
  static func coach(strokes wanted: Int) async throws -> Int {
    let turning = Turning()
    let hasMotion = CMBatchedSensorManager.isDeviceMotionSupported
    let following = Task {
      if hasMotion { try await follow(turning) }
    }
    let manager = CMBatchedSensorManager()
    var finder = ImpactFinder(rate: Double(manager.accelerometerDataFrequency))
    var impacts: [Impact] = []
    var (samples, strokes) = (0, 0)

    for try await batch in manager.accelerometerUpdates() {
      samples += batch.count
      impacts += batch.compactMap { finder.take($0) }
      // The two streams come on their own: a stroke is judged when device motion has passed its impact.
      while let impact = impacts.first, strokes < wanted {
        if hasMotion {
          guard await turning.end > impact.time + 0.1 else { break }
        }
        strokes += 1
        await tell(impact, number: strokes, turning)
        impacts.removeFirst()
      }
      if strokes == wanted { break }
    }
    if strokes < wanted {
      // A recording has ended: device motion ends with it.
      try await following.value
      for impact in (impacts + finder.finish()).prefix(wanted - strokes) {
        strokes += 1
        await tell(impact, number: strokes, turning)
      }
    }
    following.cancel()
    print("\(samples) samples, \(strokes) strokes")
    return strokes
  }

  static func follow(_ turning: Turning) async throws {
    let manager = CMBatchedSensorManager()
    for try await batch in manager.deviceMotionUpdates() {
      await turning.add(batch.map { Turning.Moment(time: $0.timestamp, rate: aboutGravity($0)) })
    }
  }

  /// rad/s about the direction of gravity, whatever the pose of the wrist.
  static func aboutGravity(_ motion: CMDeviceMotion) -> Double {
    let (rate, gravity) = (motion.rotationRate, motion.gravity)
    let length = (gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z).squareRoot()
    return (rate.x * gravity.x + rate.y * gravity.y + rate.z * gravity.z) / length
  }

  static func tell(_ impact: Impact, number: Int, _ turning: Turning) async {
    let hit = String(format: "stroke %2d  hit with %.1f g  ", number, impact.peak)
    if await turning.isEmpty {
      print(hit + "time to contact needs 200 Hz device motion")
    } else if let start = await turning.start(before: impact.time) {
      print(hit + String(format: "%.0f ms to contact", (impact.time - start) * 1000))
    } else {
      print(hit + "no swing before it")
    }
  }
}

/// A ball on the strings.
struct Impact {
  /// When the acceleration was largest.
  var time: TimeInterval
  /// g.
  var peak: Double
}

/// Finds impacts: accelerations that change faster than an arm can, above 100 Hz.
struct ImpactFinder {
  /// g above 100 Hz. Seven real forehands had 12 to 34.
  static let threshold = 5.0

  // A Butterworth high pass of the second order, one for each axis.
  private let (b, a1, a2): (Double, Double, Double)
  private var inputs: [SIMD3<Double>] = []
  private var outputs = [SIMD3<Double>](repeating: .zero, count: 2)
  private var found: (impact: Impact, since: TimeInterval)?
  private var last = -TimeInterval.infinity

  init(rate: Double) {
    let k = tan(.pi * 100 / rate)
    let scale = 1 / (1 + 2.0.squareRoot() * k + k * k)
    (b, a1, a2) = (scale, 2 * (k * k - 1) * scale, (1 - 2.0.squareRoot() * k + k * k) * scale)
  }

  /// Returns an impact when its peak is over.
  mutating func take(_ data: CMAccelerometerData) -> Impact? {
    let x = SIMD3(data.acceleration.x, data.acceleration.y, data.acceleration.z)
    if inputs.isEmpty { inputs = [x, x] }
    let y = (x - 2 * inputs[0] + inputs[1]) * b - outputs[0] * a1 - outputs[1] * a2
    inputs = [x, inputs[0]]
    outputs = [y, outputs[0]]

    let size = (x * x).sum().squareRoot()
    if let (impact, since) = found {
      if data.timestamp - since > 0.025 {
        found = nil
        return impact
      }
      if size > impact.peak { found = (Impact(time: data.timestamp, peak: size), since) }
    } else if (y * y).sum().squareRoot() > Self.threshold, data.timestamp - last > 0.5 {
      last = data.timestamp
      found = (Impact(time: data.timestamp, peak: size), last)
    }
    return nil
  }

  /// The impact whose peak was still being looked for.
  mutating func finish() -> [Impact] {
    defer { found = nil }
    return found.map { [$0.impact] } ?? []
  }
}

/// The rotation about gravity of the last seconds.
actor Turning {
  struct Moment: Sendable {
    var time: TimeInterval
    /// rad/s.
    var rate: Double
  }

  private var moments: [Moment] = []

  var isEmpty: Bool { moments.isEmpty }
  var end: TimeInterval { moments.last?.time ?? -.infinity }

  func add(_ batch: [Moment]) {
    moments += batch
    let oldest = end - 6
    moments.removeAll { $0.time < oldest }
  }

  /// Walks back from the impact to where the rotation, in its own direction, was below a tenth of its fastest for 30
  /// ms.
  func start(before impact: TimeInterval) -> TimeInterval? {
    let swing = moments.filter { $0.time <= impact && $0.time >= impact - 1.5 }
    let ending = swing.indices.filter { impact - swing[$0].time < 0.1 }
    guard let fastest = ending.max(by: { abs(swing[$0].rate) < abs(swing[$1].rate) }), abs(swing[fastest].rate) > 1
    else { return nil }
    let direction = swing[fastest].rate > 0 ? 1.0 : -1
    var peak = 0.0
    var quiet: Int?
    for index in swing[...fastest].indices.reversed() {
      peak = max(peak, swing[index].rate * direction)
      let threshold = max(1, peak / 10)
      guard swing[index].rate * direction < threshold else {
        quiet = nil
        continue
      }
      let border = quiet ?? index
      quiet = border
      guard swing[border].time - swing[index].time >= 0.03 else { continue }
      let (before, after) = (swing[border], swing[border + 1])
      let part = (threshold - before.rate * direction) / ((after.rate - before.rate) * direction)
      return before.time + part * (after.time - before.time)
    }
    return nil
  }
}
