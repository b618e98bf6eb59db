// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerSimulations: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.simulate) }
}

extension SourceScheme {
  /// Simulated devices, each a scenario by its name.
  package static let simulate = SourceScheme(
    "simulate", form: "simulate:NAME", rank: 100, pacing: .onDemand,
    discover: { _ in
      Scenario.all.map {
        DiscoveredSource(
          address: "simulate:\($0.name)", summary: $0.summary,
          source: SimulatedSource(trajectory: $0.trajectory, configuration: $0.configuration, name: $0.name))
      }
    }
  ) { address, _ throws(SensorError) in
    try SimulatedSource(scenario: address.path, options: address.options)
  }
}
