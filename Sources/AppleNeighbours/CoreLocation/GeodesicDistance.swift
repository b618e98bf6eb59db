// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Metres between two places along the ellipsoid WGS 84, by Vincenty's inverse formula (Survey Review 23, 1975). For
/// nearly opposite places, where that does not converge, along the sphere with the mean radius (within 0.6 %).
func geodesicDistance(_ from: CLLocationCoordinate2D, _ to: CLLocationCoordinate2D) -> Double {
  let equatorialRadius = 6_378_137.0
  let flattening = 1 / 298.257_223_563
  let polarRadius = equatorialRadius * (1 - flattening)
  let radians = Double.pi / 180
  let reduced1 = atan((1 - flattening) * tan(from.latitude * radians))
  let reduced2 = atan((1 - flattening) * tan(to.latitude * radians))
  let longitude = (to.longitude - from.longitude) * radians
  let (sin1, cos1, sin2, cos2) = (sin(reduced1), cos(reduced1), sin(reduced2), cos(reduced2))

  var lambda = longitude
  for _ in 0..<100 {
    let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
    let across = cos2 * sinLambda
    let along = cos1 * sin2 - sin1 * cos2 * cosLambda
    let sinSigma = (across * across + along * along).squareRoot()
    guard sinSigma > 0 else { return 0 }
    let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
    let sigma = atan2(sinSigma, cosSigma)
    let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
    let cosAlpha2 = 1 - sinAlpha * sinAlpha
    let cos2Middle = cosAlpha2 > 0 ? cosSigma - 2 * sin1 * sin2 / cosAlpha2 : 0
    let c = flattening / 16 * cosAlpha2 * (4 + flattening * (4 - 3 * cosAlpha2))
    let before = lambda
    let bend = 2 * cos2Middle * cos2Middle - 1
    lambda =
      longitude + (1 - c) * flattening * sinAlpha * (sigma + c * sinSigma * (cos2Middle + c * cosSigma * bend))
    guard abs(lambda - before) < 1e-12 else { continue }

    let u2 = cosAlpha2 * (equatorialRadius * equatorialRadius / (polarRadius * polarRadius) - 1)
    let a = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
    let b = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
    let last = b / 6 * cos2Middle * (4 * sinSigma * sinSigma - 3) * (4 * cos2Middle * cos2Middle - 3)
    let correction = b * sinSigma * (cos2Middle + b / 4 * (cosSigma * bend - last))
    return polarRadius * a * (sigma - correction)
  }
  let (latitude1, latitude2) = (from.latitude * radians, to.latitude * radians)
  let halves = (sin((latitude2 - latitude1) / 2), sin(longitude / 2))
  let haversine = halves.0 * halves.0 + cos(latitude1) * cos(latitude2) * halves.1 * halves.1
  return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
}
