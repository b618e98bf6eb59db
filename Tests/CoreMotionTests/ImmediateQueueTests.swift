// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// A queue that test kits use: it runs an operation where it is added, on the source's own thread.
private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
  override func addOperation(_ operation: Operation) { operation.start() }
}

@Suite struct ImmediateQueueTests {
  private static func manager() -> (CMMotionManager, MotionHost) {
    let source = SimulatedSource(trajectory: Rest(), name: "rest")
    let host = MotionHost(device: source, clock: FreeRunningClock())
    return (host.run { CMMotionManager() }, host)
  }

  @Test func aHandlerMayStopItsServiceOnIt() async {
    let (manager, host) = Self.manager()
    let count = Box(0)
    nonisolated(unsafe) let stopping = manager
    manager.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
      if count.with({
        $0 += 1; return $0
      }) == 5 {
        stopping.stopAccelerometerUpdates()
      }
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(count.value == 5 && !manager.isAccelerometerActive)
  }

  @Test func aHandlerMayReplaceItselfOnIt() async {
    let (manager, host) = Self.manager()
    let (first, second) = (Box(0), Box(0))
    nonisolated(unsafe) let starting = manager
    manager.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
      first.with { $0 += 1 }
      starting.startAccelerometerUpdates(to: ImmediateQueue()) { _, _ in
        if second.with({
          $0 += 1; return $0
        }) == 5 {
          starting.stopAccelerometerUpdates()
        }
      }
    }
    #expect(await eventually { host.device?.isRunning == false })
    #expect(first.value == 1 && second.value == 5)
  }
}
