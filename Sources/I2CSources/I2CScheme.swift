// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerI2C: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.ms5837) }
}

extension SourceScheme {
  /// Depth sensors without a driver of the kernel. They are named, not looked for.
  static let ms5837 = SourceScheme(
    "ms5837", form: "ms5837:BUS", rank: 50,
    discover: { context in
      let buses = MS5837Source.buses(in: context.root.nodes).map(String.init)
      guard let first = buses.first else { return [] }
      return [
        DiscoveredSource(
          address: "ms5837:\(first)",
          summary:
            "an MS5837 depth sensor, if one is wired to an I²C bus (there are \(buses.joined(separator: ", "))); buses are "
            + "not searched, because that may disturb other chips")
      ]
    }
  ) { address, _ throws(SensorError) in
    try MS5837Source(path: address.path, options: address.options)
  }
}
