// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
import MotionSensing
package import MotionTools

/// The tracks of one recording, a frame each: computed on a thread of their own when first asked for, then kept.
package final class ViewTracks: Sendable {
  package enum Progress: Sendable {
    /// 0…1
    case reading(Double)
    case ready(ViewTrack)
    case failed(String)
  }

  package let selection: SourceSelection
  package let host: MotionHost
  private let view: Int
  private let tracks = Lock<[ReferenceFrame: Progress]>([:])
  private let isStopped = Lock(false)

  private let smooths: Bool

  package init(_ selection: SourceSelection, view: Int, location: LocationArgument?, smooths: Bool = false) throws {
    (self.selection, self.view, self.smooths) = (selection, view, smooths)
    host = try selection.host(clock: FreeRunningClock(), location: location)
  }

  /// The track in a frame, or how far it is; the first call begins it.
  package func track(_ frame: ReferenceFrame) -> Progress {
    let (progress, isNew) = tracks.withLock { tracks -> (Progress, Bool) in
      if let progress = tracks[frame] { return (progress, false) }
      tracks[frame] = .reading(0)
      return (.reading(0), true)
    }
    guard isNew else { return progress }
    do { try SystemThread.start("motion track") { [self] in compute(frame) } } catch {
      tracks.withLock { $0[frame] = .failed("\(error)") }
    }
    return progress
  }

  package func stop() { isStopped.withLock { $0 = true } }

  private func compute(_ frame: ReferenceFrame) {
    do {
      let framing = frame.framing(at: host.location)
      let track = try ViewTrackBuilder.track(of: selection, view: view, framing: framing, smooths: smooths) { share in
        tracks.withLock { $0[frame] = .reading(share) }
        return !isStopped.withLock { $0 }
      }
      if let track { tracks.withLock { $0[frame] = .ready(track) } }
    } catch {
      tracks.withLock { $0[frame] = .failed("\(error)") }
    }
  }
}
