// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import OrientationFusion
import SimulatedSources
import Testing

/// Motions whose outcome is known beforehand.
@Suite struct OrientationFilterLawTests {
  @Test(
    arguments: [Vector3<Device>.xAxis, .yAxis, .zAxis, Vector3(x: 0.6, y: -0.64, z: 0.48)], [0.2, 3.0, 15])
  func aSpinThatNeverEndsStaysASpin(axis: Vector3<Device>, rate: Double) {
    // After a rest, so that the slow spin is none of a bias; up to 860 °/s and, at 15 rad/s, 48 turns.
    var motion = SimulatedMotion(start: .turned(35, about: Vector3(x: 1, y: 1, z: 0)))
    motion.rate = { t in t < 4 ? .zero : axis * (rate * min(1, t - 4)) }
    let log = SensorLog(motion, seconds: 25)
    for usesMagnetometer in [false, true] {
      let errors = log.errors(usesMagnetometer: usesMagnetometer, from: 4)
      #expect(errors.inclination < 0.15)
      #expect(errors.total < 0.3)
    }
  }

  /// Coning: the axis of the turn itself goes round, no axis turns on the whole, and yet a heading builds up, which a
  /// filter has to see in rates alone (P. G. Savage, "Strapdown inertial navigation integration algorithm design, part
  /// 1", J. Guidance, Control and Dynamics 21(1), 1998).
  @Test(arguments: [1.0, 3.0]) func coningLeavesTheHeadingThatGeometrySays(frequency: Double) throws {
    let (amplitude, pulse) = (Angle(degrees: 10).radians, 2 * Double.pi * frequency)
    var motion = SimulatedMotion()
    motion.noise = (0, 0, 0)
    motion.rate = { t in
      t < 4
        ? .zero
        : Vector3(
          x: amplitude * pulse * Scalar.cos(pulse * (t - 4)), y: amplitude * pulse * Scalar.sin(pulse * (t - 4)), z: 0)
    }
    let log = SensorLog(motion, seconds: 24)
    let attitudes = log.attitudes(usesMagnetometer: false)
    let estimate = try #require(attitudes.last ?? nil)
    let truth = try #require(log.rows.last?.truth)
    let error = estimate * truth.inverse
    let heading = Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees
    let errors = log.errors(usesMagnetometer: false, from: 4)
    print("coning at \(frequency) Hz: heading \(heading)°, \(errors)")
    // The cone's heading is Ω a²/2 a second. With x = Ω T/2, trapezoids of rates T apart make the circle a polygon
    // whose radius is too small by x²/3 and whose area is once more smaller by 2x²/3: 4x²/3 in all, of which the filter
    // may learn the radius as a scale. That is 0.14° and 3.9° in 20 s at 100 Hz.
    let x = pulse * 0.005
    let unseen = Angle(radians: 20 * pulse * amplitude * amplitude / 2 * (4.0 / 3) * x * x).degrees
    #expect(abs(heading) < 1.1 * unseen + 0.1)
    #expect(errors.inclination < 0.6)
  }

  @Test(arguments: [Vector3<Device>.xAxis, .yAxis])
  func loopsThroughTheGimbalLockAndUpsideDownLoseNothing(axis: Vector3<Device>) {
    // Somersaults: pitch or roll passes ±90° and 180° twice a turn, with a slow turn about the vertical besides.
    var motion = SimulatedMotion(start: .turned(50, about: .zAxis))
    motion.rate = { t in t < 4 ? .zero : axis * 2 + Vector3(x: 0, y: 0, z: 0.2 * Scalar.sin(0.9 * (t - 4))) }
    let log = SensorLog(motion, seconds: 30)
    let nine = log.errors(usesMagnetometer: true, from: 4)
    let six = log.errors(usesMagnetometer: false, from: 4)
    print("loops about \(axis): 9D \(nine), 6D \(six)")
    #expect(nine.largest < 0.9)
    #expect(six.inclination < 0.45)
  }

  @Test func aMotionUpsideDownIsAsGoodAsUpright() {
    let upright = OrientationFilterRobustnessTests.everydayMotion()
    var over = upright
    over = SimulatedMotion(
      start: .turned(180, about: .xAxis) * Rotation(rotationVector: Vector3<Device>(x: 0.3, y: 0, z: 0)))
    (over.rate, over.acceleration, over.bias) = (upright.rate, upright.acceleration, upright.bias)
    let (a, b) = (
      SensorLog(upright, seconds: 25).errors(usesMagnetometer: true, from: 5),
      SensorLog(over, seconds: 25).errors(usesMagnetometer: true, from: 5)
    )
    print("upright \(a), upside down \(b)")
    #expect(b.total < a.total + 0.5)
    #expect(b.inclination < a.inclination + 0.3)
  }

  @Test(arguments: [0.3, 1.0, 2.0]) func aThrowIsCarriedByTheGyroscopeAlone(duration: Double) {
    // Tumbling in free fall the accelerometer shows nothing; only the gyroscope's noise and bias count.
    var motion = SimulatedMotion(start: .turned(25, about: .xAxis))
    motion.bias = Vector3(x: 0.01, y: -0.01, z: 0.02)
    motion.rate = { t in t > 5 && t < 5 + duration ? Vector3(x: 4, y: -3, z: 5) : .zero }
    motion.acceleration = { t in t > 5 && t < 5 + duration ? SimulatedMotion.gravity * -1 : .zero }
    let errors = SensorLog(motion, seconds: 6 + duration).errors(usesMagnetometer: false, from: 4)
    print("throw of \(duration) s: \(errors)")
    // The rate jumps twice between two samples: each time half an interval of 405 °/s is unknowable.
    #expect(errors.inclination < 2)
  }
}

/// The laws of physics know no axes: what is turned or shifted as a whole gives the same result, turned or shifted.
@Suite struct OrientationFilterEquivarianceTests {
  static let log = SensorLog(OrientationFilterRobustnessTests.everydayMotion(), seconds: 20)

  /// The largest angle, in rad, between two courses of attitudes, both of which must be complete from the first row on;
  /// `first`: the rows before the heading is known, which do not count.
  static func largestAngle(
    _ a: [Rotation<Device, EastNorthUp>?], _ b: [Rotation<Device, EastNorthUp>?], without first: Int = 0
  ) -> Double {
    guard a.count == b.count else { return .infinity }
    return zip(a, b).dropFirst(first).reduce(0) { largest, pair in
      guard let (one, other) = pair.0.flatMap({ one in pair.1.map { (one, $0) } }) else { return .infinity }
      return max(largest, one.angle(to: other))
    }
  }

  // The filter measures one component after the other, and at rest takes the scale for known while it measures the
  // bias: which axis comes first is seen in the fifth digit. Turned by a half turn about z, nothing but signs differs.

  @Test(arguments: [
    Vector3<Device>(x: .pi / 2, y: 0, z: 0), Vector3(x: 0, y: -.pi / 2, z: 0), Vector3(x: 0, y: 0, z: .pi),
    Vector3(x: 1.2, y: -0.8, z: 0.5),
  ])
  func otherAxesOfTheSensorTurnTheResult(turn: Vector3<Device>) {
    let mounting = Rotation<Device, Device>(rotationVector: turn)
    let plain = Self.log.attitudes(usesMagnetometer: true).map { $0.map { $0 * mounting.inverse } }
    let turned = Self.log.turned(by: mounting).attitudes(usesMagnetometer: true)
    let angle = Self.largestAngle(plain, turned, without: 100)
    print("sensor turned by \(turn): \(angle) rad")
    #expect(angle < (turn.z == .pi ? 1e-6 : 2e-4))
  }

  /// Six degrees of freedom have no north: the azimuth of the start is arbitrary, and stays the same all the time.
  @Test(arguments: [Vector3<Device>(x: .pi / 2, y: 0, z: 0), Vector3(x: 0, y: 0.7, z: 2), Vector3(x: -1, y: 2, z: 0.3)])
  func withoutMagnetometerOtherAxesTurnTheResultButForTheAzimuthOfTheStart(turn: Vector3<Device>) throws {
    let mounting = Rotation<Device, Device>(rotationVector: turn)
    let plain = Self.log.attitudes(usesMagnetometer: false).map { $0.map { $0 * mounting.inverse } }
    let turned = Self.log.turned(by: mounting).attitudes(usesMagnetometer: false)
    let start = try #require(turned.first ?? nil) * (try #require(plain.first ?? nil)).inverse
    // A turn about the vertical and nothing else.
    #expect(abs(start.x) < 1e-9 && abs(start.y) < 1e-9)
    let angle = Self.largestAngle(plain.map { $0.map { start * $0 } }, turned)
    print("sensor turned by \(turn), 6D: \(angle) rad")
    #expect(angle < 2e-4)
  }

  /// Only where the inclination is right: a wrong vertical takes a part of the downward field for a horizontal one, and
  /// which way that turns the heading depends on the azimuth. A tenth of a degree of inclination remains, from the
  /// sampling.
  @Test(arguments: [0.4, -1.3, 2.5, .pi]) func anotherNorthTurnsTheResult(azimuth: Double) {
    var motion = OrientationFilterRobustnessTests.everydayMotion()
    motion.acceleration = { _ in .zero }
    motion.noise = (0, 0, 0)
    motion.bias = .zero
    let log = SensorLog(motion, seconds: 20)
    let turn = Rotation<EastNorthUp, EastNorthUp>(aboutZ: azimuth)
    let turned = log.mapRows { row in
      guard let truth = row.truth else { return }
      row.magneticField = truth.inverse * (turn.inverse * (truth * row.magneticField))
    }
    let expected = log.attitudes(usesMagnetometer: true).map { $0.map { turn * $0 } }
    let angle = Self.largestAngle(expected, turned.attitudes(usesMagnetometer: true), without: 100)
    print("north turned by \(azimuth): \(angle) rad")
    #expect(angle < 6e-3)
  }

  /// The earth's field has half to one and a half of the assumed strength.
  @Test(arguments: [0.7, 1.2]) func theStrengthOfTheFieldMattersLittle(factor: Double) {
    let other = Self.log.mapRows { $0.magneticField = $0.magneticField * factor }
    let angle = Self.largestAngle(
      Self.log.attitudes(usesMagnetometer: true), other.attitudes(usesMagnetometer: true), without: 100)
    print("field of \(factor) times the strength: \(angle) rad")
    #expect(angle < 0.03)
  }

  @Test(arguments: [-4_999_999_999_000, 3_600_000_000_000, 9_000_000_000_000_000])
  func theTimeSinceBootDoesNotMatter(shift: Int64) {
    let shifted = Self.log.mapRows { $0.time += shift }
    #expect(
      shifted.attitudes(usesMagnetometer: true) == Self.log.attitudes(usesMagnetometer: true))
  }

  @Test func fourFiltersAtOnceGiveTheSameBits() async {
    let alone = Self.log.attitudes(usesMagnetometer: true)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { Self.log.attitudes(usesMagnetometer: true) == alone } }
      for await same in group { #expect(same) }
    }
  }
}

/// Corrections come ten times a second; the output must not show it.
@Suite struct OrientationFilterSmoothnessTests {
  /// The largest change, rad, of the turn between samples from one sample to the next.
  struct Unevenness {
    private var previous: Rotation<Device, EastNorthUp>?
    private var step: Vector3<Device>?
    private(set) var largest = 0.0

    mutating func add(_ attitude: Rotation<Device, EastNorthUp>) {
      if let previous {
        let turn = (previous.inverse * attitude).rotationVector
        if let step { largest = max(largest, (turn - step).length) }
        step = turn
      }
      previous = attitude
    }
  }

  @Test(arguments: [false, true]) func atConstantSpinTheOutputHasNoSteps(usesMagnetometer: Bool) {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { _ in Vector3(x: 0.3, y: 0.2, z: 1) }
    // The accelerometer feels the swing, and corrects for it, rightly or not.
    motion.acceleration = { t in Vector3(x: 3 * Scalar.sin(4 * t), y: 2 * Scalar.sin(5 * t), z: 0) }
    motion.bias = Vector3(x: 0.004, y: -0.003, z: 0.005)
    motion.noise = (0, 0, 0)
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: usesMagnetometer)
    motion.run(&filter, seconds: 10)
    var (output, estimate) = (Unevenness(), Unevenness())
    motion.run(&filter, seconds: 20) { filter, _ in
      guard let attitude = filter.attitude, let inner = filter.state.attitude else { return }
      output.add(attitude)
      estimate.add(inner)
    }
    print("largest second difference: estimate \(estimate.largest), output \(output.largest) rad")
    // The corrections are there, and the output does not show where they begin.
    #expect(estimate.largest > 1e-3)
    #expect(output.largest < 0.1 * estimate.largest)
  }

  @Test func aCorrectionIsWholeOneBlockLater() {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.noise = (0, 0, 0)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    #expect(motion.tiltError(filter) < 1e-3)
  }
}

/// The filter's output over six simulated motions equals the reviewed output in the files.
///
/// An intended change of the filter changes the files. Write them again, review the difference and commit it:
///
/// ```sh
/// OPENCOREMOTION_WRITE_GOLDEN=1 swift test --filter OrientationFilterGoldenTests
/// ```
///
/// The files are those of double precision. In single precision (`--traits SinglePrecision`) the attitudes have to
/// follow them within 0.01° (0.1° at 50 Hz, 0.3° on a drive, 1° of a heading that is stated to 20°);
/// `Scripts/test-single-precision.sh` runs that.
@Suite struct OrientationFilterGoldenTests {
  enum Motion: String, CaseIterable {
    case rest, handheld, everyday, coning, drive, turnedField

    var log: SensorLog {
      switch self {
      case .rest: return SensorLog(Rest(), seconds: Self.seconds, rate: 50)
      case .handheld: return SensorLog(Handheld(), seconds: Self.seconds, rate: 50)
      case .everyday:
        return SensorLog(OrientationFilterRobustnessTests.everydayMotion(), seconds: Self.seconds)
      case .coning:
        var motion = SimulatedMotion()
        motion.sampleRate = 50
        motion.rate = { t in t < 3 ? .zero : Vector3(x: Scalar.cos(8 * t), y: Scalar.sin(8 * t), z: 0.1) }
        return SensorLog(motion, seconds: Self.seconds)
      case .drive: return SensorLog(Drive(), rest: 5, seconds: Self.seconds, rate: 50)
      case .turnedField:
        return SensorLog(OrientationFilterHeadingTests.handheld(), seconds: Self.seconds)
          .fieldTurned(forSeconds: 5)
      }
    }

    private static var seconds: Double { 30 }
  }

  /// What a row of a file holds, each number with the deviation that is allowed.
  static let columns: [(name: String, tolerance: Double)] = [
    ("seconds", 1e-6),
    // Attitude with magnetometer and without. Other libraries of sin and cos differ in the last bit; nothing amplifies
    // it.
    ("w9", 2e-6), ("x9", 2e-6), ("y9", 2e-6), ("z9", 2e-6), ("w6", 2e-6), ("x6", 2e-6), ("y6", 2e-6), ("z6", 2e-6),
    // Bias, rad/s; standard deviations, rad.
    ("bx", 1e-6), ("by", 1e-6), ("bz", 1e-6), ("inclination", 1e-5), ("heading", 1e-5),
  ]

  static func trace(_ motion: Motion) -> [[Double]] {
    let log = motion.log
    var six = OrientationFilter(parameters: log.parameters, usesMagnetometer: false)
    var nine = OrientationFilter(parameters: log.parameters, usesMagnetometer: true)
    var sixes: [Rotation<Device, EastNorthUp>] = []
    log.run(&six) { filter, _ in sixes.append(filter.attitude ?? .identity) }
    var rows: [[Double]] = []
    var number = 0
    log.run(&nine) { filter, row in
      defer { number += 1 }
      // The last sample before each whole second; by the fourth the filter has settled, so the beginning is seen as
      // well.
      let next = number + 1 < log.rows.count ? log.seconds(log.rows[number + 1]) : .infinity
      guard number == 0 || next.rounded(.down) > log.seconds(row).rounded(.down) else { return }
      let (bias, a, b) = (filter.gyroscopeBias, filter.attitude ?? .identity, sixes[number])
      rows.append([
        log.seconds(row), a.w, a.x, a.y, a.z, b.w, b.x, b.y, b.z, bias.x, bias.y, bias.z,
        filter.inclinationStandardDeviation, filter.headingStandardDeviation,
      ])
    }
    return rows
  }

  static func file(_ motion: Motion) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/\(motion.rawValue).txt")
  }

  static func text(_ motion: Motion, _ rows: [[Double]]) -> String {
    let head =
      "# The filter over the simulated motion \"\(motion.rawValue)\"; written by OrientationFilterGoldenTests.\n# "
      + columns.map(\.name).joined(separator: " ") + "\n"
    return rows.reduce(into: head) { text, row in
      text += row.map { String(format: "%.8f", $0) }.joined(separator: " ") + "\n"
    }
  }

  static let writes = ProcessInfo.processInfo.environment["OPENCOREMOTION_WRITE_GOLDEN"] == "1"

  @Test(arguments: Motion.allCases) func theOutputIsThatOfTheFile(motion: Motion) throws {
    let rows = Self.trace(motion)
    if Self.writes {
      try Self.text(motion, rows).write(to: Self.file(motion), atomically: true, encoding: .utf8)
    }
    let lines = try String(contentsOf: Self.file(motion), encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    try #require(lines.count == rows.count)
    #if SinglePrecision
    var largest = 0.0
    for (line, row) in zip(lines, rows) {
      let golden = line.split(separator: " ").compactMap { Double($0) }
      for start in [1, 5] {
        let angle = try #require(Self.attitude(golden, start)).angle(to: #require(Self.attitude(row, start)))
        largest = max(largest, Angle(radians: angle).degrees)
      }
    }
    print("single against double precision, \(motion.rawValue): largest \(largest)°")
    // At 50 Hz five intervals of 0.02 s fill a block of 0.1 s in Double and are a little less in Float: other samples
    // then end the blocks. On a drive, whose hold and travel begin at limits, that is more. After a wrong
    // field the models are undecided, and a last digit moves their weights.
    let limits: [Motion: Double] = [.everyday: 0.01, .turnedField: 1, .drive: 0.3]
    #expect(largest < limits[motion] ?? 0.1)
    #else
    for (line, row) in zip(lines, rows) {
      var golden = line.split(separator: " ").compactMap { Double($0) }
      try #require(golden.count == Self.columns.count)
      // A quaternion and its negative are the same rotation.
      for start in [1, 5]
      where zip(golden[start..<start + 4], row[start..<start + 4]).reduce(0, { $0 + $1.0 * $1.1 }) < 0 {
        for index in start..<start + 4 { golden[index] = -golden[index] }
      }
      for (column, numbers) in zip(Self.columns, zip(golden, row)) {
        #expect(
          abs(numbers.0 - numbers.1) <= column.tolerance, "\(motion.rawValue), \(row[0]) s, column \(column.name)")
      }
    }
    #endif
  }

  private static func attitude(_ row: [Double], _ start: Int) -> Rotation<Device, EastNorthUp>? {
    Rotation(w: row[start], x: row[start + 1], y: row[start + 2], z: row[start + 3])
  }

  @Test(arguments: Motion.allCases) func theFilesAreGoodAsWell(motion: Motion) {
    // A file that was written by a broken filter would hold it broken.
    let errors = motion.log.errors(usesMagnetometer: true, from: motion == .turnedField ? 25 : 5)
    print("golden \(motion.rawValue): \(errors)")
    // A car that pulls away tips the vertical (OrientationFilterVehicleTests).
    // A field that has pointed elsewhere for long turns back slowly: there the inclination is judged.
    #expect((motion == .turnedField ? errors.inclination : errors.total) < (motion == .drive ? 11 : 0.8))
  }
}
