// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Five seconds: what a metric is averaged over before anything else.
struct WearEpoch: Sendable {
  /// The first and the last sample, nanoseconds of the local clock.
  var start = Int64.min
  var end = Int64.min
  /// Nanoseconds with samples.
  var covered: Int64 = 0
  var gaps = 0
  var clipped = 0
  private(set) var axes = AxisStatistics()
  private var lengths: [Double] = []
  private var excess = 0.0

  /// The calibrated acceleration of the next sample, g.
  @inline(__always)
  mutating func add(_ value: SIMD3<Double>) {
    axes.add(value)
    let length = (value.x * value.x + value.y * value.y + value.z * value.z).squareRoot()
    lengths.append(length)
    excess += max(length - 1, 0)
  }

  mutating func restart() {
    (start, end, covered, gaps, clipped, axes, excess) = (.min, .min, 0, 0, 0, AxisStatistics(), 0)
    lengths.removeAll(keepingCapacity: true)
  }

  /// g.
  var enmo: Double { excess / Double(max(1, axes.count)) }

  /// g.
  var mad: Double {
    var sum = 0.0
    for length in lengths { sum += length }
    let mean = sum / Double(max(1, lengths.count))
    var deviations = 0.0
    for length in lengths { deviations += abs(length - mean) }
    return deviations / Double(max(1, lengths.count))
  }
}

/// A quarter of an hour, for the decision whether the device was worn.
struct WearBlock: Sendable {
  var axes = AxisStatistics()
  var clipped = 0
  /// Nanoseconds with samples.
  var covered: Int64 = 0
}

extension WearDays {
  /// What is known of a calendar day.
  struct Day: Sendable {
    /// Five minutes: sums of the metrics times the nanoseconds with samples.
    struct Cell: Sendable {
      var covered: Int64 = 0
      var enmo = 0.0
      var mad = 0.0
    }

    let number: Int64
    var start = Int64.max
    var end = Int64.min
    var gaps = 0
    var blocks = [WearBlock](repeating: WearBlock(), count: LocalClock.blocks)
    var cells = [Cell](repeating: Cell(), count: LocalClock.cells)
    /// Steps of each minute.
    var minutes = [Double](repeating: 0, count: LocalClock.minutes)

    init(number: Int64) { self.number = number }

    mutating func add(_ epoch: WearEpoch) {
      let since = epoch.start - number * LocalClock.day
      let (block, cell) = (Int(since / LocalClock.block), Int(since / LocalClock.cell))
      (start, end, gaps) = (min(start, epoch.start), max(end, epoch.end), gaps + epoch.gaps)
      blocks[block].axes.add(epoch.axes)
      blocks[block].clipped += epoch.clipped
      blocks[block].covered += epoch.covered
      let weight = Double(epoch.covered)
      cells[cell].covered += epoch.covered
      cells[cell].enmo += epoch.enmo * weight
      cells[cell].mad += epoch.mad * weight
    }

    /// The figures, given which blocks were worn.
    func row(_ worn: [Bool]) -> WearDay {
      var row = WearDay(day: Int(number), start: start, end: end)
      // Steps alone have made the day: the last seconds of a walk over midnight.
      if start > end { (row.start, row.end) = (number * LocalClock.day, number * LocalClock.day) }
      row.gaps = gaps
      var clipped = 0
      for (block, isWorn) in zip(blocks, worn) {
        row.samples += block.axes.count
        clipped += block.clipped
        let seconds = Double(block.covered) * 1e-9
        row.covered += seconds
        if isWorn { row.worn += seconds } else { row.notWorn += seconds }
      }
      row.clipped = Double(clipped) / Double(max(1, row.samples))
      var whole = Cell()
      let perBlock = LocalClock.cells / LocalClock.blocks
      for (index, cell) in cells.enumerated() where worn[index / perBlock] {
        (whole.covered, whole.enmo, whole.mad) = (
          whole.covered + cell.covered, whole.enmo + cell.enmo, whole.mad + cell.mad
        )
      }
      if whole.covered > 0 {
        (row.enmo, row.mad) = (whole.enmo / Double(whole.covered), whole.mad / Double(whole.covered))
      }
      (row.mostActive, row.leastActive) = extremes(worn)
      for minute in minutes.indices where worn[minute / 15] && cells[minute / 5].covered > 0 {
        // A minute counts as far as there are samples around it.
        row.cadence[CadenceBand.index(minutes[minute])] += Double(cells[minute / 5].covered) / Double(LocalClock.cell)
      }
      return row
    }

    /// The five hours with most and least movement: windows that begin every ten minutes, worn from begin to end.
    private func extremes(_ worn: [Bool]) -> (WearDay.Window?, WearDay.Window?) {
      var (most, least): (WearDay.Window?, WearDay.Window?) = (nil, nil)
      let length = 60
      for begin in stride(from: 0, through: LocalClock.cells - length, by: 2) {
        var (sum, covered) = (0.0, Int64(0))
        var isWhole = true
        for index in begin..<begin + length {
          isWhole = isWhole && worn[index / 3] && cells[index].covered > 0
          sum += cells[index].enmo
          covered += cells[index].covered
        }
        guard isWhole else { continue }
        let window = WearDay.Window(mean: sum / Double(covered), start: Double(begin) * 300)
        if window.mean > most?.mean ?? -1 { most = window }
        if window.mean < least?.mean ?? .infinity { least = window }
      }
      return (most, least)
    }
  }
}
