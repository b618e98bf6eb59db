// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The products of this package that a program may lack, for the error that names them: a product that is not linked
/// registers nothing.
enum LinkedProducts {
  /// The product of each scheme that `CoreMotion` alone does not bring.
  private static let products = [
    "replay": "MotionRecording", "phone": "MotionPhones", "airpods": "MotionHeadphones",
    "headtracker": "MotionHeadphones", "simulate:headphones": "MotionHeadphones",
  ]

  /// The scheme that opens an address: one of that very address, such as `simulate:headphones`, before the one of its
  /// first word. Throws where it is not registered.
  static func scheme(of uri: SourceURI) throws(SensorError) -> SourceScheme {
    let whole = "\(uri.scheme):\(uri.path)"
    if let scheme = SourceRegistry.scheme(whole) { return scheme }
    guard products[whole] == nil, let scheme = SourceRegistry.scheme(uri.scheme) else {
      throw missing(scheme: products[whole] == nil ? uri.scheme : whole)
    }
    return scheme
  }

  /// The error for an address whose scheme is not registered.
  static func missing(scheme: String) -> SensorError {
    if let product = products[scheme] {
      return missing(scheme.contains(":") ? "“\(scheme)”" : "“\(scheme):”", product: product)
    }
    let forms = SourceRegistry.schemes.map(\.form)
    let list = forms.dropLast().joined(separator: ", ") + (forms.count > 1 ? " and " : "") + (forms.last ?? "none")
    return SensorError(
      .notFound, "There is no kind of motion source called “\(scheme)” in this program; there are \(list).")
  }

  /// `subject` begins the sentence.
  static func missing(_ subject: String, product: String) -> SensorError {
    SensorError(
      .unsupported,
      "\(subject) needs the product \(product), which is not linked into this program. Add this line to the dependencies of its target in Package.swift: .product(name: \"\(product)\", package: \"OpenCoreMotion\")"
    )
  }
}
