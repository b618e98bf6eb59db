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

  @Test func aSwappedAttitudeIsNoticedWithBothReadings() throws {
    var fixture = TableFixture.tidy
    fixture.header?.swapAt(2, 3)
    let found = try warnings(fixture)
    #expect(
      found.count == 1 && found[0].contains("recorded gravity up is") && found[0].contains("recorded attitude it is"))
    #expect(found[0].contains("° apart") && !found[0].contains(" 0.0° apart"))
  }

  @Test func aWrongSignIsNoticedWhereTheRecordingKnowsGravity() throws {
    var fixture = TableFixture.mapped
    let names = ["gravx", "gravy", "gravz", "userx", "usery", "userz"]
    // The raw accelerometer of another sign family than its gravity.
    fixture.header? += names
    for row in fixture.rows.indices {
      fixture.rows[row] +=
        TableFixture.texts(TableFixture.gravity, scale: -1)
        + TableFixture.texts(TableFixture.userAcceleration)
    }
    fixture.options.map = try ColumnMap(
      "t=Time[ms] ax=Acc X[mg] ay=Acc Y az=Acc Z gx=Gx[deg/s] gy=Gy gz=Gz gravx=gravx[g] gravy=gravy gravz=gravz "
        + "userx=userx[g] usery=usery userz=userz")
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("opposite sign") && found[0].contains("180."))
  }

  @Test func aWrongUnitIsNoticedByTheLengthOfGravity() throws {
    var fixture = TableFixture.mapped
    for row in fixture.rows.indices {
      for column in 1...3 { fixture.rows[row][column] = "\(9.81 * (Double(fixture.rows[row][column]) ?? 0))" }
    }
    let found = try warnings(fixture)
    #expect(found.count == 1 && found[0].contains("96.2 m/s²") && found[0].contains("unit"))
  }

  @Test func aRecordingThatMovesIsNoReasonToWarn() throws {
    var fixture = TableFixture.mapped
    // A hand waved about, gravity and half of it again.
    for row in fixture.rows.indices { fixture.rows[row][1] = row.isMultiple(of: 2) ? "500" : "-500" }
    #expect(try warnings(fixture) == [])
  }

  @Test(.enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
  func realPhonesFitGravity() throws {
    for name in ["pyojin_iphone_2019_06_10", "pyojin_iphone_2019_06_11", "tyrex_Guillaume_iPhone5_NoDist_AR"] {
      #expect(try Recording.open(path: SharedData.phone(name)).warnings == [], "\(name)")
    }
  }

  @Test func readingsThatNoSensorGivesAreNoticed() throws {
    var fixture = TableFixture.mapped
    fixture.rows[3][1] = "1e30"
    fixture.rows[4][4] = "1e9"
    let found = try warnings(fixture)
    #expect(found.count >= 2 && found[0].contains("of the accelerometer above 9806.65 m/s²"))
    #expect(found[1].contains("of the gyroscope above 1000.0 rad/s: 1 of the first"))
  }
}
