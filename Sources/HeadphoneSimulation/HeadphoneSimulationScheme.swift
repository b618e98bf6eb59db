// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerSimulatedHeadphones: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.simulatedHeadphones) }
}

extension SourceScheme {
  /// Simulated headphones: one address of `simulate:`, whose other addresses are scenarios of a device.
  static let simulatedHeadphones = SourceScheme(
    "simulate:headphones", form: "simulate:headphones", rank: 101, pacing: .onDemand,
    discover: { _ in
      [
        DiscoveredSource(
          address: "simulate:headphones", summary: SimulatedHeadphones.summary, source: SimulatedHeadphones())
      ]
    }
  ) { address, _ throws(SensorError) in
    try SimulatedHeadphones(options: address.options)
  }
}
