// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// The World Magnetic Model against its official values.
@Suite struct GeomagneticModelTests {
  func modelled(_ year: Double, _ kilometres: Double, _ latitude: Double, _ longitude: Double) -> GeomagneticField? {
    GeomagneticModel().field(
      latitude: Angle(degrees: latitude).radians, longitude: Angle(degrees: longitude).radians,
      heightAboveEllipsoid: kilometres * 1000, year: year)
  }

  @Test func allHundredOfficialRowsAreReproduced() throws {
    #expect(GeomagneticTestValue.official.count == 100)
    var worst = 0.0
    for row in GeomagneticTestValue.official {
      let field = try #require(modelled(row.year, row.height, row.latitude, row.longitude))
      for (value, expected) in [
        (field.north, row.north), (field.east, row.east), (field.down, row.down), (field.horizontal, row.horizontal),
        (field.total, row.total),
      ] {
        worst = max(worst, abs(value * 1e9 - expected))
      }
      #expect(abs(Angle(radians: field.declination).degrees - row.declination) < 0.0051)
      #expect(abs(Angle(radians: field.dipAngle).degrees - row.dipAngle) < 0.0051)
    }
    #expect(worst < 0.001, "nT")
  }

  /// The test values published with the WMM2025: year, km, latitude, longitude, X, Y, Z, H, F in nT, D, I in degrees.
  @Test(arguments: [
    [2025.0, 0, 80, 0, 6521.6, 145.9, 54791.5, 6523.2, 55178.5, 1.28, 83.21],
    [2025.0, 0, 0, 120, 39677.8, -109.6, -10580.2, 39677.9, 41064.3, -0.16, -14.93],
    [2025.0, 0, -80, 240, 6117.5, 15751.9, -52022.5, 16898.1, 54698.2, 68.78, -72.00],
    [2025.0, 100, 80, 0, 6216.0, 92.4, 52598.8, 6216.7, 52964.9, 0.85, 83.26],
    [2027.5, 0, 0, 120, 39701.6, -167.4, -10381.8, 39702.0, 41036.9, -0.24, -14.65],
    [2027.5, 0, -80, 240, 6200.7, 15730.3, -51783.7, 16908.3, 54474.2, 68.49, -71.92],
    [2027.5, 100, -80, 240, 5984.0, 14760.1, -49317.7, 15927.0, 51825.7, 67.93, -72.10],
  ]) func theTableOfTheSpecificationHolds(_ row: [Double]) throws {
    let field = try #require(modelled(row[0], row[1], row[2], row[3]))
    for (value, expected) in zip([field.north, field.east, field.down, field.horizontal, field.total], row[4...]) {
      #expect(abs(value * 1e9 - expected) < 0.06)
    }
    #expect(abs(Angle(radians: field.declination).degrees - row[9]) < 0.0051)
    #expect(abs(Angle(radians: field.dipAngle).degrees - row[10]) < 0.0051)
  }

  @Test(arguments: [
    ("San Francisco", 37.77, -122.42, 12.82, 61.03, 47305.0), ("Berlin", 52.52, 13.405, 5.20, 68.11, 50103),
    ("Sydney", -33.87, 151.21, 12.83, -64.40, 56974),
  ]) func citiesHaveTheDeclinationOfTheirMaps(
    _ city: (name: String, latitude: Double, longitude: Double, declination: Double, dip: Double, total: Double)
  ) throws {
    let field = try #require(modelled(2026.9, 0, city.latitude, city.longitude), "\(city.name)")
    #expect(abs(Angle(radians: field.declination).degrees - city.declination) < 0.0051)
    #expect(abs(Angle(radians: field.dipAngle).degrees - city.dip) < 0.0051)
    #expect(abs(field.total * 1e9 - city.total) < 0.6)
    #expect(!field.isInBlackoutZone && !field.isInCautionZone)
  }

  @Test(arguments: [90.0, -90]) func atThePolesTheFieldIsThatOfTheNeighbourhood(latitude: Double) throws {
    let pole = try #require(modelled(2026, 0, latitude, 30))
    let beside = try #require(modelled(2026, 0, latitude * (1 - 1e-7), 30))
    #expect(pole.north.isFinite && pole.east.isFinite && pole.down.isFinite)
    #expect(abs(pole.north - beside.north) < 0.1e-9)
    #expect(abs(pole.east - beside.east) < 0.1e-9)
    #expect(abs(pole.down - beside.down) < 0.1e-9)
  }

  @Test func otherYearsAndImpossiblePlacesAreRefused() {
    #expect(modelled(2025, 0, 50, 10) != nil)
    #expect(modelled(2030, 0, 50, 10) != nil)
    #expect(modelled(2024.99, 0, 50, 10) == nil)
    #expect(modelled(2030.01, 0, 50, 10) == nil)
    #expect(modelled(.nan, 0, 50, 10) == nil)
    #expect(modelled(2026, 0, 90.1, 10) == nil)
    #expect(modelled(2026, 0, .nan, 10) == nil)
    #expect(modelled(2026, 0, 50, .infinity) == nil)
    #expect(modelled(2026, 1000, 50, 10) == nil)
    #expect(modelled(2026, .nan, 50, 10) == nil)
  }

  @Test func aWholeTurnOfLongitudeChangesNothing() throws {
    let here = try #require(modelled(2026, 0, 40, -100))
    let around = try #require(modelled(2026, 0, 40, 260))
    #expect(abs(here.north - around.north) < 1e-15)
    #expect(abs(here.east - around.east) < 1e-15)
  }

  @Test func nearTheMagneticPoleIsTheBlackoutZone() throws {
    // The first official row: 89° N, 121° W, H = 1504 nT.
    let pole = try #require(modelled(2025, 28, 89, -121))
    #expect(pole.isInBlackoutZone)
    #expect(pole.declinationStandardDeviation > Angle(degrees: 3).radians)
    // The second: H = 2164 nT.
    #expect(try #require(modelled(2025, 48, 80, -96)).isInCautionZone)
  }
}
