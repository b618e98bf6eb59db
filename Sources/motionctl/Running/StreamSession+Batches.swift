// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionRecording
import MotionSensing
import MotionServices

extension StreamSession {
  /// Prints a service by the second, as a client with `for try await` gets it; such a loop ends with its source.
  ///
  /// Begin it inside the host's scope: the task inherits it.
  static func followBatches(of service: MotionService, hub: MotionHub, printer: StreamPrinter) -> Task<Void, Never> {
    Task {
      let manager = CMBatchedSensorManager()
      do {
        if service == .deviceMotion {
          // Motion that a recording holds keeps its own frame, which a client is not told.
          let known: FusedMotionSample.Reference? = hub.info.kinds.contains(.fusedMotion) ? nil : .xArbitrary
          for try await batch in manager.deviceMotionUpdates() {
            print(batch.map { .motion(DeviceMotionRow($0, reference: known)) }, printer)
          }
        } else {
          for try await batch in manager.accelerometerUpdates() {
            print(
              batch.map {
                .vector(timestamp: $0.timestamp, x: $0.acceleration.x, y: $0.acceleration.y, z: $0.acceleration.z)
              }, printer)
          }
        }
        printer.completion.finish(.done)
      } catch {
        printer.say(error)
        printer.completion.finish(.failed(hub.failure ?? SensorError(.system, "The batches ended with an error.")))
      }
    }
  }

  private static func print(_ samples: [ServiceSample], _ printer: StreamPrinter) {
    for (index, sample) in samples.enumerated() { printer.take(sample, backlog: samples.count - index) }
  }
}
