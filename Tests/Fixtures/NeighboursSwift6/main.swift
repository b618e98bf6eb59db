// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreLocation

MainActor.assumeIsolated {
  let recorder = Recorder()
  recorder.start()
  recorder.turn()
  recorder.moved(
    from: CLLocation(latitude: 52.5, longitude: 13.4), to: CLLocation(latitude: 52.6, longitude: 13.4))
  print(recorder.steps, Int(recorder.distance))
}
