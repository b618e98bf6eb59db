// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import PhoneFormats
import Testing

@testable import MotionRecording

/// Numbers that do not fit where they go: refused or counted, never the end of the process.
@Suite struct HostileNumberTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let motion = """
    timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,\
    gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,sensorLocation

    """

  private func csv(_ locations: [String]) throws -> String {
    let rows = locations.enumerated().map { "\($0 + 1).0,0,0,0,1,0,0,0,0,0,-1,0,0,0,\($1)\n" }
    return try folder.write("motion.csv", Self.motion + rows.joined())
  }

  private static let recorded = {
    var options = RecordingOptions()
    options.motion = .recorded
    return options
  }()

  /// 403 bytes ended the process, and with it the program that has `import CoreMotion`.
  @Test(arguments: ["-1", "256", "1e9", "1e99", "-1e99", "1.5", "inf", "x"])
  func aLocationThatIsNoneIsDamageOfItsRow(_ text: String) throws {
    let path = try csv(["0", text, "2"])
    let error = failure(path, Self.recorded)
    #expect(error?.code == .malformed)
    #expect(error?.place?.line == 3 && error?.place?.column == "sensorLocation")
    var options = Self.recorded
    options.damage = .skip
    let result = try read(path, options)
    let motion = result.samples.filter { $0.kinds == .motion }
    #expect(motion.map(\.time.seconds) == [1, 3] && result.statistics[.malformed] > 0)
  }

  @Test func aLocationIsReadAsBefore() throws {
    let result = try read(csv(["0", "1", "2", "2.0", "", "nan", "null", "7", "255"]), Self.recorded)
    let locations = result.samples.compactMap { if case .motion(let motion) = $0 { motion.location } else { nil } }
    #expect(
      locations == [
        .device, .headphoneLeft, .headphoneRight, .headphoneRight, .device, .device, .device, .device, .device,
      ])
  }

  /// phyphox moves times from its stopwatch to the wall clock: the sum of two that are usual need not be.
  @Test func aTimeThatIsMovedBeyondTheClockIsRefused() throws {
    _ = try folder.makeFolder("meta")
    try folder.write("meta/time.csv", "event,experiment time,system time\nSTART,-3900000000,3900000000\n")
    try folder.write("Accelerometer.csv", "Time (s),X (m/s^2),Y (m/s^2),Z (m/s^2)\n0,0,0,9.8\n3900000000,0,0,9.8\n")
    let error = failure(folder.path)
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("hundred years") == true)
  }

  @Test func aShareOfNothingIsPrintedAsZero() {
    var distribution = IntervalDistribution()
    distribution.add(SensorDuration(nanoseconds: .max))
    #expect(distribution.quantiles([0, 0.5, 1]).count == 3)
  }

  /// A zip may have a folder for each of its files, and each file a first line that fills what is looked at.
  @Test func aZipOfManyFoldersIsAnsweredSoon() throws {
    var zip = ZipBuilder()
    let line = [UInt8](repeating: 0x71, count: 64 << 10)
    for index in 0..<4095 { zip.add("\(index)/a.csv", index % 100 == 0 ? line : [0x71]) }
    let path = try folder.write("folders.zip", zip.finish())
    let elapsed = processorTime { #expect(failure(path)?.code == .unsupported) }
    #expect(elapsed < .seconds(30), "\(elapsed)")
  }
}

@Suite struct DecimalNumberTests {
  private func parse(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    var cursor = 0
    guard let number = DecimalNumber(bytes.span, at: &cursor), cursor == bytes.count else { return nil }
    return number.double(text: bytes.span)
  }

  private func nanoseconds(_ text: String, decimals: Int = 9) -> Int64? {
    let bytes = Array(text.utf8)
    var cursor = 0
    guard let number = DecimalNumber(bytes.span, at: &cursor), cursor == bytes.count else { return nil }
    return number.nanoseconds(decimals: decimals)
  }

  @Test(arguments: [
    "0", "-0", "-0.0", "1", "+1.5", ".5", "5.", "0.1", "-9.731563", "-0.9870452880859375", "0.0009566396474838257",
    "9007199254740993", "9007199254740992.5", "9007199254740993.0000000001", "0.00012345678901234567", "1e22", "1e23",
    "1e-22", "1E+5", "123456789012345678901234567890", "1.7976931348623157e308", "4.9e-324", "2.2250738585072011e-308",
    "18446744073709551615", "0.3000000000000000166533453693773481063544750213623046875", "8.5e-27", "1.5e-27",
    "0.000000000000000000000000001", "999999999999999.9", "0.99999999999999994448884876874217",
    // Blocks of eight decimals, and more digits than 64 bits hold, at a tie and beside it.
    "0.12345678", "0.1234567812345678", "7.12345678123456781234567812345678", "1.00000000", "1.0000000000000000",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.000000000000000111022302462515654042363166809082031251",
    "1.00000000000000011102230246251565404236316680908203124", "12345678.123456789012345678901234567890",
  ])
  func everyNumberIsTheNearestDouble(text: String) throws {
    let value = try #require(parse(text))
    #expect(value.bitPattern == Double(text)?.bitPattern)
  }

  @Test func fiftyThousandRandomNumbersComeBackBitForBit() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<10_000 {
      let unit = Double(random.next() >> 11) / 9_007_199_254_740_992
      // Shortest forms, long forms, and decimals whose last digit sits near a tie.
      let digits = String(random.next() % 10_000_000_000_000_000_000)
      let shift = Int(random.next() % 19)
      let texts = [
        "\(unit)", "\(-unit * 70)", "\(unit * 1e-5)", String(digits.prefix(digits.count / 2)) + "." + digits,
        "0." + String(repeating: "0", count: shift % 8) + digits,
      ]
      for text in texts where parse(text)?.bitPattern != Double(text)?.bitPattern {
        Issue.record("\(text) became \(String(describing: parse(text)))")
      }
    }
  }

  @Test(arguments: ["0.1234567a", "0.12345678:", "1.1234567/2", "0.123456781234567é", "0.1234567\u{0}1"])
  func eightBytesAreDigitsOnlyTogether(text: String) { #expect(parse(text) == nil) }

  @Test(arguments: ["", "-", ".", "e5", "abc", "1,5", "0x10", "1e", "1e+", "--1", "1.2.3", "infinity", "nan"])
  func whatIsNoNumberIsRefused(text: String) { #expect(parse(text) == nil) }

  @Test func secondsBecomeExactNanoseconds() {
    #expect(nanoseconds("1138457.699994250") == 1_138_457_699_994_250)
    #expect(nanoseconds("1698501144.401773123") == 1_698_501_144_401_773_123)
    #expect(nanoseconds("58202.2837") == 58_202_283_700_000)
    #expect(nanoseconds("-0.5") == -500_000_000)
    #expect(nanoseconds("7") == 7_000_000_000)
    #expect(nanoseconds("0") == 0)
    // Beyond the nanosecond: to the nearest.
    #expect(nanoseconds("0.0000000014") == 1)
    #expect(nanoseconds("0.0000000015") == 2)
    #expect(nanoseconds("1698501144.40177312349999") == 1_698_501_144_401_773_123)
    #expect(nanoseconds("1698501144.4017731235") == 1_698_501_144_401_773_124)
  }

  @Test func epochNanosecondsKeepAllTheirDigits() {
    #expect(nanoseconds("1698501144401773001", decimals: 0) == 1_698_501_144_401_773_001)
    #expect(nanoseconds("142987091729917", decimals: 0) == 142_987_091_729_917)
    #expect(nanoseconds("1663323346123", decimals: 6) == 1_663_323_346_123_000_000)
  }

  @Test(arguments: [
    "9999999999999", "4000000000.1", "99999999999999999999999", "1" + String(repeating: "0", count: 300),
  ])
  func timesFartherThanACenturyAreRefused(text: String) { #expect(nanoseconds(text) == nil) }
}

/// The inputs that libFuzzer begins with (Scripts/fuzz.sh), and each that has ended a reader once: read or refused,
/// never a trap.
@Suite struct FuzzCorpusTests {
  static func files(_ parser: String) throws -> [URL] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try FileManager.default.contentsOfDirectory(
      at: tests.appendingPathComponent("Corpus/\(parser)"), includingPropertiesForKeys: nil)
  }

  @Test(arguments: ["mcap", "zip"], [true, false])
  func everyInputOfTheCorpusIsReadOrRefused(parser: String, skipsErrors: Bool) throws {
    var options = RecordingOptions()
    options.damage = skipsErrors ? .skip : .stop
    var (samples, refused) = (0, 0)
    for file in try Self.files(parser) {
      do {
        let reader = try Recording.open(path: file.path, options: options).makeReader()
        while try reader.next() != nil { samples += 1 }
      } catch {
        #expect(error.message.hasSuffix("."), "\(error)")
        refused += 1
      }
    }
    // The corpus goes deep: some of it is a recording, some of it is not.
    #expect(samples > 0 && refused > 0)
  }
}

/// What one input may make a process keep.
@Suite struct BudgetTests {
  private let place = SensorError.Place(file: "walk.mcap", byte: 7)

  @Test func theLimitsFollowTheSizeOfTheInput() {
    #expect(Budget(input: 0).memory == 48 << 20)
    #expect(Budget(input: 10_000_000).memory < 64_000_000)
    #expect(Budget(input: 1 << 30).memory == 5 << 30)
  }

  @Test(arguments: [Int64.max, .min, -1]) func noSizeTraps(_ input: Int64) {
    let share = Budget(input: input).share("Chunks", remedy: "write smaller ones")
    // Only the largest input may keep so much.
    for _ in 0..<2 { #expect(((try? share.keep(.max, at: place)) != nil) == (input == .max)) }
    share.giveBack()
  }

  @Test func whatIsTooMuchIsRefusedWithWhatIsKeptTheLimitAndWhatToDo() throws {
    let share = Budget(input: 2_000_000).share("The devices of the table", remedy: "fuse them in parts")
    try share.keep(48 << 20, at: place)
    let error = #expect(throws: SensorError.self) { try share.keep(1, at: place) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.place == place)
    #expect(
      error?.message
        == "The devices of the table take 49 MB of memory; the limit for an input of 2 MB is 48 MB: fuse them in parts."
    )
  }

  /// Owners share what there is; what was refused is not counted.
  @Test func whatAnOwnerKeptIsThereAgainWhenItGoes() throws {
    let budget = Budget(input: 0)
    let first = budget.share("Chunks", remedy: "")
    try first.keep(20 << 20, at: place)
    var second: Budget.Share? = budget.share("Channels", remedy: "")
    try second?.keep(28 << 20, at: place)
    #expect(throws: SensorError.self) { try first.keep(1, at: place) }
    #expect(throws: SensorError.self) { try second?.keep(1, at: place) }
    second = nil
    try first.keep(28 << 20, at: place)
    first.giveBack(30 << 20)
    first.giveBack(1 << 30)
    try first.keep(48 << 20, at: place)
  }
}
