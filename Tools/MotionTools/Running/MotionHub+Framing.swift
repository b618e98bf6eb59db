// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
package import MotionServices

extension MotionHub {
  /// Subscribes to rows of motion in the frame of a framing. `take` receives on the source's thread each state's row,
  /// nil while the frame has none, and the notice that comes before it; a row that the source has fused itself keeps
  /// its frame.
  package func subscribe(
    in framing: MotionFraming, interval: SensorDuration,
    news: @escaping @Sendable (HubNews) -> Void = { _ in },
    take: @escaping @Sendable (_ row: MotionRow?, _ notice: MotionFraming.Notice?) -> Void
  ) -> Subscription {
    let framed = Lock(framing)
    return subscribe(framing.stream, interval: interval) { sample in
      if case .motion(let row) = sample { take(MotionFraming.row(row), nil) }
    } motion: { motion in
      let (row, notice) = framed.withLock { $0.update(motion) }
      take(row, notice)
    } news: {
      news($0)
    }
  }
}
