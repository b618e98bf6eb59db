// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the program has cost since this value was made: for the summary of a stream.
struct ProcessUse {
  private let begin = ProcessUse.now

  /// "0.12 s of processor time, 101 wake-ups a second".
  var sentence: String {
    let (begin, now) = (begin, Self.now)
    let seconds = max(1e-3, Double(now.time - begin.time) / 1e9)
    let wakeUps = Double(now.wakeUps - begin.wakeUps) / seconds
    return
      "\(Text.decimal(now.processor - begin.processor, places: 2)) s of processor time, \(Text.decimal(wakeUps, places: 0)) wake-ups a second"
  }

  /// Processor time in seconds, voluntary context switches (a thread that had gone to sleep) and ns of real time.
  private static var now: (processor: Double, wakeUps: Int, time: UInt64) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (
      seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_nvcsw, DispatchTime.now().uptimeNanoseconds
    )
  }
}
