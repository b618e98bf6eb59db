// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import LinuxSources
import MotionSensing
import MotionServices

/// Headphones that are connected to this computer.
extension SourceCatalog {
  /// Opens `airpods:ADDRESS`. Nothing is sent before somebody listens.
  func openAirPods(_ uri: SourceURI) throws(SensorError) -> Entry {
    let source = try AirPodsSource(device: uri.path, options: uri.options)
    return Entry(uri: uri, source: source, clock: MonotonicClock(), rate: 1, gate: .open)
  }
}
