// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivityEstimation
package import MotionMath

/// From the acceleration of a worn device to a row for each calendar day.
///
/// ```swift
/// var days = WearDays(calibration: calibration)
/// for sample in samples {
///   days.update(sample.specificForce, at: sample.time)
///   if let epoch = estimator.update(sample)?.steps { days.add(epoch) }
/// }
/// for day in days.finish() { … }
/// ```
///
/// The quantities are those that GGIR publishes. Over epochs of 5 s on the clock, with a the calibrated acceleration
/// in g: ENMO = mean of max(|a| − 1, 0), MAD = mean of ||a| − mean |a||. Whether the device was worn is decided for
/// each quarter of an hour (``NonWear``). Means are over worn time, an epoch weighing as much as it has samples;
/// nothing is filled in.
///
/// Times go forward; a time that goes back is counted where it belongs. Memory grows by 40 kB a day.
package struct WearDays: Sendable {
  /// The constants.
  package struct Parameters: Sendable, Hashable {
    /// m/s²: the range of the sensor; nil where it is not known. Within half a g of it a value is clipped.
    package var range: Double?
    package var nonWear = NonWear.Parameters()
    /// Nanoseconds: the local clock, since 1970, less the time of the samples. Default 0: their times are that clock's.
    package var localOffset: Int64 = 0
    /// Nanoseconds: a longer step between two samples is a gap.
    package var longestStep: Int64 = 1_000_000_000
    /// A sample more days after or before the first one is left out: no device records for ten years.
    package var mostDays = 3660

    package init() {}
  }

  package let calibration: SphereCalibration
  /// As given; to be changed before the first sample only.
  package var parameters: Parameters
  /// g²: no accelerometer measures a thousand g.
  private static let largest = 1e6

  /// Samples that were left out: not finite, of a thousand g or more, or too far from the first one.
  package private(set) var rejectedCount = 0
  private var epoch = WearEpoch()
  private var epochEnd = Int64.min
  private var last: Int64?
  private var days: [Day] = []
  /// That of the first sample.
  private var origin: Int64?
  /// g: a component beyond it is clipped.
  private let clipLimit: Double

  package init(calibration: SphereCalibration = SphereCalibration(), parameters: Parameters = Parameters()) {
    (self.calibration, self.parameters) = (calibration, parameters)
    clipLimit = parameters.range.map { $0 / standardGravity - 0.5 } ?? .infinity
  }

  /// No sample was taken yet.
  package var isEmpty: Bool { origin == nil }

  /// Takes the specific force in m/s² at a time in nanoseconds.
  @inline(__always)
  package mutating func update(_ force: SIMD3<Double>, at time: Int64) {
    let time = time &+ parameters.localOffset
    if time >= epochEnd || time < epochEnd &- LocalClock.epoch, !begin(time) { return }
    let value = calibration(force)
    guard (value * value).sum() < Self.largest else {
      rejectedCount &+= 1
      return
    }
    if let last {
      let step = time &- last
      if step > parameters.longestStep { epoch.gaps &+= 1 } else if step > 0 { epoch.covered &+= step }
    }
    last = time
    epoch.end = time
    if epoch.axes.count == 0 { epoch.start = time }
    let size = force * (1 / standardGravity)
    if max(abs(size.x), abs(size.y), abs(size.z)) > clipLimit { epoch.clipped &+= 1 }
    epoch.add(value)
  }

  /// Takes many samples, the same as one after the other; the forces times `scale` are in m/s².
  package mutating func update(
    _ forces: Span<Vector3<Device>>, scale: Double, at times: Span<Int64>
  ) {
    for index in 0..<min(forces.count, times.count) {
      let force = forces[index]
      update(SIMD3(force.x, force.y, force.z) * scale, at: times[index])
    }
  }

  /// False where the time is none of the recording's.
  @inline(never)
  private mutating func begin(_ time: Int64) -> Bool {
    closeEpoch()
    if origin == nil, abs(time / LocalClock.day) <= Self.farthest { origin = LocalClock.floor(time, LocalClock.day) }
    guard isNear(time) else {
      rejectedCount &+= 1
      epochEnd = .min
      return false
    }
    epochEnd = (LocalClock.floor(time, LocalClock.epoch) + 1) * LocalClock.epoch
    return true
  }

  /// Days: a clock further from 1970 than a century tells nothing, and sums of its times are numbers.
  private static let farthest: Int64 = 36_525

  private func isNear(_ time: Int64) -> Bool {
    origin.map { abs(LocalClock.floor(time, LocalClock.day) - $0) <= Int64(parameters.mostDays) } ?? false
  }

  private mutating func closeEpoch() {
    guard epoch.axes.count > 0 else { return }
    days[place(LocalClock.floor(epoch.start, LocalClock.day))].add(epoch)
    epoch.restart()
  }

  /// Where a day is, which is made where it is missing.
  private mutating func place(_ number: Int64) -> Int {
    var index = days.count
    while index > 0, days[index - 1].number > number { index -= 1 }
    if index > 0, days[index - 1].number == number { return index - 1 }
    days.insert(Day(number: number), at: index)
    return index
  }

  /// Steps of a span that the samples so far hold; they are spread evenly over it.
  package mutating func add(_ steps: StepEpoch) {
    let (start, end) = (
      steps.startNanoseconds &+ parameters.localOffset, steps.endNanoseconds &+ parameters.localOffset
    )
    // A span is a few seconds long; a clock that was set back can make it long.
    guard steps.steps > 0, isNear(start), isNear(end), end >= start, end - start <= 10 * LocalClock.minute else {
      return
    }
    let length = Double(max(1, end - start))
    var begin = start
    repeat {
      let minute = LocalClock.floor(begin, LocalClock.minute)
      let next = min(max(end, begin + 1), (minute + 1) * LocalClock.minute)
      let day = LocalClock.floor(begin, LocalClock.day)
      let index = place(day)
      days[index].minutes[Int(minute - day * Int64(LocalClock.minutes))] +=
        Double(steps.steps) * Double(next - begin) / length
      begin = next
    } while begin < end
  }

  /// The samples are over: a row for each day from the first to the last, also for those without samples.
  package mutating func finish() -> [WearDay] {
    closeEpoch()
    guard let first = days.first?.number, let final = days.last?.number else { return [] }
    let count = Int(final - first) + 1
    var blocks = [WearBlock](repeating: WearBlock(), count: count * LocalClock.blocks)
    for day in days {
      let begin = Int(day.number - first) * LocalClock.blocks
      for (index, block) in day.blocks.enumerated() { blocks[begin + index] = block }
    }
    let worn = NonWear.worn(blocks, parameters: parameters.nonWear)
    var rows: [WearDay] = []
    var index = 0
    for number in first...final {
      let begin = Int(number - first) * LocalClock.blocks
      let isWorn = Array(worn[begin..<begin + LocalClock.blocks])
      if days[index].number == number {
        rows.append(days[index].row(isWorn))
        index += 1
      } else {
        rows.append(WearDay(day: Int(number), start: number * LocalClock.day, end: number * LocalClock.day))
      }
    }
    return rows
  }
}
