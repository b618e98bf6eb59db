// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
import MotionSensing

/// The thread on which a recording is written.
///
/// `@unchecked Sendable`: the loop is handed to the thread when it starts, and nobody else keeps it.
final class RecorderThread: @unchecked Sendable {
  private let loop: Recorder.WriterLoop

  private init(_ loop: Recorder.WriterLoop) { self.loop = loop }

  static func start(_ loop: Recorder.WriterLoop) {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(RecorderThread(loop)).toOpaque()
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        motion_name_thread("motion recorder")
        Unmanaged<RecorderThread>.fromOpaque(context).takeRetainedValue().loop.run()
        return nil
      }, context)
    precondition(
      result == 0, "The system refuses another thread (errno \(result)): too many recordings are made at once.")
    pthread_detach(thread)
  }
}
