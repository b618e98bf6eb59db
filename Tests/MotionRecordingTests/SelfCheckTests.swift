// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

/// Gravity tells a wrong unit, a wrong sign and swapped columns (Documentation/Formats.md 2.2, 2.3).
@Suite struct SelfCheckTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func warnings(_ fixture: TableFixture) throws -> [String] {
    try Recording.open(path: folder.write(fixture.file, fixture.text()), options: fixture.options).warnings
  }

  @Test func swappedAnglesAreNoticedWithBothReadings() throws {
    var fixture = TableFixture.namedOxIOD
    fixture.header?.swapAt(2, 3)
    let found = try warnings(fixture)
    #expect(
      found.count == 1 && found[0].contains("recorded gravity up is") && found[0].contains("recorded attitude it is"))
    #expect(found[0].contains("° apart") && !found[0].contains(" 0.0° apart"))
  }

  @Test func aWrongSignIsNoticedWhereTheRecordingKnowsGravity() throws {
    var fixture = TableFixture.ridi
    // The raw accelerometer of another sign family than its gravity.
    for row in fixture.rows.indices {
      for column in 5...7 { fixture.rows[row][column] = "\(-(Double(fixture.rows[row][column]) ?? 0))" }
    }
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("opposite sign") && found[0].contains("179."))
  }

  @Test func aWrongUnitIsNoticedByTheLengthOfGravity() throws {
    var fixture = TableFixture.xIMU3
    for row in fixture.rows.indices {
      for column in 4...6 { fixture.rows[row][column] = "\(9.81 * (Double(fixture.rows[row][column]) ?? 0))" }
    }
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("96.2 m/s²") && found[0].contains("unit"))
  }

  @Test func aRecordingThatMovesIsNoReasonToWarn() throws {
    var fixture = TableFixture.xIMU3
    // A hand waved about, gravity and half of it again.
    for row in fixture.rows.indices { fixture.rows[row][4] = row.isMultiple(of: 2) ? "0.5" : "-0.5" }
    #expect(try warnings(fixture) == [])
  }

  @Test(.enabled(if: RealData.hasPhones, "needs the recordings in shared/data/iphone (OPENCOREMOTION_DATA)"))
  func realPhonesFitGravity() throws {
    for name in ["pyojin_iphone_2019_06_10", "pyojin_iphone_2019_06_11", "tyrex/Guillaume_iPhone5_NoDist_AR"] {
      #expect(try Recording.open(path: RealData.folder + "/iphone/" + name).warnings == [], "\(name)")
    }
  }

  @Test func readingsThatNoSensorGivesAreNoticed() throws {
    var fixture = TableFixture.xIMU3
    fixture.rows[3][4] = "1e30"
    fixture.rows[4][1] = "1e9"
    let found = try warnings(fixture)
    #expect(found.count >= 2 && found[0].contains("of the accelerometer above 9806.65 m/s²"))
    #expect(found[1].contains("of the gyroscope above 1000.0 rad/s: 1 of the first"))
  }
}
