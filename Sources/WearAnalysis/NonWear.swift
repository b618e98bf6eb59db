// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Whether a device was worn, for each quarter of an hour: a device that lies still measures its own noise only.
///
/// In a window of 60 min an axis is still when its standard deviation is below 13 mg and its range below 50 mg. With two
/// still axes of three the whole window is not worn; windows begin every 15 min (van Hees et al. 2013, PLoS ONE 8, e61691;
/// GGIR's approach of 2023). A quarter of an hour that is clipped for the most part is not worn either. Then what looks
/// like wear between two long stretches without it, as a parcel in the post does, becomes non-wear by GGIR's rules.
package enum NonWear {
  /// The published constants.
  package struct Parameters: Sendable, Hashable {
    /// g.
    package var deviation = 0.013
    package var range = 0.05
    /// Axes of three.
    package var axes = 2
    /// 0…1: the part of a quarter of an hour.
    package var clipped = 0.8
    /// Whether implausible wear becomes non-wear.
    package var removesTransport = true

    package init() {}
  }

  /// Quarters of an hour in a window.
  private static let window = 4

  /// For each quarter of an hour in order, all of them without a hole. One without samples is not worn.
  static func worn(_ blocks: [WearBlock], parameters: Parameters) -> [Bool] {
    var worn = blocks.map { block in
      block.axes.count > 0 && Double(block.clipped) <= parameters.clipped * Double(block.axes.count)
    }
    if blocks.count >= window {
      for begin in 0...blocks.count - window where isStill(blocks[begin..<begin + window], parameters) {
        for index in begin..<begin + window { worn[index] = false }
      }
    }
    if parameters.removesTransport { removeTransport(&worn, blocks) }
    return worn
  }

  /// A window of which less than three quarters have samples is not judged.
  private static func isStill(_ blocks: ArraySlice<WearBlock>, _ parameters: Parameters) -> Bool {
    var axes = AxisStatistics()
    var covered: Int64 = 0
    for block in blocks {
      axes.add(block.axes)
      covered += block.covered
    }
    guard covered >= 3 * LocalClock.block, let deviation = axes.deviation else { return false }
    let range = axes.high - axes.low
    var still = 0
    for axis in 0..<3 where deviation[axis] < parameters.deviation && range[axis] < parameters.range { still += 1 }
    return still >= parameters.axes
  }

  /// Hours, in quarters.
  private static func hours(_ count: Int) -> Int { 4 * count }

  /// GGIR's rules, as its documentation tells them.
  private static func removeTransport(_ worn: inout [Bool], _ blocks: [WearBlock]) {
    guard let first = blocks.firstIndex(where: { $0.axes.count > 0 }),
      let last = blocks.lastIndex(where: { $0.axes.count > 0 })
    else { return }
    // Three times: what was removed joins its neighbours.
    for _ in 0..<3 {
      let runs = runs(worn, first...last)
      for index in runs.indices.dropFirst().dropLast() where runs[index].isWorn {
        let length = runs[index].range.count
        let beside = runs[index - 1].range.count + runs[index + 1].range.count
        let isShort = length < hours(6) && 10 * length < 3 * beside || length < hours(3) && 10 * length < 8 * beside
        if isShort { for block in runs[index].range { worn[block] = false } }
      }
    }
    // Taken off and sent: in the last day.
    var found = runs(worn, first...last)
    for index in found.indices.dropFirst()
    where found[index].isWorn && found[index].range.lowerBound > last - hours(24)
      && found[index].range.count < hours(3) && found[index - 1].range.count >= hours(1)
    {
      for block in found[index].range { worn[block] = false }
    }
    // Set up and read out: at both ends.
    found = runs(worn, first...last)
    guard found.count > 1 else { return }
    for run in [found[0], found[found.count - 1]] where run.isWorn && run.range.count < hours(3) {
      for block in run.range { worn[block] = false }
    }
  }

  private static func runs(_ worn: [Bool], _ range: ClosedRange<Int>) -> [(isWorn: Bool, range: Range<Int>)] {
    var runs: [(isWorn: Bool, range: Range<Int>)] = []
    for index in range {
      if let last = runs.last, last.isWorn == worn[index] {
        runs[runs.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        runs.append((worn[index], index..<index + 1))
      }
    }
    return runs
  }
}
