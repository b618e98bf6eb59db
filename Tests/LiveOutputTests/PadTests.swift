// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CLinuxInput
import Foundation
import Glibc
import MotionMath
import MotionSensing
import Testing

@testable import LinuxSources
@testable import LiveOutput

/// The virtual DualSense: its reports, read as the kernel and our own reader of controllers read them.
@Suite struct PadTests {
  /// A number of a report or a message, its lowest byte first.
  private static func number<N: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int, _: N.Type = Int16.self) -> N {
    bytes[offset..<(offset + N.bitWidth / 8)].reversed().reduce(0) { $0 << 8 | N(truncatingIfNeeded: $1) }
  }

  /// The axes that hid-playstation makes of a report, by what the calibration report says; counts per g and per degree
  /// a second.
  private static func frame(of report: [UInt8], at time: SensorInstant) -> MotionFrame {
    let calibration = DualSense.features(address: [2, 0, 0, 0, 0, 1])[5] ?? []
    var counts = SIMD8<Int32>(repeating: 0)
    for axis in 0..<3 {
      let rate = Int(number(report, 2 + 15 + 2 * axis)), force = Int(number(report, 2 + 21 + 2 * axis))
      let speeds = Int(number(calibration, 19)) + Int(number(calibration, 21))
      let turns = Int(number(calibration, 7 + 4 * axis)) - Int(number(calibration, 9 + 4 * axis))
      let forces = Int(number(calibration, 23 + 4 * axis)) - Int(number(calibration, 25 + 4 * axis))
      counts[axis] = Int32(force * 2 * 8192 / forces)
      counts[3 + axis] = Int32(rate * speeds * 1024 / turns)
    }
    return MotionFrame(time: time, deviceTime: number(report, 2 + 27, UInt32.self) / 3, counts: counts)
  }

  /// The kernel's own names for its axes: 1024 counts per degree a second, 8192 per g.
  private static func sample(of report: [UInt8]) throws -> InertialSample {
    let axes = [Int32](repeating: 8192, count: 3) + [Int32](repeating: 1024, count: 3)
    let scale = try #require(
      ControllerScale(
        axes.map { AbsoluteAxis(minimum: -1 << 21, maximum: 1 << 21, resolution: $0) },
        map: ControllerModel.model(vendor: 0x054C, product: 0x0CE6).axes))
    let time = SensorInstant(nanoseconds: 0)
    let sample = scale.sample(of: frame(of: report, at: time), at: time, wanted: .inertial)
    guard case .inertial(let inertial)? = sample else {
      throw SensorError(.malformed, "No inertial sample.")
    }
    return inertial
  }

  private static let atRest = Vector3<Controller>(x: 0, y: standardGravity, z: 0)

  @Test func aFlatDeviceIsReadBackByOurOwnReaderAsItWas() throws {
    var random = SystemRandomNumberGenerator()
    var encoder = DualSenseEncoder()
    for _ in 0..<1000 {
      func vector(_ range: Double) -> Vector3<Device> {
        Vector3(
          x: .random(in: -range...range, using: &random), y: .random(in: -range...range, using: &random),
          z: .random(in: -range...range, using: &random))
      }
      let (rate, force) = (vector(30), vector(39))
      let report = encoder.report(
        angularVelocity: PadHold.flat(rate), specificForce: PadHold.flat(force), time: SensorInstant(nanoseconds: 0))
      let read = try Self.sample(of: report)
      // Half a count of rounding and half a count that was carried over.
      let count = Angle(degrees: 1.0 / 16).radians
      #expect(read.angularVelocity.isApproximatelyEqual(to: rate, tolerance: count * 1.0001))
      #expect(read.specificForce.isApproximatelyEqual(to: force, tolerance: standardGravity / 8192 * 0.5001))
    }
    #expect(encoder.clipped == 0)
  }

  @Test func theSumOfReportsIsThatOfTheRatesHoweverSlowTheTurn() {
    var encoder = DualSenseEncoder()
    // A sixth of a count.
    let rate = Vector3<Controller>(x: 0, y: Angle(degrees: 0.01).radians, z: 0)
    let sum = (0..<10_000).reduce(0) { sum, _ in
      let report = encoder.report(
        angularVelocity: rate, specificForce: Self.atRest, time: SensorInstant(nanoseconds: 0))
      return sum + Int(Self.number(report, 2 + 17))
    }
    #expect(abs(sum - 1600) <= 1)
  }

  @Test func whatIsBeyondTheRangeIsCutAndCountedAndComesOutNoLater() {
    var encoder = DualSenseEncoder()
    func turn(_ rate: Double, _ force: Double = 0) -> (rate: Int16, force: Int16) {
      let report = encoder.report(
        angularVelocity: Vector3(x: rate, y: 0, z: 0), specificForce: Vector3(x: 0, y: 0, z: force),
        time: SensorInstant(nanoseconds: 0))
      return (Self.number(report, 2 + 15), Self.number(report, 2 + 25))
    }
    #expect(turn(100) == (32767, 0) && turn(-1e300, 1e300) == (-32767, 32767))
    #expect(turn(0) == (0, 0) && encoder.clipped == 2)
  }

  /// Device: x right, y to the top edge, z out of the screen. Controller: x right, y up, z to the player.
  @Test func aHoldTurnsTheDevicesAxesIntoTheControllers() {
    func turned(_ hold: PadHold) -> [Vector3<Controller>] {
      [Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1)].map { hold($0) }
    }
    let (x, y, z) = (
      Vector3<Controller>(x: 1, y: 0, z: 0), Vector3<Controller>(x: 0, y: 1, z: 0),
      Vector3<Controller>(x: 0, y: 0, z: 1)
    )
    // The right edge, the top edge, the way out of the screen.
    #expect(turned(.flat) == [x, -z, y])
    #expect(turned(.upright) == [x, y, z])
    #expect(turned(.landscape) == [y, -x, z])
    for hold in PadHold.allCases {
      let axes = turned(hold)
      #expect(axes[0].cross(axes[1]) == axes[2], "\(hold) is no rotation")
    }
  }

  /// Core Motion says (0, 0, −1) g of a device that lies face up; an accelerometer says +9.81 m/s² up, and so does SDL.
  @Test func aDeviceThatLiesFaceUpShowsPlusOneGUpAndATurnToTheLeftIsPlus() {
    var encoder = DualSenseEncoder()
    let sample = AccelerometerSample(
      time: SensorInstant(nanoseconds: 0), reading: Vector3(x: 0, y: 0, z: -1), unit: .reversedGravity)
    let report = encoder.report(
      angularVelocity: PadHold.flat(Vector3(x: 0, y: 0, z: .pi / 2)),
      specificForce: PadHold.flat(sample.specificForce), time: sample.time)
    #expect((0..<3).map { Self.number(report, 2 + 21 + 2 * $0) } == [0, 8192, 0] as [Int16])
    #expect((0..<3).map { Self.number(report, 2 + 15 + 2 * $0) } == [0, 1440, 0] as [Int16])
  }

  @Test func theTimeIsThatOfTheMeasurementInThirdsOfAMicrosecondModulo32Bits() {
    var encoder = DualSenseEncoder()
    for (nanoseconds, thirds) in [(0, 0), (1_000_000, 3000), (1_431_655_766_000, 2), (Int64.max, nil)]
      as [(Int64, UInt32?)]
    {
      let report = encoder.report(
        angularVelocity: .zero, specificForce: Self.atRest, time: SensorInstant(nanoseconds: nanoseconds))
      if let thirds { #expect(Self.number(report, 2 + 27, UInt32.self) == thirds) }
    }
  }

  /// A byte for the kind of report, then all but the last four bytes, as hid-playstation checks it.
  @Test func everyReportEndsWithItsChecksum() {
    var encoder = DualSenseEncoder()
    let input = encoder.report(
      angularVelocity: .zero, specificForce: Self.atRest, time: SensorInstant(nanoseconds: 5))
    #expect(input.count == 78 && input[0] == 0x31)
    let features = DualSense.features(address: [2, 3, 4, 5, 6, 7])
    #expect(features.mapValues(\.count) == [5: 41, 9: 20, 0x20: 64])
    #expect(features[9]?[1...6] == [7, 6, 5, 4, 3, 2])
    for (kind, report) in [(0xA1, input)] + features.values.map({ (0xA3, $0) }) as [(UInt8, [UInt8])] {
      #expect(Self.number(report, report.count - 4, UInt32.self) == crc32([kind] + report.dropLast(4)))
    }
    for (number, report) in features { #expect(report[0] == number) }
  }

  @Test func messagesToTheKernelHaveItsLayout() {
    let create = UHIDEvent.create(
      name: String(repeating: "n", count: 200), port: "p", unique: "02:03", vendor: 0x054C, product: 0x0CE6,
      descriptor: [1, 2, 3])
    // The places that CLinuxInput.c asserts of <linux/uhid.h>.
    #expect(Self.number(create, 0, UInt32.self) == 11 && create[4 + 126] == UInt8(ascii: "n") && create[4 + 127] == 0)
    #expect(create[132] == UInt8(ascii: "p") && create[196..<201].elementsEqual("02:03".utf8))
    #expect(Self.number(create, 260) == 3 && Self.number(create, 262) == Int16(BUS_BLUETOOTH))
    #expect(Self.number(create, 264, UInt32.self) == 0x054C && Self.number(create, 268, UInt32.self) == 0x0CE6)
    #expect(create[280...] == [1, 2, 3])
    #expect(UHIDEvent.input([7, 8]) == [12, 0, 0, 0, 2, 0, 7, 8])
    #expect(UHIDEvent.destroy == [1, 0, 0, 0])
  }

  @Test func theKernelIsAnsweredWhatItAsksAndNothingElse() {
    func reply(_ message: [UInt8]) -> [UInt8]? { UHIDEvent.reply(to: message[...], features: [5: [5, 1, 2]]) }
    #expect(reply([9, 0, 0, 0, 1, 2, 3, 4, 5, 0]) == [10, 0, 0, 0, 1, 2, 3, 4, 0, 0, 3, 0, 5, 1, 2])
    // A report that there is not: an error, and at once.
    #expect(reply([9, 0, 0, 0, 1, 2, 3, 4, 6, 0]) == [10, 0, 0, 0, 1, 2, 3, 4, UInt8(EIO), 0, 0, 0])
    #expect(reply([13, 0, 0, 0, 1, 2, 3, 4, 5, 0, 1, 0, 9]) == [14, 0, 0, 0, 1, 2, 3, 4, 0, 0])
    // Start, output (a light), and what is too short.
    for message in [[2, 0, 0, 0, 0, 0, 0, 0, 0, 0], [6] + [UInt8](repeating: 0, count: 4102), [9, 0, 0, 0], []] {
      #expect(reply(message) == nil)
    }
  }

  @Test func withoutTheKernelsModuleOrTheRightThePersonIsToldWhatToDo() throws {
    let missing = #expect(throws: SensorError.self) {
      try VirtualController(root: SystemRoot("/nonexistent-\(UUID().uuidString)"))
    }
    #expect(missing?.code == .notFound && missing?.message.contains("sudo modprobe uhid") == true)
    let refused = PadProblem.failure(EACCES, file: "/dev/uhid")
    #expect(refused.code == .notPermitted && refused.message.contains(PadProblem.rule))
  }
}
