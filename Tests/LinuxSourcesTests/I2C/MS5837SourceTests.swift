// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import MotionSensing
import MotionTesting
import Testing

@testable import I2CSources

/// The source over a simulated chip: addresses, options, waiting times, disturbances. No hardware has been tried.
@Suite struct MS5837SourceTests {
  private func open(
    _ chip: SimulatedMS5837, _ path: String = "1", _ options: [String: String] = [:]
  ) throws -> MS5837Source {
    try MS5837Source(path: path, options: try MS5837Options(options), buses: chip.buses)
  }

  private func pressures(_ collector: SampleCollector) -> [PressureSample] {
    collector.samples.compactMap { if case .pressure(let sample) = $0 { sample } else { nil } }
  }

  @Test(arguments: MS5837Model.allCases) func theSourceDescribesItsChip(model: MS5837Model) throws {
    let chip = SimulatedMS5837(model, clock: VirtualClock())
    let info = try open(chip, "1", ["thermometer": "12"]).info
    #expect(info.name == "MS5837-\(model.rawValue.uppercased()) at 0x76 on /dev/i2c-1")
    #expect(info.kinds == .waterPressure && info.origin == .hardware && info.pacing == .live)
    #expect(info.water == SensorInfo.Water(thermometerTimeConstant: 12))
    #expect(info.channel(.waterPressure)?.range == model.range)
    // The factory's coefficients are the chip's fingerprint.
    #expect(info.identity?.contains(model == .thirtyBar ? "934088A6" : "52A0B524") == true)
  }

  @Test func aBusIsNamedByNumberOrNodeAndMayBeTheOnlyOne() throws {
    let chip = SimulatedMS5837(clock: VirtualClock())
    for path in ["", "1", "/dev/i2c-1", "1@0x76", "/dev/i2c-1@118"] {
      #expect(try open(chip, path).address.description == "0x76 on /dev/i2c-1")
    }
    var several = chip.buses
    several.numbers = { [0, 1, 7] }
    let error = #expect(throws: SensorError.self) { try MS5837Source(path: "", options: .init(), buses: several) }
    #expect(error?.code == .invalidRequest && error?.message.contains("0, 1, 7") == true)
    for path in ["one", "-1", "1@0x03", "1@0x78", "1@", "1@me"] {
      let error = #expect(throws: SensorError.self) { try open(chip, path) }
      #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true, "\(path)")
    }
  }

  @Test(arguments: [
    ["model": "5ba"], ["rate": "0"], ["rate": "101"], ["rate": "nan"], ["oversampling": "300"], ["thermometer": "-1"],
    ["water": "yes"], ["rate": "100", "oversampling": "8192"],
  ])
  func impossibleOptionsAreRefused(_ options: [String: String]) {
    let error = #expect(throws: SensorError.self) { try MS5837Options(options) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  /// What is missing is said in a sentence that says what to do.
  @Test(
    arguments: [
      (ENXIO, .notFound, "i2cdetect -y 1"), (EREMOTEIO, .notFound, "SDA and SCL"), (EACCES, .notPermitted, "-aG i2c"),
      (EBUSY, .busy, "1-0076"), (ENOTTY, .unsupported, "not an I²C bus"), (EOPNOTSUPP, .unsupported, "SMBus"),
      (ENOMEM, .system, "refuses"),
    ] as [(Int32, SensorError.Code, String)])
  func aFailingBusIsExplained(errno: Int32, code: SensorError.Code, words: String) throws {
    let chip = SimulatedMS5837(clock: VirtualClock())
    chip.fault = .absent(errno)
    let error = try #require(throws: SensorError.self) { try open(chip) }
    #expect(error.code == code && error.message.contains(words) && error.message.hasSuffix("."), "\(error)")
    #expect(error.errno == errno && error.place?.file == "/dev/i2c-1")
  }

  @Test func aMissingBusIsExplained() throws {
    let chip = SimulatedMS5837(clock: VirtualClock())
    let other = try #require(throws: SensorError.self) { try open(chip, "5") }
    #expect(other.code == .notFound && other.message == "There is no such I²C bus; this computer has 1.")
    var none = chip.buses
    none.numbers = { [] }
    for path in ["", "5"] {
      let error = try #require(throws: SensorError.self) { try MS5837Source(path: path, options: .init(), buses: none) }
      #expect(error.code == .notFound && error.message.contains("modprobe i2c-dev"))
    }
  }

  /// The real bus says the same of a node that is none.
  @Test func theSystemsOwnBusesRefuseWhatIsNone() {
    let missing = #expect(throws: SensorError.self) { try MS5837Source(path: "/dev/i2c-none", options: [:]) }
    #expect(missing?.code == .notFound)
    let null = #expect(throws: SensorError.self) { try MS5837Source(path: "/dev/null", options: [:]) }
    #expect(null?.code == .unsupported && null?.message == "This is not an I²C bus.")
    #expect(MS5837Source.buses(in: "/nowhere").isEmpty)
  }

  @Test func aBrokenMemoryIsRefusedAndOneBadReadIsNot() throws {
    let chip = SimulatedMS5837(clock: VirtualClock())
    chip.flip(reads: 1)
    #expect(try open(chip).model == .thirtyBar)
    chip.memory[3] ^= 1
    let error = try #require(throws: SensorError.self) { try open(chip) }
    #expect(error.message.contains("does not match its checksum") && error.message.contains("934088A6"))
  }

  @Test func theModelIsThatOfTheVersionOrRefused() throws {
    let clock = VirtualClock()
    let wrong = try #require(throws: SensorError.self) {
      try open(SimulatedMS5837(.twoBar, clock: clock), "1", ["model": "30ba"])
    }
    #expect(wrong.code == .invalidRequest && wrong.message.contains("MS5837-02BA (version 0x15)"))
    #expect(try open(SimulatedMS5837(.twoBar, clock: clock), "1", ["model": "02ba"]).model == .twoBar)
    // A relative with the same checksum: refused unless the person knows better.
    let relative = SimulatedMS5837(.twoBar, version: 0x2F, clock: clock)
    let unknown = try #require(throws: SensorError.self) { try open(relative) }
    #expect(unknown.code == .unsupported && unknown.message.contains("model=30ba or model=02ba"))
    #expect(try open(relative, "1", ["model": "02ba"]).model == .twoBar)
    // An empty version is the first 02BA's, but proves nothing.
    let empty = SimulatedMS5837(.thirtyBar, version: 0, clock: clock)
    #expect(try open(empty).model == .twoBar && open(empty, "1", ["model": "30ba"]).model == .thirtyBar)
  }

  /// The simulated chip gives zero for a conversion that is read too early, so that a short wait would show.
  @Test(arguments: MS5837Model.allCases, MS5837Oversampling.allCases)
  func everyConversionIsGivenItsTime(model: MS5837Model, oversampling: MS5837Oversampling) async throws {
    let clock = VirtualClock()
    let chip = SimulatedMS5837(model, clock: clock) { time in
      (101_325 + 2_000 * time.seconds, 18 + 0.1 * time.seconds)
    }
    let source = try open(chip, "1", ["oversampling": "\(oversampling.rawValue)", "rate": "10"])
    let collector = SampleCollector(source, clock: clock, kinds: .waterPressure)
    await clock.advance(by: .seconds(2))
    collector.stop()
    #expect(await collector.ended())
    let samples = pressures(collector)
    #expect(samples.count >= 19 && source.statistics.passes == samples.count && source.statistics.implausible == 0)
    for sample in samples {
      // The chip is asked when its conversion is over, half of it after the sample's time.
      let late = SensorDuration(nanoseconds: oversampling.conversionTime.nanoseconds / 2).seconds
      let pressure = 101_325 + 2_000 * (sample.time.seconds + late)
      #expect(abs(sample.pressure - pressure) < 30 && sample.medium == .water)
      #expect(abs((sample.temperature ?? 0) - 18 - 0.1 * sample.time.seconds) < 0.03)
    }
    #expect(chip.commands.contains(0x40 + oversampling.commandBits))
    #expect(chip.commands.contains(0x50 + oversampling.commandBits))
  }

  @Test func theRateFollowsTheListeners() async throws {
    let clock = VirtualClock()
    let chip = SimulatedMS5837(clock: clock)
    let collector = SampleCollector(try open(chip), clock: clock, kinds: .waterPressure)
    await clock.advance(by: .milliseconds(1005))
    #expect((99...101).contains(pressures(collector).count))
    collector.session.update(SensorRequest(kinds: .waterPressure, interval: .milliseconds(40)))
    await clock.settle()
    let before = pressures(collector).count
    await clock.advance(by: .seconds(2))
    #expect((49...51).contains(pressures(collector).count - before) && chip.commands.contains(0x48))
    // Pressures are not requested: the bus is not used.
    collector.session.update(SensorRequest(kinds: [], interval: .zero))
    await clock.advance(by: .milliseconds(100))
    let count = chip.commands.count
    await clock.advance(by: .seconds(30))
    #expect(chip.commands.count == count)
    collector.session.update(SensorRequest(kinds: .waterPressure, interval: .milliseconds(40)))
    await clock.advance(by: .seconds(1))
    #expect(chip.commands.count > count)
    collector.stop()
    #expect(await collector.ended())
  }

  /// A second of silence, of empty conversions or of noise ends the run with a sentence; less is counted.
  @Test(
    arguments: [
      (.absent(EREMOTEIO), .disconnected, "any more"), (.absent(ENODEV), .disconnected, "adapter"),
      (.deaf, .system, "no conversion"), (.noise, .system, "pressure of"),
    ] as [(SimulatedMS5837.Fault, SensorError.Code, String)])
  func aChipThatFailsEndsTheRun(fault: SimulatedMS5837.Fault, code: SensorError.Code, words: String) async throws {
    let clock = VirtualClock()
    let chip = SimulatedMS5837(clock: clock)
    let source = try open(chip, "1", ["rate": "25"])
    let collector = SampleCollector(source, clock: clock, kinds: .waterPressure)
    await clock.advance(by: .seconds(1))
    if code == .system {
      chip.fault = fault
      await clock.advance(by: .milliseconds(500))
      chip.fault = .none
      await clock.advance(by: .seconds(1))
      #expect(collector.ending == nil && source.statistics.implausible > 5 && source.statistics.lastFailure != nil)
    }
    let count = pressures(collector).count
    chip.fault = fault
    await clock.advance(by: .seconds(2))
    #expect(await collector.ended())
    guard case .threw(let error as SensorError) = collector.ending else {
      Issue.record("\(String(describing: collector.ending))")
      return
    }
    #expect(error.code == code && error.message.contains(words) && pressures(collector).count <= count + 1, "\(error)")

    // The next run resets the chip and goes on.
    chip.fault = .none
    let next = SampleCollector(source, clock: clock, kinds: .waterPressure)
    await clock.advance(by: .seconds(1))
    next.stop()
    #expect(await next.ended() && pressures(next).count > 20 && source.statistics.resets == 2)
  }

  @Test func anotherChipOfTheModelIsTakenAndCounted() async throws {
    let clock = VirtualClock()
    let chip = SimulatedMS5837(clock: clock)
    let source = try open(chip)
    var words = chip.memory
    words[1] += 100
    words[0] = words[0] & 0x0FFF | UInt16(MS5837Memory.checksum(words)) << 12
    chip.memory = words
    let collector = SampleCollector(source, clock: clock, kinds: .waterPressure)
    await clock.advance(by: .seconds(1))
    collector.stop()
    #expect(await collector.ended() && source.statistics.exchanges == 1)
    #expect(pressures(collector).allSatisfy { abs($0.pressure - 101_325) < 20 })
  }

  /// On the real clock: it sleeps between the commands and ends soon after a stop.
  @Test func theSourceKeepsItsPromises() async throws {
    let chip = SimulatedMS5837(clock: MonotonicClock()) { (101_325 + 10 * sin($0.seconds), 18) }
    let source = try open(chip, "1", ["rate": "50"])
    #expect(await SourceConformance(source: source, span: .milliseconds(300)).violations() == [])
  }
}
