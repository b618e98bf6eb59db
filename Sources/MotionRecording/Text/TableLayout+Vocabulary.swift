// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension TableLayout.Vocabulary {
  /// The number of a word in lower case; nil when the vocabulary lacks it.
  func number(of word: String) -> UInt8? {
    switch self {
    case .headphoneLocation:
      let location: FusedMotionSample.Location =
        switch word {
        case "left": .headphoneLeft
        case "right": .headphoneRight
        default: .device
        }
      return location.rawValue
    case .referenceFrameMask:
      let references: [String: FusedMotionSample.Reference] = [
        "1": .xArbitrary, "2": .xArbitraryCorrected, "4": .xMagneticNorth, "8": .xTrueNorth,
      ]
      return references[word]?.rawValue
    case .referenceFrame:
      let reference: FusedMotionSample.Reference? =
        switch word {
        case "xarbitraryzvertical": .xArbitrary
        case "xarbitrarycorrectedzvertical": .xArbitraryCorrected
        case "xmagneticnorthzvertical": .xMagneticNorth
        case "xtruenorthzvertical": .xTrueNorth
        default: nil
        }
      return reference?.rawValue
    }
  }
}
