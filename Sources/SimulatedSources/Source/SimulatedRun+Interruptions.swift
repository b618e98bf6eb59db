// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension SimulatedRun {
  /// A fault that interrupts the whole run: a stall or a disconnection.
  struct Interruption {
    /// Its index in the plan.
    let number: Int
    let offset: SensorDuration
    let isStall: Bool
    /// When a device that left is back; nil for a stall, and for a device that has left for ever.
    let back: SensorDuration?
  }

  /// The interruptions of the plan, by time.
  private var interruptions: [Interruption] {
    let all = faults.faults.indices.compactMap { number -> Interruption? in
      let fault = faults.faults[number]
      guard let offset = SensorDuration(seconds: fault.time) else { return nil }
      switch fault.action {
      case .stall:
        return Interruption(number: number, offset: offset, isStall: true, back: nil)
      case .disconnect(let after):
        let back = after.flatMap { SensorDuration(seconds: fault.time + $0) }
        return Interruption(number: number, offset: offset, isStall: false, back: back)
      case .gap, .duplicate, .outOfOrder, .notANumber, .freeze, .garbage, .clockStep:
        return nil
      }
    }
    return all.sorted { $0.offset < $1.offset }
  }

  /// The next interruption of this run. Throws when the device is away at the moment.
  mutating func nextInterruption() throws(SensorError) -> Interruption? {
    let instant = SensorDuration(nanoseconds: 1)
    let past = source.memory.withLock { $0.pastInterruptions }
    for interruption in interruptions {
      let isAhead = interruption.offset > position
      if isAhead, !past.contains(interruption.number) { return interruption }
      if interruption.isStall { continue }
      guard let back = interruption.back else { throw absent }
      if isAhead {
        // It has happened and is still ahead: a free-running clock, on which the absence passes in no time.
        position = max(position, back - instant)
      } else if back > position + instant {
        throw absent
      }
    }
    return nil
  }

  /// Ends the run as the fault demands.
  func happen(_ interruption: Interruption) throws {
    source.memory.withLock { _ = $0.pastInterruptions.insert(interruption.number) }
    guard interruption.isStall else { throw absent }
    while !session.isStopped {
      // A free-running clock comes back at once; the signal alone then ends the wait.
      if session.clock.wait(until: SensorInstant(nanoseconds: .max), wake: session.wake) {
        _ = session.wake.wait(limit: nil)
      }
    }
    throw SourceStopped()
  }

  private var absent: SensorError {
    SensorError(
      .disconnected, "The \(source.info.name) has left, as its fault plan says; run it again after it has come back.")
  }
}
