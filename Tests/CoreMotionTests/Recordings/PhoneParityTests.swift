// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@testable import CoreMotion

/// Recordings of real iPhones: raw sensors beside what Core Motion itself gave.
@Suite struct PhoneParityTests {
  static let sessions = ["pyojin_iphone_2019_06_11", "pyojin_iphone_2019_06_10"]
  static var available: Bool {
    sessions.allSatisfy { SharedData.has("mcap/\($0).mcap") && SharedData.has("iphone/\($0)") }
  }
  /// Bounds on the mean angle to Apple's gravity, degrees.
  static let bounds = [sessions[0]: 0.5, sessions[1]: 0.6]

  private static func raw(_ session: String) -> String { SharedData.path("mcap/\(session).mcap") }

  /// What Core Motion gave, out of the logger's texts: ns and numbers, gravity and user acceleration in g × 9.81, the
  /// attitude's w behind.
  private static func apples(_ session: String) async throws -> RecordedRun {
    func rows(_ name: String) throws -> [Int: [Double]] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/gzip")
      process.arguments = ["-dc", SharedData.path("iphone/\(session)/\(name).txt.gz")]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
        separator: "\n")
      let pairs = lines.compactMap { line -> (Int, [Double])? in
        let fields = line.split(separator: " ")
        return fields.first.flatMap { Int($0) }.map { ($0, fields.dropFirst().compactMap { Double($0) }) }
      }
      return Dictionary(pairs) { first, _ in first }
    }
    let (attitude, rate, gravity) = (try rows("game_rv"), try rows("gyro"), try rows("gravity"))
    let (user, field, heading) = (try rows("linacce"), try rows("magnet"), try rows("heading"))
    let axes = ["rotationRate", "gravity", "userAcceleration", "magneticField"].flatMap { name in
      ["x", "y", "z"].map { "\(name)_\($0)" }
    }
    var text =
      "timestamp,attitude_x,attitude_y,attitude_z,attitude_w,\(axes.joined(separator: ",")),heading,attitudeReferenceFrame\n"
    for time in attitude.keys.sorted() {
      guard let q = attitude[time], let w = rate[time], let g = gravity[time], let u = user[time] else { continue }
      let b = field[time]?.map { "\($0)" } ?? ["", "", ""]
      let numbers = (q + w + g.map { $0 / 9.81 } + u.map { $0 / 9.81 }).map { "\($0)" }
      let cells = numbers + b + [heading[time]?.first.map { "\($0)" } ?? "", "4"]
      text +=
        String(format: "%d.%09d,", time / 1_000_000_000, time % 1_000_000_000) + cells.joined(separator: ",") + "\n"
    }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("apples-\(UUID().uuidString).csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try text.write(to: file, atomically: true, encoding: .utf8)
    return try await RecordedRun.collect(replay: file.path, options: "&motion=recorded")
  }

  @Test(.enabled(if: available, "needs mcap/ and iphone/pyojin_iphone_2019_06_1*"), arguments: sessions)
  func gravityAndUserAccelerationAddUpToTheRawSample(session: String) async throws {
    let run = try await RecordedRun.collect(replay: Self.raw(session))
    #expect(run.motions.count > 3000)
    var index = 0
    var worst = 0.0
    for motion in run.motions {
      // The row was made from the sample nearest to it.
      while index + 1 < run.accelerations.count,
        abs(run.accelerations[index + 1].timestamp - motion.timestamp)
          < abs(run.accelerations[index].timestamp - motion.timestamp)
      {
        index += 1
      }
      for axis in 0..<3 {
        let sum = motion.gravity[axis] + motion.userAcceleration[axis]
        worst = max(worst, abs(sum - run.accelerations[index].value[axis]))
      }
    }
    print("\(session): gravity + userAcceleration − accelerometer: at most \(worst) g (S4)")
    #expect(worst <= 1e-12)
  }

  @Test(.enabled(if: available, "needs mcap/ and iphone/pyojin_iphone_2019_06_1*"), arguments: sessions)
  func fusedGravityIsCloseToApples(session: String) async throws {
    let ours = try await RecordedRun.collect(replay: Self.raw(session))
    let apples = try await Self.apples(session)
    let rows = apples.motions.map { (timestamp: $0.timestamp, value: $0.gravity) }
    let user = apples.motions.map { (timestamp: $0.timestamp, value: $0.userAcceleration) }
    let rates = apples.motions.map { (timestamp: $0.timestamp, value: $0.rotationRate) }
    let begin = try #require(ours.motions.first?.timestamp) + 2
    var (sum, count, squares, rateSquares) = (0.0, 0, 0.0, 0.0)
    var (i, j, k) = (0, 0, 0)
    for motion in ours.motions where motion.timestamp >= begin {
      guard let gravity = interpolate(rows, at: motion.timestamp, from: &i),
        let acceleration = interpolate(user, at: motion.timestamp, from: &j),
        let rate = interpolate(rates, at: motion.timestamp, from: &k)
      else { continue }
      sum += angleDegrees(motion.gravity, gravity)
      squares += zip(motion.userAcceleration, acceleration).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      rateSquares += zip(motion.rotationRate, rate).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      count += 1
    }
    let mean = sum / Double(count)
    let figures = String(
      format: "gravity %.3f° mean, user acceleration %.4f g RMS, rotation rate %.3f °/s RMS", mean,
      (squares / Double(count)).squareRoot(), (rateSquares / Double(count)).squareRoot() * 180 / .pi)
    print("\(session): difference to Apple, interpolated at our time stamps, over \(count) rows: \(figures)")
    #expect(count > 2500)
    #expect(mean <= (Self.bounds[session] ?? 0))
  }

  @Test(.enabled(if: available, "needs mcap/ and iphone/pyojin_iphone_2019_06_1*"), arguments: sessions)
  func applesQuaternionGivesApplesGravityByOurConventions(session: String) async throws {
    let apples = try await Self.apples(session)
    #expect(apples.motions.count > 3000)
    var worst = 0.0
    for motion in apples.motions {
      let fromMatrix = [-motion.matrix[2], -motion.matrix[5], -motion.matrix[8]]
      // S13, S14: the angles say the same as the matrix.
      let (roll, pitch) = (motion.angles[0], motion.angles[1])
      let fromAngles = [cos(pitch) * sin(roll), -sin(pitch), -cos(pitch) * cos(roll)]
      for axis in 0..<3 {
        worst = max(worst, abs(fromMatrix[axis] - motion.gravity[axis]))
        #expect(abs(fromMatrix[axis] - fromAngles[axis]) < 1e-5)
      }
    }
    print("\(session): gravity from Apple's quaternion − Apple's gravity: at most \(worst) g (S14)")
    // Six decimals of a quaternion leave an error of up to four units of the sixth decimal in a product.
    #expect(worst < 5e-6)
  }

  @Test(.enabled(if: available, "needs mcap/ and iphone/pyojin_iphone_2019_06_11"))
  func applesAttitudeGivesApplesHeadingInEveryDecidableRow() async throws {
    let session = Self.sessions[0]
    let apples = try await Self.apples(session)
    var decidable = 0
    var worst = 0.0
    for motion in apples.motions where motion.heading >= 0 {
      // Where |gravity.y| and |gravity.z| are equal to text precision the row cannot say which axis was used.
      guard abs(abs(motion.gravity[1]) - abs(motion.gravity[2])) > 2e-6 else { continue }
      let q = motion.quaternion
      let gravity = CMAcceleration(x: motion.gravity[0], y: motion.gravity[1], z: motion.gravity[2])
      let heading = CMQuaternion(x: q[0], y: q[1], z: q[2], w: q[3]).headingDegrees(gravity: gravity)
      // The azimuth of an axis near the vertical is lost in the sixth decimal: weigh it by its horizontal part.
      let isFlat = abs(motion.gravity[1]) <= abs(motion.gravity[2])
      let vertical = isFlat ? motion.gravity[1] : motion.gravity[2]
      let horizontal = max(0, 1 - vertical * vertical).squareRoot()
      let difference = abs(remainder(heading - motion.heading, 360))
      worst = max(worst, difference * horizontal)
      decidable += 1
    }
    print("\(session): D1 heading from Apple's attitude: \(decidable) decidable rows, at most \(worst)° off")
    #expect(decidable > 4000)
    #expect(worst < 0.001)
  }

  @Test(.enabled(if: available, "needs mcap/ and iphone/pyojin_iphone_2019_06_11"))
  func headingAndFieldBesideApples() async throws {
    let session = Self.sessions[0]
    let ours = try await RecordedRun.collect(
      replay: Self.raw(session), frame: .xMagneticNorthZVertical)
    let apples = try await Self.apples(session)
    let fields = apples.motions.map { (timestamp: $0.timestamp, value: $0.field) }
    var (i, j) = (0, 0)
    var (headings, fieldErrors, appleAzimuths): ([Double], [Double], [Double]) = ([], [], [])
    for motion in ours.motions where motion.accuracy >= 0 {
      guard let field = interpolate(fields, at: motion.timestamp, from: &i) else { continue }
      fieldErrors.append(zip(motion.field, field).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot())
      while j + 1 < apples.motions.count, apples.motions[j + 1].timestamp <= motion.timestamp { j += 1 }
      guard motion.headingAccuracy >= 0 else { continue }
      headings.append(abs(remainder(motion.heading - apples.motions[j].heading, 360)))
      // Where Apple's own field points in Apple's own frame: 0 would be its magnetic north.
      let (m, b) = (apples.motions[j].matrix, apples.motions[j].field)
      appleAzimuths.append(
        atan2(m[1] * b[0] + m[4] * b[1] + m[7] * b[2], m[0] * b[0] + m[3] * b[1] + m[6] * b[2]) * 180 / .pi)
    }
    let first = ours.motions.first { $0.accuracy >= 0 }.map { $0.timestamp - ours.motions[0].timestamp }
    func median(_ values: [Double]) -> Double { values.isEmpty ? .nan : values.sorted()[values.count / 2] }
    print(
      "\(session): calibrated from \(first ?? .nan) s on; median difference to Apple: heading \(median(headings))° (\(headings.count) rows), field \(median(fieldErrors)) µT; Apple's field lies \(median(appleAzimuths))° from the north of Apple's frame"
    )
    // Figures, not bounds: Apple's calibration began before the recording did. What must hold: S28 and S44.
    #expect(ours.motions.allSatisfy { (0..<360).contains($0.heading) })
    #expect(ours.errors.filter { $0 == Int(CMErrorDeviceRequiresMovement.rawValue) }.count <= 2)
  }
}

@Suite struct GyroscopeBiasTests {
  /// The second is the bias of a real iPhone 5: 6.3 °/s.
  @Test(arguments: [0.05, 0.11], ["ideal", "phone"])
  func aBiasIsGoneAfterFiveSecondsAtRest(bias: Double, errors: String) async throws {
    let source = try SimulatedSource(
      scenario: "rest",
      options: ["bias": "\(bias):\(-bias):\(bias)", "errors": errors, "duration": "7", "magnetometer": "no"])
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let run = try await RecordedRun.collect(host)
    let rest = run.motions.filter { $0.timestamp >= 5 }
    #expect(rest.count > 150)
    for axis in 0..<3 {
      // The mean over two seconds is what is left of the bias; the sensor's noise is not.
      let left = rest.map { $0.rotationRate[axis] }.reduce(0, +) / Double(rest.count)
      #expect(abs(left) * 180 / .pi < 0.1, "axis \(axis): \(left * 180 / .pi) °/s left")
    }
  }
}

@Suite struct ReplayDeterminismTests {
  /// Two seconds of a phone that is picked up and turned.
  private static func writeRecording() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("determinism-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = "timestamp_ns,x,y,z\n"
    var (accelerometer, gyroscope, magnetometer) = (header, header, header)
    for index in 0..<200 {
      let time = 5_000_000_000 + index * 10_007_000
      let angle = 0.9 * sin(Double(index) / 40)
      accelerometer += "\(time + 3_000_000),\(-9.81 * sin(angle)),\(0.01 * cos(Double(index))),\(9.81 * cos(angle))\n"
      gyroscope += "\(time),0.01,\(0.9 / 40 * 100 * cos(Double(index) / 40)),-0.02\n"
      magnetometer += "\(time + 1_000_000),\(20e-6 * cos(angle)),5e-6,\(-40e-6 * sin(angle) - 10e-6)\n"
    }
    for (name, text) in [("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer)] {
      try text.write(to: folder.appendingPathComponent("walk.sensor.\(name).csv"), atomically: true, encoding: .utf8)
    }
    return folder
  }

  @Test func theSameRecordingGivesTheSameBitsAtEverySpeed() async throws {
    let folder = try Self.writeRecording()
    defer { try? FileManager.default.removeItem(at: folder) }
    var runs: [RecordedRun] = []
    for speed in ["max", "max", "50", "1"] {
      let host = try MotionHost("replay:\(folder.path)?speed=\(speed)", gate: .manual)
      runs.append(try await RecordedRun.collect(host, frame: .xMagneticNorthZVertical))
    }
    #expect(runs[0].motions.count >= 195)
    for run in runs.dropFirst() { #expect(run.motions == runs[0].motions) }
  }
  /// D29: twenty runs at each speed on a plain, concurrent queue, side by side, give what one run on a serial queue
  /// gives.
  @Test(arguments: ["1", "10", "max"]) func twentyRunsOnAConcurrentQueueGiveTheSameBits(_ speed: String) async throws {
    let folder = try Self.writeRecording()
    defer { try? FileManager.default.removeItem(at: folder) }
    let expected = try await RecordedRun.collect(replay: folder.path, frame: .xMagneticNorthZVertical)
    let runs = try await withThrowingTaskGroup(of: RecordedRun.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let host = try MotionHost("replay:\(folder.path)?speed=\(speed)", gate: .manual)
          return try await RecordedRun.collect(host, frame: .xMagneticNorthZVertical, on: OperationQueue())
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(runs.count == 20 && expected.motions.count >= 195 && expected.accelerations.count >= 195)
    for run in runs {
      #expect(run.motions == expected.motions && run.errors == expected.errors)
      #expect(run.accelerations.map(\.timestamp) == expected.accelerations.map(\.timestamp))
      #expect(run.accelerations.map(\.value) == expected.accelerations.map(\.value))
    }
  }
}

/// Everything that a client hears when a source plays to its end.
struct RecordedRun: Sendable {
  struct Motion: Sendable, Equatable {
    var timestamp: Double
    var quaternion: [Double]
    var angles: [Double]
    var matrix: [Double]
    var gravity: [Double]
    var userAcceleration: [Double]
    var rotationRate: [Double]
    var field: [Double]
    var accuracy: Int32
    var heading: Double
    var headingAccuracy: Double

    init(_ motion: CMDeviceMotion) {
      timestamp = motion.timestamp
      let q = motion.attitude.quaternion
      quaternion = [q.x, q.y, q.z, q.w]
      angles = [motion.attitude.roll, motion.attitude.pitch, motion.attitude.yaw]
      let m = motion.attitude.rotationMatrix
      matrix = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
      gravity = [motion.gravity.x, motion.gravity.y, motion.gravity.z]
      userAcceleration = [motion.userAcceleration.x, motion.userAcceleration.y, motion.userAcceleration.z]
      rotationRate = [motion.rotationRate.x, motion.rotationRate.y, motion.rotationRate.z]
      field = [motion.magneticField.field.x, motion.magneticField.field.y, motion.magneticField.field.z]
      accuracy = motion.magneticField.accuracy.rawValue
      heading = motion.heading
      headingAccuracy = motion.headingAccuracy
    }
  }

  var motions: [Motion] = []
  var accelerations: [(timestamp: Double, value: [Double])] = []
  var errors: [Int] = []

  /// Plays the source of `host` (with a manual gate) to its end through the façade.
  static func collect(
    _ host: MotionHost, frame: CMAttitudeReferenceFrame = .xArbitraryZVertical, on queue: OperationQueue = serialQueue()
  ) async throws -> RecordedRun {
    let result = Lock(RecordedRun())
    let manager = host.run { CMMotionManager() }
    manager.deviceMotionUpdateInterval = 0
    manager.accelerometerUpdateInterval = 0
    manager.startAccelerometerUpdates(to: queue) { data, _ in
      guard let data else { return }
      let value = [data.acceleration.x, data.acceleration.y, data.acceleration.z]
      result.withLock { $0.accelerations.append((data.timestamp, value)) }
    }
    manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, error in
      if let motion { result.withLock { $0.motions.append(Motion(motion)) } }
      if let error { result.withLock { $0.errors.append((error as NSError).code) } }
    }
    host.play()
    guard let hub = host.device else { return result.withLock { $0 } }
    #expect(await eventually(within: 60) { hub.hasEnded && queue.operationCount == 0 })
    if let failure = hub.failure { throw failure }
    manager.stopDeviceMotionUpdates()
    manager.stopAccelerometerUpdates()
    return result.withLock { $0 }
  }

  static func collect(
    replay path: String, options: String = "", frame: CMAttitudeReferenceFrame = .xArbitraryZVertical
  ) async throws -> RecordedRun {
    try await collect(try MotionHost("replay:\(path)?speed=max\(options)", gate: .manual), frame: frame)
  }
}

/// The angle between two directions, degrees.
func angleDegrees(_ a: [Double], _ b: [Double]) -> Double {
  let dot = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
  let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  return atan2(cross.map { $0 * $0 }.reduce(0, +).squareRoot(), dot) * 180 / .pi
}

/// Values at `times` by straight lines between the rows of `rows`; nil outside.
func interpolate(_ rows: [(timestamp: Double, value: [Double])], at time: Double, from index: inout Int) -> [Double]? {
  while index + 1 < rows.count, rows[index + 1].timestamp < time { index += 1 }
  guard index + 1 < rows.count, rows[index].timestamp <= time else { return nil }
  let (a, b) = (rows[index], rows[index + 1])
  let k = (time - a.timestamp) / (b.timestamp - a.timestamp)
  return zip(a.value, b.value).map { $0 + ($1 - $0) * k }
}
