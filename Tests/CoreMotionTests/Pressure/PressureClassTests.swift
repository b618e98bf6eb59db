// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Testing

/// T35–T38, T50–T52: the data classes of air and water, made, copied, archived and attacked.
@Suite struct PressureClassTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)

  private func roundTrip<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
    #expect(Object.supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
  }

  /// Sections 4 and 6: kinds and types of every member; `init()` gives zeros and unknowns.
  @Test func emptyObjectsAnswerEveryProperty() {
    let altitude = CMAltitudeData()
    let (relative, pressure): (NSNumber, NSNumber) = (altitude.relativeAltitude, altitude.pressure)
    #expect(relative == 0 && pressure == 0 && altitude.timestamp == 0)
    let absolute = CMAbsoluteAltitudeData()
    #expect((absolute.altitude, absolute.accuracy, absolute.precision) == (0, 0, 0))
    let ambient: CMLogItem = CMAmbientPressureData()
    let kilopascals: Measurement<UnitPressure>? = (ambient as? CMAmbientPressureData)?.pressure
    let celsius: Measurement<UnitTemperature>? = (ambient as? CMAmbientPressureData)?.temperature
    #expect(kilopascals == Measurement(value: 0, unit: .kilopascals) && celsius?.value == 0)
    let recorded: CMAmbientPressureData = CMRecordedPressureData()
    #expect((recorded as? CMRecordedPressureData)?.identifier == UInt64(0))
    #expect((recorded as? CMRecordedPressureData)?.startDate == Date(timeIntervalSinceReferenceDate: 0))
    let event: any NSObject & NSCopying & NSSecureCoding = CMWaterSubmersionEvent()
    #expect((event as? CMWaterSubmersionEvent)?.state == .unknown)
    let measurement = CMWaterSubmersionMeasurement()
    #expect(measurement.depth == nil && measurement.pressure == nil && measurement.submersionState == .unknown)
    #expect(measurement.surfacePressure.value == 0)
    #expect(CMWaterTemperature().temperatureUncertainty.value == 0)
  }

  /// T50, T51: the raw values.
  @Test func statesHaveTheirRawValues() {
    typealias State = CMWaterSubmersionEvent.State
    #expect([State.unknown, .notSubmerged, .submerged].map(\.rawValue) == [0, 1, 2])
    typealias DepthState = CMWaterSubmersionMeasurement.DepthState
    let states: [DepthState] = [
      .unknown, .notSubmerged, .submergedShallow, .submergedDeep, .approachingMaxDepth, .pastMaxDepth,
      .sensorDepthError,
    ]
    #expect(states.map(\.rawValue) == [0, 100, 200, 300, 400, 500, 600])
    #expect(DepthState(rawValue: 150) == nil)
  }

  @Test func airSamplesKeepEveryBit() throws {
    let altitude = try roundTrip(CMAltitudeData(timestamp: 12.5, relativeAltitude: -1.0 / 3, pressure: 101.3251))
    #expect(altitude.timestamp == 12.5 && altitude.relativeAltitude.doubleValue == -1.0 / 3)
    #expect(altitude.pressure.doubleValue == 101.3251)
    let absolute = try roundTrip(
      CMAbsoluteAltitudeData(timestamp: 1, altitude: -3.5, accuracy: 0.1, precision: 0.2))
    #expect((absolute.altitude, absolute.accuracy, absolute.precision) == (-3.5, 0.1, 0.2))
    let recorded = try roundTrip(
      CMRecordedPressureData(
        timestamp: 2, pressure: 99.9, temperature: -4.25, identifier: .max, startDate: Self.date))
    #expect(recorded.pressure == Measurement(value: 99.9, unit: .kilopascals))
    #expect(recorded.temperature == Measurement(value: -4.25, unit: .celsius))
    #expect(recorded.identifier == .max && recorded.startDate == Self.date && recorded.timestamp == 2)
    let ambient = try roundTrip(CMAmbientPressureData(timestamp: 3, pressure: 80, temperature: 21))
    #expect(ambient.pressure.value == 80 && ambient.temperature.value == 21)
  }

  @Test func waterSamplesKeepEveryBit() throws {
    let event = try roundTrip(CMWaterSubmersionEvent(date: Self.date, state: .submerged))
    #expect(event.state == .submerged && event.date == Self.date)
    let deep = try roundTrip(
      CMWaterSubmersionMeasurement(
        date: Self.date, depth: 3.25, pressure: 133.1, surfacePressure: 101.2, submersionState: .submergedDeep))
    #expect(deep.depth == Measurement(value: 3.25, unit: .meters))
    #expect(deep.pressure == Measurement(value: 133.1, unit: .kilopascals))
    #expect(deep.surfacePressure.value == 101.2 && deep.submersionState == .submergedDeep && deep.date == Self.date)
    let above = try roundTrip(
      CMWaterSubmersionMeasurement(
        date: Self.date, depth: nil, pressure: nil, surfacePressure: 101.2, submersionState: .notSubmerged))
    #expect(above.depth == nil && above.pressure == nil && above.submersionState == .notSubmerged)
    let temperature = try roundTrip(CMWaterTemperature(date: Self.date, temperature: 17.5, uncertainty: 0.4))
    #expect(temperature.temperature.value == 17.5 && temperature.temperatureUncertainty.value == 0.4)
    #expect(temperature.temperatureUncertainty.unit == .celsius && temperature.date == Self.date)
  }

  @Test func everySampleCopiesAsItsOwnClass() {
    let samples: [any NSObject & NSCopying] = [
      CMAltitudeData(), CMAbsoluteAltitudeData(), CMAmbientPressureData(), CMRecordedPressureData(),
      CMWaterSubmersionEvent(), CMWaterSubmersionMeasurement(), CMWaterTemperature(),
    ]
    for sample in samples { #expect(type(of: sample.copy()) == type(of: sample)) }
  }

  private func disguised<Object: NSObject & NSSecureCoding>(as type: Object.Type) throws -> Object? {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(PressureImpostor(), forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    unarchiver.setClass(type, forClassName: NSStringFromClass(PressureImpostor.self))
    return unarchiver.decodeObject(of: type, forKey: NSKeyedArchiveRootObjectKey)
  }

  /// Never a trap, never NaN, never a state that does not exist.
  @Test func hostileArchivesAreReadAsNumbersOrRefused() throws {
    if let measurement = try disguised(as: CMWaterSubmersionMeasurement.self) {
      #expect(measurement.depth == nil && measurement.surfacePressure.value == 0)
      #expect(measurement.submersionState == .unknown && measurement.pressure?.value.isFinite != false)
    }
    if let event = try disguised(as: CMWaterSubmersionEvent.self) {
      #expect(event.state == .unknown && event.date.timeIntervalSinceReferenceDate == 0)
    }
    if let temperature = try disguised(as: CMWaterTemperature.self) {
      #expect(temperature.temperature.value == 0 && temperature.temperatureUncertainty.value == 0)
    }
    if let altitude = try disguised(as: CMAltitudeData.self) { #expect(altitude.relativeAltitude == 0) }
    if let absolute = try disguised(as: CMAbsoluteAltitudeData.self) { #expect(absolute.altitude == 0) }
    if let recorded = try disguised(as: CMRecordedPressureData.self) {
      #expect(recorded.startDate.timeIntervalSinceReferenceDate == 0 && recorded.pressure.value.isFinite)
    }
    for data in [Data(), Data([1, 2, 3]), Data("bplist00".utf8)] {
      #expect(
        (try? NSKeyedUnarchiver.unarchivedObject(ofClass: CMWaterSubmersionMeasurement.self, from: data)) == nil)
    }
  }

  private final class MockMeasurement: CMWaterSubmersionMeasurement {
    override var depth: Measurement<UnitLength>? { Measurement(value: 4, unit: .meters) }
  }

  @Test func classesAreOpenForMocks() throws {
    #expect(try #require(MockMeasurement().copy() as? MockMeasurement).depth?.value == 4)
  }
}

/// An archive in which every key holds something else. (At top level, because an archiver asks for its name.)
final class PressureImpostor: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  override init() {}
  init?(coder: NSCoder) { nil }
  func encode(with coder: NSCoder) {
    for key in ["date", "startDate", "surfacePressure", "temperature"] { coder.encode(Double.nan, forKey: key) }
    for key in ["depth", "altitude"] { coder.encode(Double.infinity, forKey: key) }
    for key in ["pressure", "relativeAltitude"] { coder.encode("deep" as NSString, forKey: key) }
    for key in ["state", "submersionState"] { coder.encode(77, forKey: key) }
    coder.encode(-1e300, forKey: "identifier")
  }
}
