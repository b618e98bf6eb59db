// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import OrientationFusion

/// Computes the orientation of a recording from all of its readings: the ones before an instant and the ones after it.
///
/// An `OrientationFilter` knows only the past. It learns the errors of the sensors while it runs, so its first minute
/// is its worst. A smoother looks back: it finds the one history of orientation, velocity and sensor errors that fits
/// all readings best, by least squares over the equations of the filter.
///
/// ```swift
/// var parameters = OrientationFilter.Parameters()
/// parameters.blockDuration = OrientationSmoother.blockDuration    // half the work
/// var filter = OrientationFilter(parameters: parameters, usesMagnetometer: true)
/// var smoother = OrientationSmoother(following: &filter)
/// for reading in readings {
///   filter.update(…)                                            // any of its three sensors
///   smoother.follow(&filter)
///   while let orientation = smoother.next() { … }               // some minutes late
/// }
/// smoother.finish(&filter)
/// while let orientation = smoother.next() { … }
/// ```
///
/// There is one ``Orientation`` for each reading of the gyroscope from the filter's first attitude on. They come in
/// windows of ``Parameters/window`` seconds, each of which has seen ``Parameters/lag`` seconds more than it emits; what
/// is learned about the sensors goes on into the next window. So the memory does not grow with the length of the
/// recording: some 30 MB for readings at 300 Hz.
///
/// A value: the same readings give bit-identical results. It allocates; the filter does not.
///
/// Method: a maximum-a-posteriori fixed-interval smoother, by Gauss and Newton's method with re-weighting of the field
/// (Bell, "The iterated Kalman smoother as a Gauss–Newton method", SIAM J. Optim. 4(3), 1994). Equations:
/// Documentation/Filter.md 18.
public struct OrientationSmoother: Sendable {
  /// The best `OrientationFilter/Parameters/blockDuration` of a filter that is only followed, s. Blocks as short as
  /// those of a filter that corrects as it goes take twice the work, and change the mean errors by a hundredth of a
  /// degree.
  public static var blockDuration: Double { 0.2 }

  /// The settings.
  public struct Parameters: Sendable, Hashable {
    /// The default set.
    public init() {}
    /// Seconds that a window emits. Default 300. More: more memory.
    public var window = 300.0
    /// Seconds that a window looks ahead beyond that. Default 60. Less: what was learned late does not come in time.
    public var lag = 60.0
    /// The most iterations. Default 5; fewer when one changes nothing by more than 0.3°, mostly two.
    public var iterations = 5
    /// How many times smaller the variance of the field is at rest, where neither the delay of the magnetometer nor the
    /// scale of the gyroscope matters. Default 10.
    public var restFieldWeight = 10.0
  }

  /// The orientation at one reading of the gyroscope.
  public struct Orientation: Sendable {
    /// The reading's time, ns.
    public var time: Int64
    /// Device → world. Its azimuth counts from magnetic north where ``hasHeading``, else from the start.
    public var attitude: Rotation<Device, EastNorthUp>
    /// rad/s, device axes; bias, scale and misalignment removed.
    public var angularVelocity: Vector3<Device>
    /// True when a magnetometer has determined the azimuth, now or later.
    public var hasHeading: Bool
    /// One standard deviation of the tilt, rad: as `OrientationFilter/inclinationStandardDeviation`.
    public var inclinationStandardDeviation: Double
    /// One standard deviation of the azimuth, rad: from magnetic north, or without heading since the start.
    public var headingStandardDeviation: Double
  }

  let parameters: Parameters
  let filterParameters: OrientationFilter.Parameters
  let coefficients: OrientationFilter.Coefficients
  var usesMagnetometer: Bool
  /// What the filter knew of the sensors at the start.
  let start: SensorErrors
  var blocks: [Block] = []
  /// The samples of the block that is not complete yet.
  private var samples: [Sample] = []
  /// The estimate that is emitted at the samples of the first blocks, and at the end of the recording at those after
  /// the last block, too.
  private var estimate: Estimate?
  private var finalBlocks = 0
  private var lastSamples: [Sample] = []
  /// The next sample to emit.
  private var position = (block: 0, sample: 0)
  private var move = BlockMove()
  /// Orientations of the window before that were not read until the end, the latest first.
  private var unread: [Orientation] = []
  /// What earlier windows know, and the values that it is relative to.
  var earlier: (knowledge: [Double], estimate: Estimate)?
  private var latestNumber = 0, latestBreaks = 0
  private var latestTime: Int64?

  /// Follows `filter` from its present state on; one that has already run is joined.
  public init(following filter: inout OrientationFilter, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    filterParameters = filter.parameters
    coefficients = filter.coefficients
    usesMagnetometer = filter.usesMagnetometer
    start = SensorErrors(filter.learned)
    filter.keepsBlocks = true
    (latestNumber, latestBreaks) = (filter.state.record.number, filter.state.record.breaks)
  }

  /// Looks at what the filter has done with the latest reading: call it after each.
  public mutating func follow(_ filter: inout OrientationFilter) {
    if filter.state.record.number != latestNumber { append(&filter) }
    if filter.state.record.breaks != latestBreaks {
      latestBreaks = filter.state.record.breaks
      if let previous { blocks.append(Block(breakAfter: previous, samples: completedSamples())) }
    }
    guard filter.state.pose.isKnown, !filter.state.needsLevelling, let time = filter.state.gyroscopeTime,
      time != latestTime
    else { return }
    latestTime = time
    samples.append(
      Sample(
        time: time, attitude: filter.state.pose.quaternion.rotation(),
        rate: Vector3(RealVector<Device>(filter.state.rawRate)),
        interval: Float(filter.state.rateInterval)))
    // The blocks of the window before, emitted already, do not count; the next window waits until they are.
    guard position == (finalBlocks, lastSamples.count), blocks.count > finalBlocks else { return }
    let start = blocks[finalBlocks].time
    guard SampleTime.seconds(from: start, to: time) >= parameters.window + parameters.lag,
      let next = blocks.indices.dropFirst(finalBlocks + 1).first(where: {
        SampleTime.seconds(from: start, to: blocks[$0].time) >= parameters.window
      })
    else { return }
    smooth(until: next)
  }

  /// No reading follows: the rest becomes final. Readings that follow all the same count as another recording.
  public mutating func finish(_ filter: inout OrientationFilter) {
    filter.recordUnfinishedBlock()
    if filter.state.record.number != latestNumber { append(&filter) }
    var waiting: [Orientation] = []
    while let orientation = next() { waiting.append(orientation) }
    unread = waiting.reversed()
    smooth(until: nil)
    swap(&lastSamples, &samples)
    earlier = nil
  }

  /// The next orientation that is final, in order of time; nil while there is none. Ask until then after each
  /// ``follow(_:)``.
  public mutating func next() -> Orientation? {
    if let orientation = unread.popLast() { return orientation }
    while position.block < finalBlocks, position.sample == blocks[position.block].samples.count {
      position = (position.block + 1, 0)
    }
    let sample: Sample
    if position.block < finalBlocks {
      sample = blocks[position.block].samples[position.sample]
    } else if position.sample < lastSamples.count {
      sample = lastSamples[position.sample]
    } else {
      return nil
    }
    position.sample += 1
    if move.block != position.block {
      guard let estimate else { return unsmoothed(sample) }
      move = BlockMove(position.block, blocks, estimate, filterParameters, usesMagnetometer: usesMagnetometer)
    }
    return move.orientation(sample)
  }

  private mutating func append(_ filter: inout OrientationFilter) {
    latestNumber = filter.state.record.number
    let previous = previous
    let block = Block(&filter, previous: previous, samples: completedSamples())
    if let previous, previous.isBreak {
      blocks[blocks.count - 1].end = block.start
      blocks[blocks.count - 1].duration = max(0, SampleTime.seconds(from: previous.time, to: block.time))
    }
    blocks.append(block)
  }

  /// The block before the one that comes next, of the same recording.
  private var previous: Block? { blocks.count > finalBlocks ? blocks.last : nil }

  /// Those of the block that is complete now.
  private mutating func completedSamples() -> [Sample] {
    var completed: [Sample] = []
    completed.reserveCapacity(samples.count + 4)
    swap(&completed, &samples)
    return completed
  }

  // MARK: Windows

  /// Drops the window before, and makes the blocks before `next` final, or all.
  private mutating func smooth(until next: Int?) {
    let kept = next.map { $0 - finalBlocks }
    blocks.removeFirst(finalBlocks)
    (lastSamples, position, estimate, move) = ([], (0, 0), nil, BlockMove())
    finalBlocks = kept ?? blocks.count
    estimate = blocks.isEmpty ? nil : estimate(keepingAfter: kept)
  }

  /// How the filter's attitudes in a block move: as its two ends do, since the errors of the sensors turn little within
  /// a block.
  private struct BlockMove {
    private(set) var block = -1
    private(set) var time: Int64 = 0
    private(set) var duration = Double.infinity
    /// Turn of the world at the start, and from there to the end.
    private(set) var start = Quaternion(w: 1, x: 0, y: 0, z: 0)
    private(set) var turn: RealVector<EastNorthUp> = .zero
    private(set) var bias: Vector3<Device> = .zero
    private(set) var matrix = Matrix3.zero
    private var gyroscopeDelay = 0.0, delayedIntervals = 0.0
    /// rad², without what a sample's own time stamp adds; s².
    private var variance = (inclination: 0.0, heading: 0.0), stampVariance = 0.0
    /// rad. As in the filter: an unknown heading has at least the deviation of a random direction.
    private var leastHeadingDeviation = 0.0
    private var hasHeading = false

    init() {}

    init(
      _ node: Int, _ blocks: [Block], _ estimate: Estimate, _ parameters: OrientationFilter.Parameters,
      usesMagnetometer: Bool
    ) {
      block = node
      (bias, matrix) = (estimate.errors(node).bias, estimate.matrix)
      (variance, hasHeading) = (estimate.variances[node], estimate.hasHeading)
      variance.inclination +=
        2 * blocks[min(node, blocks.count - 1)].offsetVariance / (standardGravity * standardGravity)
      if hasHeading { variance.heading += parameters.fieldDirectionDeviation * parameters.fieldDirectionDeviation }
      if usesMagnetometer, !hasHeading { leastHeadingDeviation = Double.pi / 3.0.squareRoot() }
      gyroscopeDelay = parameters.gyroscopeDelay
      delayedIntervals = parameters.readsMeans ? 0.5 : 0
      stampVariance = parameters.timeStampDeviation * parameters.timeStampDeviation
      guard node + 1 < estimate.attitudes.count else {
        // The reading that ended the last block.
        start = Quaternion(estimate.attitudes[node] * blocks[node - 1].end.inverse)
        return
      }
      let first = estimate.attitudes[node] * blocks[node].start.inverse
      let last = estimate.attitudes[node + 1] * blocks[node].end.inverse
      time = blocks[node].time
      duration = max(blocks[node].duration, 1e-9)
      start = Quaternion(first)
      turn = RealVector<EastNorthUp>((last * first.inverse).rotationVector)
    }

    func orientation(_ sample: Sample) -> Orientation {
      let share = min(1, max(0, SampleTime.seconds(from: time, to: sample.time) / duration))
      let rate = sample.rate + matrix * sample.rate - bias
      let delay = RealVector<Device>(rate * (gyroscopeDelay + delayedIntervals * Double(sample.interval)))
      let attitude = (start * Quaternion(sample.attitude)).turned(outer: turn * Real(share), inner: delay)
      let interval = Double(sample.interval)
      let stamp = rate.dot(rate) / 3 * (stampVariance + interval * interval / 12)
      return Orientation(
        time: sample.time, attitude: attitude.rotation(), angularVelocity: rate, hasHeading: hasHeading,
        inclinationStandardDeviation: (variance.inclination + 2 * stamp).squareRoot(),
        headingStandardDeviation: max((variance.heading + stamp).squareRoot(), leastHeadingDeviation))
    }
  }

  /// The filter's own attitude: for a recording shorter than a block, or one whose equations have no solution.
  private func unsmoothed(_ sample: Sample) -> Orientation {
    Orientation(
      time: sample.time, attitude: sample.attitude, angularVelocity: sample.rate - start.bias,
      hasHeading: false, inclinationStandardDeviation: .pi, headingStandardDeviation: .pi)
  }
}
