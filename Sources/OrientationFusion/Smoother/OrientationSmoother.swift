// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// Computes the orientation of a recording from all of its readings: the ones before an instant and the ones after it.
///
/// An ``OrientationFilter`` knows only the past. It learns the errors of the sensors while it runs, so its first minute is its
/// worst. A smoother looks back: it finds the one history of orientation, velocity and sensor errors that fits all readings best,
/// by least squares over the equations of the filter.
///
/// ```swift
/// var filter = OrientationFilter(usesMagnetometer: true)
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
/// There is one ``Orientation`` for each reading of the gyroscope from the filter's first attitude on. They come in windows of
/// ``Parameters/window`` seconds, each of which has seen ``Parameters/lag`` seconds more than it gives out; what is learned about
/// the sensors goes on into the next window. So the memory does not grow with the length of the recording: some 30 MB for
/// readings at 300 Hz.
///
/// A value: the same readings give bit-identical results. It allocates; the filter does not.
///
/// Method: a maximum-a-posteriori fixed-interval smoother, by Gauss and Newton's method with re-weighting of the field (Bell, "The iterated
/// Kalman smoother as a Gauss–Newton method", SIAM J. Optim. 4(3), 1994). Equations: Documentation/Filter.md 18.
public struct OrientationSmoother: Sendable {
  /// The settings.
  public struct Parameters: Sendable, Hashable {
    /// The default set.
    public init() {}
    /// Seconds that a window gives out. Default 300. More: more memory.
    public var window = 300.0
    /// Seconds that a window looks ahead beyond that. Default 60. Less: what was learned late does not come in time.
    public var lag = 60.0
    /// The most iterations. Default 5; fewer when one changes nothing by more than 0.3°, mostly two.
    public var iterations = 5
    /// How many times smaller the variance of the field is at rest, where neither the delay of the magnetometer nor the scale of the
    /// gyroscope matters. Default 10.
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
    /// One standard deviation of the tilt, rad: as ``OrientationFilter/inclinationStandardDeviation``.
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
  private var samples: [Sample] = []
  /// The estimate that gives out the samples before ``finalCount``, of which some have been given out already; the blocks that it
  /// covers, and the latest of them in use.
  private var estimate: Estimate?
  private var (finalCount, givenCount, finalBlocks) = (0, 0, 0)
  private var move = BlockMove()
  /// Orientations of the window before that nobody had asked for at the end, the latest first.
  private var undelivered: [Orientation] = []
  /// What earlier windows know, and the values that it is relative to.
  var earlier: (knowledge: ChainSolver.Knowledge, estimate: Estimate)?
  /// One over the strength of the first window's field, 1/T: the unit of hard iron and field from then on.
  var fieldScale: Double?
  private var latestNumber = 0, latestBreaks = 0
  private var latestTime: Int64?

  /// A reading of the gyroscope, and where the filter's attitude was.
  private struct Sample {
    var time: Int64
    var attitude: Rotation<Device, EastNorthUp>
    var rate: Vector3<Device>
    var interval: Float
    /// The block that was open then.
    var block: Int32
  }

  /// Follows `filter` from its present state on; one that has already run is joined.
  public init(following filter: inout OrientationFilter, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    filterParameters = filter.parameters
    coefficients = filter.coefficients
    usesMagnetometer = filter.usesMagnetometer
    start = SensorErrors(&filter)
    filter.keepsBlocks = true
    (latestNumber, latestBreaks) = (filter.state.record.number, filter.state.record.breaks)
  }

  /// Looks at what the filter has done with the latest reading: call it after each.
  public mutating func follow(_ filter: inout OrientationFilter) {
    if filter.state.record.number != latestNumber { append(&filter) }
    if filter.state.record.breaks != latestBreaks {
      latestBreaks = filter.state.record.breaks
      if !blocks.isEmpty { blocks.append(Block(breakAfter: blocks[blocks.count - 1])) }
    }
    guard filter.state.pose.isKnown, !filter.state.needsLevelling, let time = filter.state.gyroscopeTime,
      time != latestTime
    else { return }
    latestTime = time
    samples.append(
      Sample(
        time: time, attitude: filter.state.pose.quaternion.rotation(),
        rate: Vector3(RealVector<Device>(filter.state.rawRate)),
        interval: Float(filter.state.rateInterval), block: Int32(blocks.count)))
    // Those of the window before, given out already, do not count; the next one waits until they are.
    guard givenCount == finalCount, blocks.count > finalBlocks,
      SampleTime.seconds(from: blocks[finalBlocks].time, to: time) >= parameters.window + parameters.lag
    else { return }
    smooth(until: blocks[finalBlocks].time + Int64(parameters.window * 1e9))
  }

  /// No reading follows: the rest becomes final.
  public mutating func finish(_ filter: inout OrientationFilter) {
    filter.recordUnfinishedBlock()
    if filter.state.record.number != latestNumber { append(&filter) }
    var waiting: [Orientation] = []
    while let orientation = next() { waiting.append(orientation) }
    undelivered = waiting.reversed()
    smooth(until: .max)
    // What follows, if anything does, is another recording.
    (earlier, fieldScale) = (nil, nil)
  }

  /// The next orientation that is final, in order of time; nil while there is none. Ask until then after each ``follow(_:)``.
  public mutating func next() -> Orientation? {
    if let orientation = undelivered.popLast() { return orientation }
    guard givenCount < finalCount else { return nil }
    let sample = samples[givenCount]
    givenCount += 1
    if move.block != Int(sample.block) {
      guard let estimate else { return unsmoothed(sample) }
      move = BlockMove(Int(sample.block), blocks, estimate)
    }
    return orientation(sample)
  }

  private mutating func append(_ filter: inout OrientationFilter) {
    latestNumber = filter.state.record.number
    let block = Block(&filter, previous: blocks.last)
    if let last = blocks.indices.last, blocks[last].isBreak {
      blocks[last].end = block.start
      blocks[last].duration = max(0, SampleTime.seconds(from: blocks[last].time, to: block.time))
    }
    blocks.append(block)
  }

  // MARK: Windows

  private mutating func smooth(until limit: Int64) {
    dropGiven()
    // The blocks that become final: all, or those that begin before the limit.
    let count = limit == .max ? blocks.count : blocks.indices.first { blocks[$0].time >= limit } ?? blocks.count
    let isLast = count == blocks.count
    finalBlocks = count
    finalCount = isLast ? samples.count : samples.indices.first { samples[$0].block >= count } ?? samples.count
    estimate = blocks.isEmpty ? nil : estimate(keepingAfter: isLast ? nil : count)
  }

  /// Forgets the samples and blocks of the window before.
  private mutating func dropGiven() {
    samples.removeFirst(finalCount)
    blocks.removeFirst(finalBlocks)
    for i in samples.indices { samples[i].block -= Int32(finalBlocks) }
    (finalCount, givenCount, finalBlocks, estimate, move) = (0, 0, 0, nil, BlockMove())
  }

  /// How the filter's attitudes in a block move: as its two ends do, since the errors of the sensors turn little within a block.
  private struct BlockMove {
    private(set) var block = -1
    private(set) var time: Int64 = 0
    private(set) var duration = Double.infinity
    /// Turn of the world at the start, and from there to the end.
    private(set) var start = Quaternion(w: 1, x: 0, y: 0, z: 0)
    private(set) var turn: RealVector<EastNorthUp> = .zero
    private(set) var bias: Vector3<Device> = .zero
    private(set) var matrix = Matrix3.zero
    private(set) var variance = (inclination: 0.0, heading: 0.0)
    private(set) var hasHeading = false

    init() {}

    init(_ node: Int, _ blocks: [Block], _ estimate: Estimate) {
      block = node
      (bias, matrix) = (estimate.errors(node).bias, estimate.matrix)
      (variance, hasHeading) = (estimate.variances[node], estimate.hasHeading)
      guard node < blocks.count else {
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
  }

  private func orientation(_ sample: Sample) -> Orientation {
    let share = min(1, max(0, SampleTime.seconds(from: move.time, to: sample.time) / move.duration))
    let rate = sample.rate + move.matrix * sample.rate - move.bias
    let delay = RealVector<Device>(rate * filterParameters.gyroscopeDelay)
    let attitude = (move.start * Quaternion(sample.attitude)).turned(outer: move.turn * Real(share), inner: delay)
    let tilt = filterParameters.accelerometerBiasDeviation / standardGravity
    let stamp = timeStampVariance(rate, interval: Double(sample.interval))
    let direction = move.hasHeading ? filterParameters.fieldDirectionDeviation : 0
    let heading = (move.variance.heading + direction * direction + stamp).squareRoot()
    // As in the filter: an unknown heading has at least the deviation of a random direction.
    let isUnknown = usesMagnetometer && !move.hasHeading
    return Orientation(
      time: sample.time, attitude: attitude.rotation(), angularVelocity: rate, hasHeading: move.hasHeading,
      inclinationStandardDeviation: (move.variance.inclination + 2 * tilt * tilt + 2 * stamp).squareRoot(),
      headingStandardDeviation: isUnknown ? max(heading, Double.pi / 3.0.squareRoot()) : heading)
  }

  /// As in the filter.
  private func timeStampVariance(_ rate: Vector3<Device>, interval: Double) -> Double {
    let stamp = filterParameters.timeStampDeviation
    return rate.dot(rate) / 3 * (stamp * stamp + interval * interval / 12)
  }

  /// The filter's own attitude: for a recording shorter than a block, or one whose equations have no solution.
  private func unsmoothed(_ sample: Sample) -> Orientation {
    Orientation(
      time: sample.time, attitude: sample.attitude, angularVelocity: sample.rate - start.bias,
      hasHeading: false, inclinationStandardDeviation: .pi, headingStandardDeviation: .pi)
  }
}
