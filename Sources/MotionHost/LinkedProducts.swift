// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The products of this package that a program may lack, for the sentence that names them: what is not linked cannot speak for itself.
enum LinkedProducts {
  /// The product of each scheme that `CoreMotion` alone does not bring.
  private static let products = [
    "replay": "MotionRecording", "phone": "MotionPhones", "airpods": "MotionHeadphones",
    "headtracker": "MotionHeadphones", "ms5837": "MotionI2C",
  ]

  /// Why an address cannot be opened whose scheme nobody registered.
  static func missing(scheme: String) -> SensorError {
    if let product = products[scheme] { return missing("“\(scheme):”", product: product) }
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
