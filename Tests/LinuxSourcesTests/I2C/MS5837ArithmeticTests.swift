// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import I2CSources

/// The chip's memory and arithmetic, against the data sheets' examples (WATER-5) and against whole numbers.
@Suite struct MS5837ArithmeticTests {
  private func compensation(_ model: MS5837Model) throws -> MS5837Compensation {
    MS5837Compensation(
      model: model, memory: try #require(MS5837Memory(words: SimulatedMS5837.memory(model))))
  }

  @Test func theExampleOfThe30BADataSheet() throws {
    let reading = try compensation(.thirtyBar)(d1: 4_958_179, d2: 6_815_414)
    // 19.81 °C and 3999.8 mbar, cut off to whole steps there.
    #expect(abs(reading.temperature - 19.81) < 0.01 && abs(reading.pressure - 399_980) < 10)
  }

  @Test func theExampleOfThe02BADataSheet() throws {
    let reading = try compensation(.twoBar)(d1: 6_465_444, d2: 8_077_636)
    #expect(abs(reading.temperature - 20) < 0.01 && abs(reading.pressure - 110_002) < 1)
  }

  /// Every branch of the second order: below −15 °C, below 20 °C, above.
  @Test(arguments: MS5837Model.allCases, [-19.0, -15.5, -14.5, 0, 19.99, 20.01, 35, 60])
  func theSecondOrderAgreesWithWholeNumbers(model: MS5837Model, celsius: Double) throws {
    let compensation = try compensation(model)
    let arithmetic = DataSheetArithmetic(model: model, words: SimulatedMS5837.memory(model))
    let d2 = arithmetic.d2(forTemperature: celsius)
    for pascal in [60_000.0, 101_325, 180_000] {
      let d1 = arithmetic.d1(forPressure: pascal, d2: d2)
      let expected = arithmetic(d1: d1, d2: d2)
      let reading = compensation(d1: UInt32(d1), d2: UInt32(d2))
      #expect(abs(reading.temperature - Double(expected.temperature) / 100) < 0.03)
      #expect(abs(reading.pressure - Double(expected.pressure) * arithmetic.unit) < 3 * arithmetic.unit)
      #expect(abs(reading.pressure - pascal) < 5 * arithmetic.unit && abs(reading.temperature - celsius) < 0.05)
    }
  }

  /// AN520's own example, which has its checksum in the last word.
  @Test func theChecksumIsThatOfTheApplicationNote() {
    #expect(
      MS5837Memory.remainder(of: [0x3132, 0x3334, 0x3536, 0x3738, 0x3940, 0x4142, 0x4344, 0x4500]) == 0xB)
  }

  @Test func everyFlippedBitIsFound() throws {
    let words = SimulatedMS5837.memory(.thirtyBar)
    let memory = try #require(MS5837Memory(words: words))
    #expect(words[0] == 0x9340 && memory.isIntact)
    for word in words.indices {
      for bit in 0..<16 {
        var broken = words
        broken[word] ^= 1 << UInt16(bit)
        #expect(MS5837Memory(words: broken)?.isIntact == false, "word \(word), bit \(bit)")
      }
    }
  }

  /// Wires that hang in the air.
  @Test func allZerosAndAllOnesAreNoMemory() throws {
    for value: UInt16 in [0, 0xFFFF] {
      #expect(MS5837Memory(words: Array(repeating: value, count: 7))?.isIntact == false)
    }
    #expect(MS5837Memory(words: [1, 2, 3]) == nil)
  }

  @Test func theVersionTellsTheModel() throws {
    for model in MS5837Model.allCases {
      let memory = try #require(MS5837Memory(words: SimulatedMS5837.memory(model)))
      #expect(MS5837Model(version: memory.version) == model)
    }
    #expect(MS5837Model(version: 0) == .twoBar && MS5837Model(version: 7) == nil)
  }

  @Test func moreTimeMeansMoreOversampling() {
    #expect(MS5837Oversampling(fitting: .milliseconds(100)) == .x8192)
    #expect(MS5837Oversampling(fitting: .milliseconds(40)) == .x4096)
    #expect(MS5837Oversampling(fitting: .milliseconds(10)) == .x1024)
    #expect(MS5837Oversampling(fitting: .milliseconds(1)) == .x256)
    #expect(MS5837Oversampling.allCases.map(\.commandBits) == [0, 2, 4, 6, 8, 10])
    #expect(MS5837Oversampling.x8192.conversionTime == SensorDuration(nanoseconds: 20_480_000))
  }
}
