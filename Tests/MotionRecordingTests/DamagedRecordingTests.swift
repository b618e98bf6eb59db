// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// Damage in the text of a recording: an error with its exact place, or counted when errors are skipped.
@Suite struct DamagedRecordingTests {
  /// A folder whose accelerometer file has these rows.
  private func withAccelerometer(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var files = Fixture.walk()
    files[Fixture.accelerometer] = header + text
    try folder.write(files)
    return folder
  }

  private let header = "timestamp_ns,x,y,z\n"

  private func rows(_ count: Int = 5, replacing index: Int = -1, with line: String = "") -> String {
    (0..<count).map { ($0 == index ? line : "\(1000 + $0),0.1,0.2,0.3") + "\n" }.joined()
  }

  @Test(
    arguments: [
      ("1002,0.1,abc,0.3", "y", "Expected a number, found \"abc\""),
      ("1002,0.1,\"1,5\",0.3", "y", "Expected a number, found"),
      ("1002,0.1,0.2", "z", "empty or missing"),
      ("1002,0.1,0.2,0.3,0.4", nil, "Expected 4 columns, found more"),
      ("10x2,0.1,0.2,0.3", "timestamp_ns", "Expected a time, found \"10x2\""),
      ("99999999999999999999,0.1,0.2,0.3", "timestamp_ns", "Expected a time"),
      ("1002,0.1,,0.3", nil, "Some of the columns of the accelerometer are empty"),
      ("1002,0.1,0.2,-Infinity", "z", "Expected a finite number of usual size, found \"-Infinity\""),
      ("1002,0.1,0.2,1e999", "z", "Expected a finite number"),
      ("1002,0.1,\u{FF11}.5,0.3", "y", "Expected a number"),
      ("900,0.1,0.2,0.3", nil, "Time goes backwards"),
    ] as [(String, String?, String)])
  func aBadLineIsAnErrorWithItsPlaceAndWhatToDo(line: String, column: String?, message: String) throws {
    let folder = try withAccelerometer(rows(replacing: 2, with: line))
    let error = try #require(failure(folder.path))
    #expect(error.code == .malformed)
    #expect(error.place == .init(file: folder.path + "/" + Fixture.accelerometer, line: 4, column: column))
    #expect(error.message.contains(message), "\(error)")
    #expect(error.message.contains("?errors=skip") && error.message.contains("--skip-errors"))
    #expect(error.message.hasSuffix("."))
  }

  @Test(
    arguments: [
      ("1002,0.1,abc,0.3", .malformed), ("1002,inf,0.2,0.3", .nonFinite), ("1000,0.1,0.2,0.3", .outOfOrder),
    ] as [(String, RecordingStatistics.Reason)])
  func skippingCountsTheRowAndUsesTheRest(line: String, reason: RecordingStatistics.Reason) throws {
    let folder = try withAccelerometer(rows(replacing: 2, with: line))
    let result = try read(folder.path, .skipping)
    #expect(result.accelerometer.map(\.time.nanoseconds) == [1000, 1001, 1003, 1004])
    #expect(result.statistics[reason] == 1 && result.statistics.omitted == 1)
    #expect(result.statistics.omissions[reason]?.firstPlace.line == 4)
    #expect(
      result.statistics.description.contains(
        "1 \(reason.rawValue) (first \(folder.path)/\(Fixture.accelerometer), line 4"))
  }

  @Test func repeatedRowsAreAlwaysCountedAndDropped() throws {
    let folder = try withAccelerometer(rows(replacing: 2, with: "1001,0.1,0.2,0.3"))
    let result = try read(folder.path)
    #expect(result.accelerometer.map(\.time.nanoseconds) == [1000, 1001, 1003, 1004])
    #expect(result.statistics[.duplicate] == 1)
  }

  @Test func readingsThatArrivedTogetherAreKeptInTheirOrder() throws {
    let folder = try withAccelerometer("1000,1,2,3\n1000,4,5,6\n1000,7,8,9\n1001,1,2,3\n1090,1,2,3\n")
    let result = try read(folder.path)
    #expect(result.accelerometer.map(\.time.nanoseconds) == [1000, 1001, 1002, 1003, 1090])
    #expect(result.accelerometer.map(\.reading.x) == [1, 4, 7, 1, 1])
    #expect(result.statistics.omitted == 0)
  }

  /// Also one that has all its columns: 0.3 may have been 0.31.
  @Test(arguments: ["1005,0.1,0.", "1005,0.1", "1005", "10", "1005,0.1,0.2,-", "1005,0.1,0.2,0.3"])
  func aLastLineThatWasCutOffCostsItselfOnly(tail: String) throws {
    let folder = try withAccelerometer(rows() + tail)
    let result = try read(folder.path)
    #expect(result.accelerometer.count == 5)
    #expect(result.statistics[.truncated] == 1 && result.statistics.omitted == 1)
    #expect(result.statistics.omissions[.truncated]?.firstPlace.line == 7)
  }

  @Test func commentsAndEmptyLinesAreNotRows() throws {
    let folder = try TemporaryFolder()
    let text = "# made by hand\n\n" + rows(2).replacing(",", with: " ") + "   \n# more\n1002\t1   2\t3  \r\n"
    var options = RecordingOptions()
    (options.map, options.sign) = (try ColumnMap("t=#1[ns] ax=#2[m/s^2] ay=#3 az=#4"), .reaction)
    let result = try read(folder.write("log.txt", text), options)
    #expect(result.accelerometer.count == 3 && result.statistics.omitted == 0)
  }

  @Test func afterAnErrorEveryFurtherCallThrowsTheSame() throws {
    let text = rows(3000) + "rubbish\n" + "5000,1,2,3\n"
    let folder = try withAccelerometer(text)
    let reader = try Recording.open(path: folder.path).makeReader()
    var errors: [SensorError] = []
    while errors.count < 3 {
      do throws(SensorError) { _ = try reader.next() } catch { errors.append(error) }
    }
    #expect(errors[0].place?.line == 3002 && Set(errors).count == 1)
  }

  @Test func anEmptyFileOfOneSensorMeansTheSensorIsAbsent() throws {
    let folder = try withAccelerometer("")
    let result = try read(folder.path)
    #expect(result.recording.info.kinds == [.gyroscope, .magnetometer])
  }

  @Test func aFileFullOfBadLinesFailsEvenWhenSkipping() throws {
    let folder = try withAccelerometer(String(repeating: "x,y,z\n", count: 5000))
    let error = failure(folder.path, .skipping)
    #expect(error?.code == .malformed && error?.place?.line == 2)
  }

  @Test func aLineLongerThanTheCapIsRefusedWithItsNumber() throws {
    let folder = try withAccelerometer(rows(2) + String(repeating: "1", count: 3 << 20))
    let error = failure(folder.path, .skipping)
    #expect(error?.code == .limitExceeded && error?.place?.line == 4)
  }

  @Test func aNumberOfAThousandDigitsIsReadAndOneOfTenThousandIsNot() throws {
    let long = "0." + String(repeating: "3", count: 900)
    let folder = try withAccelerometer("1,\(long),0,0\n")
    #expect(try read(folder.path).accelerometer[0].reading.x == 0.3333333333333333)
    let longer = "0." + String(repeating: "3", count: 10_000)
    try folder.write(Fixture.accelerometer, header + "1,\(longer),0,0\n")
    #expect(failure(folder.path)?.place?.column == "x")
  }

  @Test func sensorLogErrorsNameTheColumnAndTheLine() throws {
    let folder = try TemporaryFolder()
    let text = Fixture.sensorLog().replacing("0.103,", with: "O.103,")
    let error = failure(try folder.write("log.csv", text))
    #expect(error?.place == .init(file: folder.path + "/log.csv", line: 5, column: "accelerometerAccelerationX(G)"))
    let decimalComma = Fixture.sensorLog().replacing("-0.9870452880859375", with: "-0,9870452880859375")
    #expect(failure(try folder.write("comma.csv", decimalComma))?.code == .malformed)
    let skipped = try read(try folder.write("log.csv", text), .skipping)
    // A damaged cell costs the sensor that it is of.
    #expect(skipped.accelerometer.count == 9 && skipped.gyroscope.count == 10)
    #expect(skipped.statistics[.malformed] == 1)
  }

  @Test func sensorLogGroupsThatRunBackwardsAreReported() throws {
    let folder = try TemporaryFolder()
    let text = Fixture.sensorLog().replacing("1138457.739001000", with: "1138457.539001000")
    let path = try folder.write("log.csv", text)
    #expect(failure(path)?.message.contains("Time goes backwards here, by 0.19 s") == true)
    let result = try read(path, .skipping)
    #expect(result.gyroscope.count == 9 && result.statistics[.outOfOrder] == 1)
  }

  @Test func aHeaderOnlyHoldsNoSample() throws {
    let folder = try TemporaryFolder()
    let error = failure(try folder.write("log.csv", Fixture.sensorLog(rows: 0)))
    #expect(error?.code == .unsupported && error?.message.contains("no sample") == true)
  }

  @Test func aColumnThatOccursTwiceIsAnError() throws {
    let folder = try TemporaryFolder()
    let text = Fixture.sensorLog().replacing("gyroRotationY", with: "gyroRotationX")
    #expect(failure(try folder.write("log.csv", text))?.message.contains("occurs twice") == true)
  }

  @Test func aMissingColumnOfASensorLoggerFileIsNamed() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.sensorLogger()
    files["GyroscopeUncalibrated.csv"] = Fixture.sensorLoggerTable("z,x") { "\($0),1" }
    let error = failure(try folder.write(files))
    #expect(error?.place?.column == "y" && error?.place?.line == 1)
  }

  /// Not by its length: a file is judged by its first rows.
  @Test(arguments: [30, 60, 900, 1100, 3000]) func badRowsAreJudgedByTheFirstFifty(count: Int) throws {
    let folder = try TemporaryFolder()
    func rows(_ range: Range<Int>, _ x: String) -> String { range.map { "\($0),\(x),0,1\n" }.joined() }
    var options = RecordingOptions.skipping
    (options.map, options.sign) = (try ColumnMap("t=t[ms] ax=x[g] ay=y az=z"), .reaction)
    let refusal = try #require(failure(folder.write("a.csv", "t,x,y,z\n" + rows(0..<count, "1e200")), options))
    #expect(refusal.code == .malformed && refusal.place?.line == 2, "\(refusal)")
    #expect(refusal.message.contains("None of the first 50 rows can be read; here: Expected a finite number"))
    let result = try read(
      folder.write("b.csv", "t,x,y,z\n" + rows(0..<100, "0") + rows(100..<100 + count, "1e200")), options)
    #expect(result.accelerometer.count == 100 && result.statistics.omitted == count)
  }
}
