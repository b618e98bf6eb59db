// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerSimulations: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.simulate) }
}

extension SourceScheme {
  /// Simulated devices, each a scenario by its name.
  static let simulate = SourceScheme(
    "simulate", form: "simulate:NAME", rank: 100, pacing: .onDemand,
    discover: { _ in
      Scenario.all.map { scenario in
        let address = "simulate:\(scenario.name)"
        do throws(SensorError) {
          let source = try SimulatedSource(scenario: scenario.name, options: [:])
          return DiscoveredSource(address: address, summary: scenario.summary, source: source)
        } catch {
          return DiscoveredSource(address: address, summary: scenario.summary, problem: error)
        }
      }
    }
  ) { address, _ throws(SensorError) in
    try SimulatedSource(scenario: address.path, options: address.options)
  }
}
