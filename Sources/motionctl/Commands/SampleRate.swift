// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A wanted rate: hertz above 0, or `max` for every sample of the source.
enum SampleRate: ExpressibleByArgument, CustomStringConvertible {
  case hertz(Double)
  case fastest

  init?(argument: String) {
    if argument.lowercased() == "max" {
      self = .fastest
    } else if let rate = Double(argument), rate > 0, rate <= 1e6 {
      self = .hertz(rate)
    } else {
      return nil
    }
  }

  /// Seconds between samples as a manager's update interval; 0 = every sample.
  var interval: Double {
    switch self {
    case .hertz(let rate): 1 / rate
    case .fastest: 0
    }
  }

  var description: String {
    switch self {
    case .hertz(let rate): "\(Text.decimal(rate, places: 3)) Hz"
    case .fastest: "every sample"
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .hertz(let rate): Text.decimal(rate, places: 3)
    case .fastest: "max"
    }
  }
}
