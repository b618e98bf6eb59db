// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// What every reader of tables must bear: marks, line ends, separators, any order of columns, and damage that costs no
/// more than it must.
@Suite struct EveryTableTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func samples(_ text: String, _ fixture: TableFixture) throws -> ReadResult {
    try read(folder.write(fixture.file, text), fixture.options)
  }

  @Test(arguments: TableFixture.all)
  func itIsRecognisedReadInFullAndFitsGravity(fixture: TableFixture) throws {
    let result = try samples(fixture.text(), fixture)
    #expect(result.recording.format == fixture.format)
    let counts = [
      result.accelerometer.count, result.gyroscope.count, result.magnetometer.count, result.pressure.count,
    ]
    #expect(counts == fixture.counts && result.statistics.omitted == 0)
    #expect(result.recording.warnings == [])
    #expect(result.fused.isEmpty && !result.recording.usesRecordedMotion)
    // At rest in the fixture's tilt, in SI: up is where gravity is not.
    if let force = result.accelerometer.first?.specificForce {
      #expect((force.length / 9.80665 - 1).magnitude < 0.01)
      #expect((force.z / 9.80665 + TableFixture.gravity[2]).magnitude < 0.01)
    }
  }

  @Test(arguments: TableFixture.all)
  func marksLineEndsAndSeparatorsMakeNoDifference(fixture: TableFixture) throws {
    let expected = try samples(fixture.text(), fixture).samples
    #expect(try samples("\u{FEFF}" + fixture.text(), fixture).samples == expected)
    #expect(try samples(fixture.text(lineEnd: "\r\n"), fixture).samples == expected)
    let unended = try samples(String(fixture.text().dropLast()), fixture).samples
    #expect(expected.starts(with: unended) && unended.count < expected.count)
    let packed = try folder.write("x.gz", Compressor.gzip(Array(fixture.text().utf8)))
    #expect(try read(packed, fixture.options).samples == expected)
    // Without a header nothing but the place tells a column, and commas are the form.
    guard fixture.header != nil else { return }
    #expect(try samples(fixture.text(separator: ";"), fixture).samples == expected)
    #expect(try samples(fixture.text(separator: "\t"), fixture).samples == expected)
  }

  @Test(arguments: TableFixture.all.filter { $0.header != nil })
  func columnsAreFoundByNameInAnyOrder(fixture: TableFixture) throws {
    let expected = try samples(fixture.text(), fixture).samples
    var random = SeededRandom(seed: 7)
    let columns = try #require(fixture.header).indices
    // What the format is known by stands first: the time of a phyphox or tidy table.
    let fixed = fixture.fixedColumns
    for _ in 0..<5 {
      let order = Array(columns.prefix(fixed)) + columns.dropFirst(fixed).shuffled(using: &random)
      #expect(try samples(fixture.text(order: order), fixture).samples == expected, "\(order)")
    }
  }

  @Test(arguments: TableFixture.all)
  func anEmptyFileAndAHeaderAloneAreRefusedInASentence(fixture: TableFixture) throws {
    let empty = try #require(failure(folder.write(fixture.file, ""), fixture.options))
    #expect(empty.message.hasSuffix("."))
    guard fixture.header != nil else { return }
    let error = try #require(failure(folder.write(fixture.file, fixture.text(rowCount: 0)), fixture.options))
    #expect(error.code == .unsupported && error.message.contains("no sample"), "\(error)")
  }

  @Test(arguments: TableFixture.all)
  func aLastRowThatWasCutOffCostsItselfOnly(fixture: TableFixture) throws {
    let text = fixture.text()
    let last = try #require(fixture.rows.last)
    for kept in 1..<last.joined(separator: ",").utf8.count - 1 where kept % 7 == 1 {
      let cut = String(text.dropLast(last.joined(separator: ",").count + 1 - kept))
      let result = try samples(cut, fixture)
      let isWhole = result.statistics.omitted == 0
      #expect(result.accelerometer.count == (isWhole ? 12 : 11), "\(kept) bytes")
      #expect(result.statistics[.truncated] == (isWhole ? 0 : 1))
    }
  }

  @Test(arguments: TableFixture.all.filter { $0.unknownUnit != nil })
  func anUnknownUnitIsAnErrorThatNamesTheColumn(fixture: TableFixture) throws {
    let unit = try #require(fixture.unknownUnit)
    let error = try #require(
      failure(folder.write(fixture.file, fixture.text().replacing(unit.column, with: unit.wrong)), fixture.options))
    #expect(error.code == .unsupported && error.place?.column == unit.wrong, "\(error)")
  }

  @Test(arguments: TableFixture.all.filter { $0.header != nil })
  func aColumnThatOccursTwiceOrIsMissingIsAnError(fixture: TableFixture) throws {
    let header = try #require(fixture.header)
    var twice = fixture
    // An axis under the name of its neighbour: the one occurs twice, the other is missing.
    let index = try #require(
      header.lastIndex { name in
        name.hasSuffix(".z") || name.contains("_z") || name.contains("Z") || name.contains(" z") || name == "gz"
      })
    twice.header?[index] = header[index - 1]
    let error = failure(try folder.write(fixture.file, twice.text()), fixture.options)
    #expect(error != nil)
  }

  @Test(arguments: TableFixture.all)
  func capsAreErrorsWithTheirPlace(fixture: TableFixture) throws {
    let long = fixture.text() + String(repeating: "1", count: 3 << 20)
    let line = failure(try folder.write(fixture.file, long), fixture.options)
    #expect(line?.code == .limitExceeded && line?.place?.line != nil)
    guard let header = fixture.header else { return }
    let wide = (header + Array(repeating: "c", count: 4097)).joined(separator: ",") + "\n"
    #expect(failure(try folder.write(fixture.file, wide), fixture.options)?.code == .limitExceeded)
    let name = (header + [String(repeating: "n", count: 1025)]).joined(separator: ",") + "\n"
    #expect(failure(try folder.write(fixture.file, name), fixture.options)?.code == .limitExceeded)
  }
}
