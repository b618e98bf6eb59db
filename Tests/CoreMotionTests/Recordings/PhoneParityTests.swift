// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
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
    #expect(ours.errors.filter { $0 == Int(CMErrorDeviceRequiresMovement.rawValue) }.count <= 1)
  }
}
