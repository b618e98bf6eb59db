// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct SensorLoggerJSONTests {
  private let folder: TemporaryFolder
  private let options: RecordingOptions
  init() throws {
    folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.platform = .iOS
    self.options = options
  }

  @Test func theJSONExportReadsAsTheCSVsWould() throws {
    let result = try read(folder.write("export.json", TableFixture.sensorLoggerJSON), options)
    #expect(result.recording.format == .sensorLogger)
    #expect(result.accelerometer.count == 12 && result.gyroscope.count == 12 && result.pressure.count == 12)
    #expect(result.accelerometer[3].time.nanoseconds == 1_698_501_144_431_773_000)
    #expect(
      result.accelerometer[3].reading.z == TableFixture.gravity[2] && result.accelerometer[3].unit == .reversedGravity)
    #expect(result.pressure[0].pressure == 101_325)
    #expect(result.recording.duration == .milliseconds(110))
  }

  @Test func blanksOrderNumbersAndPackingMakeNoDifference() throws {
    let text = TableFixture.sensorLoggerJSON
    let expected = try read(folder.write("a.json", text), options).samples
    #expect(
      try read(folder.write("b.json", "\u{FEFF} " + text.replacing(",{", with: " ,\r\n\t{ ")), options).samples
        == expected)
    let gzip = try folder.write("c.json.gz", Compressor.gzip(Array(text.utf8)))
    #expect(try read(gzip, options).samples == expected)
    var zip = ZipBuilder()
    zip.add("export.json", Array(text.utf8))
    #expect(try read(folder.write("d.zip", zip.finish()), options).samples == expected)
    let numbers = text.replacing("\"0.01\"", with: "0.01").replacing("\"time\":\"", with: "\"time\" : \"")
    #expect(try read(folder.write("e.json", numbers), options).samples == expected)
    let nested = text.replacing("\"seconds_elapsed\"", with: "\"extra\":{\"a\":[1,\"}\"]},\"seconds_elapsed\"")
    #expect(try read(folder.write("f.json", nested), options).samples == expected)
  }

  @Test func theMetadataInsideSaysThePlatform() throws {
    let metadata =
      "{\"sensor\":\"Metadata\",\"version\":\"3\",\"platform\":\"android\",\"appVersion\":\"1.40\",\"seconds_elapsed\":null},"
    let text = "[" + metadata + TableFixture.sensorLoggerJSON.dropFirst()
    #expect(try read(folder.write("export.json", text)).accelerometer[0].unit == .metresPerSecondSquared)
    #expect(
      failure(try folder.write("bare.json", TableFixture.sensorLoggerJSON))?.message.contains("?platform=ios") == true)
  }

  @Test func whatWasCutOffCostsOneObjectAndIsCounted() throws {
    let text = TableFixture.sensorLoggerJSON
    for missing in [2, 10, 40, 70, 120] {
      let result = try read(folder.write("cut.json", String(text.dropLast(missing))), options)
      #expect(result.accelerometer.count == 12 && result.gyroscope.count == 12)
      #expect(result.pressure.count + result.statistics[.truncated] == 12, "\(missing) bytes")
    }
  }

  @Test func damageIsAnErrorWithItsByteAndSkippingUsesTheRest() throws {
    let text = TableFixture.sensorLoggerJSON.replacing(
      "},{\"sensor\":\"Barometer\"", with: "},X{\"sensor\":\"Barometer\"")
    let path = try folder.write("bad.json", text)
    let error = try #require(failure(path, options))
    #expect(error.code == .malformed && error.place?.byte != nil)
    var skipping = options
    skipping.damage = .skip
    #expect(try read(path, skipping).accelerometer.count == 12)
  }

  @Test func capsAreKept() throws {
    let start = "[{\"sensor\":\"Gyroscope\",\"seconds_elapsed\":\"0\",\"a\":"
    let deep = try folder.write("deep.json", start + String(repeating: "[", count: 65))
    #expect(failure(deep)?.code == .limitExceeded)
    let long = try folder.write("long.json", start + "\"" + String(repeating: "a", count: 2 << 20))
    #expect(failure(long)?.code == .limitExceeded)
    let many = (0..<300).map { "{\"sensor\":\"S\($0)\",\"seconds_elapsed\":\"0\"}" }.joined(separator: ",")
    #expect(failure(try folder.write("many.json", "[" + many + "]"))?.code == .limitExceeded)
    let wide = (0..<4100).map { "\"k\($0)\":1" }.joined(separator: ",")
    #expect(failure(try folder.write("wide.json", start + "1,\(wide)}]"))?.code == .limitExceeded)
  }
}
