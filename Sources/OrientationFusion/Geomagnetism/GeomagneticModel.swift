// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The World Magnetic Model 2025: the earth's main field as a sum of spherical harmonics up to degree 12.
///
/// The field of the earth's core drifts, so a model is a snapshot (epoch 2025.0) with its rate of change, and is valid
/// for five years only. Later the error of the declination grows unnoticed; therefore the model rejects other dates.
///
/// ```swift
/// let field = GeomagneticModel().field(
///   latitude: Angle(degrees: 52.52).radians, longitude: Angle(degrees: 13.405).radians, heightAboveEllipsoid: 34,
///   year: 2026.9)
/// field?.declination    // 0.0908 rad = 5.2° east
/// ```
///
/// Source: NOAA/NCEI and British Geological Survey, "The US/UK World Magnetic Model for 2025–2030"; the coefficients
/// are in the public domain. The equations: Documentation/Filter.md 12.
public struct GeomagneticModel: Sendable {
  /// The decimal year of the coefficients.
  public static let epoch = 2025.0
  /// The decimal years for which the model is valid.
  public static let validity = 2025.0...2030.0

  /// The WMM2025.
  public init() {}

  /// The field at a place and time.
  ///
  /// - Parameters:
  ///   - latitude: geodetic (WGS 84), rad, −π/2…π/2; the poles are allowed.
  ///   - longitude: rad, east positive; any number of turns.
  ///   - heightAboveEllipsoid: m above the WGS 84 ellipsoid, −10 km…850 km; the height above sea level can be used too.
  ///   - year: decimal year, for example 2026.5 for the first days of July 2026.
  /// - Returns: the field, or nil when the year lies outside ``validity``, the latitude or the height outside their
  ///   ranges, or a number is not finite.
  public func field(
    latitude: Double, longitude: Double, heightAboveEllipsoid: Double, year: Double
  ) -> GeomagneticField? {
    guard Self.validity.contains(year), abs(latitude) <= .pi / 2 + 1e-12, longitude.isFinite,
      (-10e3...850e3).contains(heightAboveEllipsoid)
    else { return nil }
    let place = GeocentricPlace(latitude: latitude, heightAboveEllipsoid: heightAboveEllipsoid)
    let spherical = synthesize(place, longitude: longitude, years: year - Self.epoch)

    // From the axes of the sphere to those of the ellipsoid.
    let turn = place.latitude - latitude
    let (sine, cosine) = (Scalar.sin(turn), Scalar.cos(turn))
    let tesla = 1e-9
    return GeomagneticField(
      north: (spherical.north * cosine - spherical.down * sine) * tesla,
      east: spherical.east * tesla,
      down: (spherical.north * sine + spherical.down * cosine) * tesla)
  }
}

/// A place in geocentric coordinates.
private struct GeocentricPlace {
  /// rad.
  var latitude: Double
  /// Distance from the earth's centre, m.
  var radius: Double

  /// From geodetic coordinates on the WGS 84 ellipsoid.
  init(latitude: Double, heightAboveEllipsoid height: Double) {
    let semiMajorAxis = 6_378_137.0
    let flattening = 1 / 298.257223563
    let squaredEccentricity = flattening * (2 - flattening)
    let (sine, cosine) = (Scalar.sin(latitude), Scalar.cos(latitude))
    let curvature = semiMajorAxis / (1 - squaredEccentricity * sine * sine).squareRoot()
    let fromAxis = (curvature + height) * cosine
    let aboveEquator = (curvature * (1 - squaredEccentricity) + height) * sine
    radius = Scalar.hypot(fromAxis, aboveEquator)
    self.latitude = Scalar.asin(aboveEquator / radius)
  }
}

extension GeomagneticModel {
  private static var degree: Int { 12 }
  /// The sphere to which the coefficients refer, m.
  private static var referenceRadius: Double { 6_371_200 }

  /// The sum of the harmonics in spherical axes, nT.
  private func synthesize(
    _ place: GeocentricPlace, longitude: Double, years: Double
  ) -> (north: Double, east: Double, down: Double) {
    let sine = Scalar.sin(place.latitude)
    // At a pole east and north lose their meaning, but not the limit of the sum: a step of 1e-10 beside it is exact
    // enough.
    let cosine = max(Scalar.cos(place.latitude), 1e-10)
    var (north, east, down) = (0.0, 0.0, 0.0)
    let ratio = Self.referenceRadius / place.radius
    let coefficients = Self.coefficients

    // Schmidt semi-normalised Legendre functions, column by column: for each order m the diagonal, then upwards in n.
    var diagonal = 1.0
    var diagonalSlope = 0.0
    for m in 0...Self.degree {
      if m > 0 {
        let k = m == 1 ? 1 : ((2 * Double(m) - 1) / (2 * Double(m))).squareRoot()
        diagonalSlope = k * (cosine * diagonalSlope - sine * diagonal)
        diagonal *= k * cosine
      }
      let (sineOfOrder, cosineOfOrder) = (Scalar.sin(Double(m) * longitude), Scalar.cos(Double(m) * longitude))
      var (p, slope) = (diagonal, diagonalSlope)
      var (below, belowSlope) = (0.0, 0.0)
      for n in m...Self.degree {
        if n > m {
          let (a, b) = (2 * Double(n) - 1, (Double((n - 1) * (n - 1) - m * m)).squareRoot())
          let norm = Double(n * n - m * m).squareRoot()
          let next = (a * sine * p - b * below) / norm
          let nextSlope = (a * (sine * slope + cosine * p) - b * belowSlope) / norm
          (below, belowSlope, p, slope) = (p, slope, next, nextSlope)
        }
        guard n > 0 else { continue }
        let row = 4 * (n * (n + 1) / 2 + m - 1)
        let g = coefficients[row] + coefficients[row + 2] * years
        let h = coefficients[row + 1] + coefficients[row + 3] * years
        let scale = Scalar.pow(ratio, Double(n + 2))
        let along = scale * (g * cosineOfOrder + h * sineOfOrder)
        let across = scale * (g * sineOfOrder - h * cosineOfOrder)
        north -= along * slope
        east += Double(m) * across * p / cosine
        down -= Double(n + 1) * along * p
      }
    }
    return (north, east, down)
  }

  /// The Gauss coefficients of the WMM2025 (released 13 November 2024, public domain), four numbers a row: g, h in nT
  /// at 2025.0 and their change in nT a year. The row of degree n and order m is n(n + 1)/2 + m − 1.
  static var coefficients: InlineArray<360, Double> {
    [
      -29351.8, 0.0, 12.0, 0.0,  // 1, 0
      -1410.8, 4545.4, 9.7, -21.5,  // 1, 1
      -2556.6, 0.0, -11.6, 0.0,  // 2, 0
      2951.1, -3133.6, -5.2, -27.7,  // 2, 1
      1649.3, -815.1, -8.0, -12.1,  // 2, 2
      1361.0, 0.0, -1.3, 0.0,  // 3, 0
      -2404.1, -56.6, -4.2, 4.0,  // 3, 1
      1243.8, 237.5, 0.4, -0.3,  // 3, 2
      453.6, -549.5, -15.6, -4.1,  // 3, 3
      895.0, 0.0, -1.6, 0.0,  // 4, 0
      799.5, 278.6, -2.4, -1.1,  // 4, 1
      55.7, -133.9, -6.0, 4.1,  // 4, 2
      -281.1, 212.0, 5.6, 1.6,  // 4, 3
      12.1, -375.6, -7.0, -4.4,  // 4, 4
      -233.2, 0.0, 0.6, 0.0,  // 5, 0
      368.9, 45.4, 1.4, -0.5,  // 5, 1
      187.2, 220.2, 0.0, 2.2,  // 5, 2
      -138.7, -122.9, 0.6, 0.4,  // 5, 3
      -142.0, 43.0, 2.2, 1.7,  // 5, 4
      20.9, 106.1, 0.9, 1.9,  // 5, 5
      64.4, 0.0, -0.2, 0.0,  // 6, 0
      63.8, -18.4, -0.4, 0.3,  // 6, 1
      76.9, 16.8, 0.9, -1.6,  // 6, 2
      -115.7, 48.8, 1.2, -0.4,  // 6, 3
      -40.9, -59.8, -0.9, 0.9,  // 6, 4
      14.9, 10.9, 0.3, 0.7,  // 6, 5
      -60.7, 72.7, 0.9, 0.9,  // 6, 6
      79.5, 0.0, 0.0, 0.0,  // 7, 0
      -77.0, -48.9, -0.1, 0.6,  // 7, 1
      -8.8, -14.4, -0.1, 0.5,  // 7, 2
      59.3, -1.0, 0.5, -0.8,  // 7, 3
      15.8, 23.4, -0.1, 0.0,  // 7, 4
      2.5, -7.4, -0.8, -1.0,  // 7, 5
      -11.1, -25.1, -0.8, 0.6,  // 7, 6
      14.2, -2.3, 0.8, -0.2,  // 7, 7
      23.2, 0.0, -0.1, 0.0,  // 8, 0
      10.8, 7.1, 0.2, -0.2,  // 8, 1
      -17.5, -12.6, 0.0, 0.5,  // 8, 2
      2.0, 11.4, 0.5, -0.4,  // 8, 3
      -21.7, -9.7, -0.1, 0.4,  // 8, 4
      16.9, 12.7, 0.3, -0.5,  // 8, 5
      15.0, 0.7, 0.2, -0.6,  // 8, 6
      -16.8, -5.2, 0.0, 0.3,  // 8, 7
      0.9, 3.9, 0.2, 0.2,  // 8, 8
      4.6, 0.0, 0.0, 0.0,  // 9, 0
      7.8, -24.8, -0.1, -0.3,  // 9, 1
      3.0, 12.2, 0.1, 0.3,  // 9, 2
      -0.2, 8.3, 0.3, -0.3,  // 9, 3
      -2.5, -3.3, -0.3, 0.3,  // 9, 4
      -13.1, -5.2, 0.0, 0.2,  // 9, 5
      2.4, 7.2, 0.3, -0.1,  // 9, 6
      8.6, -0.6, -0.1, -0.2,  // 9, 7
      -8.7, 0.8, 0.1, 0.4,  // 9, 8
      -12.9, 10.0, -0.1, 0.1,  // 9, 9
      -1.3, 0.0, 0.1, 0.0,  // 10, 0
      -6.4, 3.3, 0.0, 0.0,  // 10, 1
      0.2, 0.0, 0.1, 0.0,  // 10, 2
      2.0, 2.4, 0.1, -0.2,  // 10, 3
      -1.0, 5.3, 0.0, 0.1,  // 10, 4
      -0.6, -9.1, -0.3, -0.1,  // 10, 5
      -0.9, 0.4, 0.0, 0.1,  // 10, 6
      1.5, -4.2, -0.1, 0.0,  // 10, 7
      0.9, -3.8, -0.1, -0.1,  // 10, 8
      -2.7, 0.9, 0.0, 0.2,  // 10, 9
      -3.9, -9.1, 0.0, 0.0,  // 10, 10
      2.9, 0.0, 0.0, 0.0,  // 11, 0
      -1.5, 0.0, 0.0, 0.0,  // 11, 1
      -2.5, 2.9, 0.0, 0.1,  // 11, 2
      2.4, -0.6, 0.0, 0.0,  // 11, 3
      -0.6, 0.2, 0.0, 0.1,  // 11, 4
      -0.1, 0.5, -0.1, 0.0,  // 11, 5
      -0.6, -0.3, 0.0, 0.0,  // 11, 6
      -0.1, -1.2, 0.0, 0.1,  // 11, 7
      1.1, -1.7, -0.1, 0.0,  // 11, 8
      -1.0, -2.9, -0.1, 0.0,  // 11, 9
      -0.2, -1.8, -0.1, 0.0,  // 11, 10
      2.6, -2.3, -0.1, 0.0,  // 11, 11
      -2.0, 0.0, 0.0, 0.0,  // 12, 0
      -0.2, -1.3, 0.0, 0.0,  // 12, 1
      0.3, 0.7, 0.0, 0.0,  // 12, 2
      1.2, 1.0, 0.0, -0.1,  // 12, 3
      -1.3, -1.4, 0.0, 0.1,  // 12, 4
      0.6, 0.0, 0.0, 0.0,  // 12, 5
      0.6, 0.6, 0.1, 0.0,  // 12, 6
      0.5, -0.1, 0.0, 0.0,  // 12, 7
      -0.1, 0.8, 0.0, 0.0,  // 12, 8
      -0.4, 0.1, 0.0, 0.0,  // 12, 9
      -0.2, -1.0, -0.1, 0.0,  // 12, 10
      -1.3, 0.1, 0.0, 0.0,  // 12, 11
      -0.7, 0.2, -0.1, -0.1,  // 12, 12
    ]
  }
}
