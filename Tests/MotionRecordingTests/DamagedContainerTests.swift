// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

/// Damage below the text: gzip, zip, files that are no files.
@Suite struct DamagedContainerTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private let header = "timestamp_ns,x,y,z\n"

  private func rows(_ count: Int) -> [UInt8] {
    Array((header + (0..<count).map { "\(1000 + $0),0.1,0.2,0.\($0)\n" }.joined()).utf8)
  }

  private func walk(_ accelerometer: [UInt8]) throws -> String {
    try folder.write(Fixture.gyroscope, rows(10))
    try folder.write(Fixture.accelerometer + ".gz", accelerometer)
    return folder.path
  }

  @Test func aGzipThatWasCutOffCostsItsLastLineAsAPlainFileDoes() throws {
    let path = try walk(Array(Compressor.gzip(rows(500)).dropLast(2000)))
    for options in [RecordingOptions(), .skipping] {
      let result = try read(path, options)
      #expect(result.accelerometer.count > 200 && result.accelerometer.count < 500)
      #expect(result.statistics[.truncated] == 1 && result.statistics.omitted == 1)
    }
  }

  @Test func damagedGzipDataIsAnError() throws {
    var bytes = Compressor.gzip(rows(500))
    for index in 100..<140 { bytes[index] ^= 0x5A }
    #expect(failure(try walk(bytes)) != nil)
    var checksum = Compressor.gzip(rows(50))
    checksum[checksum.count - 5] ^= 1
    #expect(failure(try walk(checksum))?.message.contains("damaged") == true)
  }

  @Test func severalGzipMembersAreOneFileAndBytesBehindThemAreIgnored() throws {
    let text = rows(100)
    let packed = Compressor.gzip(Array(text[..<1000])) + Compressor.gzip(Array(text[1000...])) + [0, 0, 0, 0]
    #expect(try read(walk(packed)).accelerometer.count == 100)
  }

  @Test func aGzipBombEndsAtTheRatio() throws {
    // 16 MiB of line ends.
    let error = failure(try walk(Compressor.gzip(Array(header.utf8)) + Compressor.bomb(matches: 65_000)), .skipping)
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("200 times") == true)
  }

  @Test func aZipThatLiesAboutItsSizesOrWasCutOffIsRefused() throws {
    var zip = ZipBuilder()
    for (name, text) in Fixture.sensorLogger() { zip.add(name, Array(text.utf8)) }
    let whole = zip.finish()
    for length in [4, 30, whole.count / 2, whole.count - 22] {
      let error = failure(try folder.write("cut.zip", Array(whole[..<length])))
      #expect(error?.code == .malformed && error?.message.contains("truncated") == true, "\(length) bytes")
    }
    let huge = failure(try folder.write("many.zip", zip.finish(declaredEntries: 50_000)))
    #expect(huge?.code == .limitExceeded && huge?.message.contains("50000") == true)
    var fewer = zip
    fewer.usesZip64 = false
    #expect(failure(try folder.write("fewer.zip", fewer.finish(declaredEntries: 60)))?.code == .malformed)
  }

  @Test(arguments: [10, 100_000])
  func anEntryThatInflatesToAnotherSizeThanDeclaredIsRefused(size: Int) throws {
    var zip = ZipBuilder()
    zip.add("Metadata.csv", Array(Fixture.sensorLoggerMetadata().utf8))
    let text = try #require(Fixture.sensorLogger()["GyroscopeUncalibrated.csv"])
    zip.add("GyroscopeUncalibrated.csv", Array(text.utf8), declaredSize: size)
    let error = failure(try folder.write("size.zip", zip.finish()))
    #expect(error?.place?.file.hasSuffix("size.zip/GyroscopeUncalibrated.csv") == true)
    #expect(error?.message.contains("directory declares") == true)
  }

  @Test func encryptedEntriesAndOtherMethodsAreNamed() throws {
    for (flags, method) in [(1, 8), (0, 12)] {
      var zip = ZipBuilder()
      zip.add("Metadata.csv", Array(Fixture.sensorLoggerMetadata().utf8))
      zip.add("GyroscopeUncalibrated.csv", rows(3), flags: flags, method: method)
      let error = failure(try folder.write("secret.zip", zip.finish()))
      #expect(error?.code == .unsupported && error?.message.contains("encrypted") == true)
    }
  }

  @Test func tenGigabytesOfZerosAreAnsweredAtOnce() throws {
    let file = try folder.write("zeros.csv", "")
    #expect(truncate(file, 10 << 30) == 0)
    try folder.write(Fixture.accelerometer, "")
    #expect(truncate(folder.path + "/" + Fixture.accelerometer, 10 << 30) == 0)
    try folder.write(Fixture.gyroscope, rows(10))
    let elapsed = processorTime {
      #expect(failure(file)?.message.contains("binary data") == true)
      #expect(failure(file, .skipping) != nil)
      #expect(failure(folder.path)?.code == .limitExceeded)
      #expect(failure(folder.path, .skipping)?.code == .limitExceeded)
    }
    #expect(elapsed < .seconds(2))
  }

  @Test func whatIsNoFileIsRefusedWithoutBlocking() throws {
    let pipe = folder.path + "/pipe.csv"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(failure(pipe)?.message.contains("not a regular file") == true)
    #expect(failure("/dev/zero")?.message.contains("not a regular file") == true)
    #expect(failure(folder.path + "/nowhere")?.code == .notFound)
    #expect(failure(folder.path + "/nowhere")?.errno == ENOENT)
    #expect(failure("")?.code == .notFound)
  }
}
