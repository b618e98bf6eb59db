// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Runs before `main` (``SourceRegistry``).
@section(".init_array") @used
private let registerReplay: @convention(c) () -> Void = {
  SourceRegistry.atStart { SourceRegistry.add(.replay) }
}

extension SourceScheme {
  /// Recordings.
  static let replay = SourceScheme(
    "replay", form: "replay:PATH", rank: 110, pacing: .onDemand, canResume: true
  ) { address, _ throws(SensorError) in
    try ReplaySource(path: address.path, options: address.options)
  }
}
