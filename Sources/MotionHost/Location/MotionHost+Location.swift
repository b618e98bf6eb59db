// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
package import MotionSensing

extension MotionHost {
  /// Fixes of the receiver or the track that `MOTION_LOCATION` names; nil when it names none.
  package func positionFixes() -> AsyncThrowingStream<PositionFix, any Error>? {
    locationTrack?.fixes { [weak self] in self?.report($0) }
  }

  /// Sets ``location`` to the first fix of the track, as soon as there is one.
  func findLocation() {
    guard let fixes = positionFixes() else { return }
    Task { [weak self] in
      do {
        for try await fix in fixes {
          self?.location = GeographicLocation(fix)
          return
        }
      } catch {
        self?.report("\(error)")
      }
    }
  }
}

extension GeographicLocation {
  init?(_ fix: PositionFix) {
    self.init(
      latitudeDegrees: Angle(radians: fix.latitude).degrees, longitudeDegrees: Angle(radians: fix.longitude).degrees,
      height: fix.height ?? 0, year: HostEnvironment.decimalYear(Date(timeIntervalSince1970: fix.time.seconds)))
  }
}
