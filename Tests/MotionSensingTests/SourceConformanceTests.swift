// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

/// The suite that holds sources to their promises: it must find each broken one, and nothing in a good source.
@Suite struct SourceConformanceTests {
  // MARK: Good sources

  @Test func aGoodSourceConforms() async {
    #expect(await check(Level()) == [])
  }

  @Test func aGoodFiniteSourceConforms() async {
    #expect(await check(ScriptedSource(level(count: 50))) == [])
    #expect(await check(ScriptedSource(level(count: 50), ending: .staysSilent)) == [])
  }

  @Test func anAsynchronousSourceConforms() async {
    #expect(await check(Level(isAsynchronous: true)) == [])
  }

  @Test func aGoodLiveSourceConforms() async {
    var source = Level()
    source.info.pacing = .live
    #expect(await check(source) == [])
  }

  @Test func aRecordingOnItsOwnTimeLineConforms() async {
    let start = SensorInstant(nanoseconds: 1_700_000_000_000_000_000)
    let samples = level(count: 50).map { $0.moved(to: start + ($0.time - SensorInstant(nanoseconds: 0))) }
    let info = SensorInfo(
      name: "recording of nothing", origin: .recording, pacing: .onDemand, timeLine: .recorded(start: start),
      channels: [.init(kind: .inertial)])
    #expect(await check(ScriptedSource(samples, info: info)) == [])
  }

  // MARK: Promise 1

  @Test func aTimeThatGoesBackIsFound() async {
    var samples = level(count: 20)
    samples.swapAt(10, 11)
    await expect(ScriptedSource(samples), toBreak: "accelerometer are not later", "gyroscope are not later")
  }

  @Test func aRepeatedTimeIsFound() async {
    var samples = level(count: 20)
    samples.insert(samples[5], at: 6)
    await expect(ScriptedSource(samples), toBreak: "1 samples of the gyroscope are not later")
  }

  @Test func disorderAmongSensorsIsFoundBeyondTheDeclaredReorderingOnly() async {
    // Every thermometer reading comes 25 ms late.
    var samples = level(count: 60)
    for position in stride(from: 50, to: 5, by: -10) {
      let time = samples[position].time - .milliseconds(25)
      samples.insert(.temperature(TemperatureSample(time: time, temperature: 20)), at: position + 1)
    }
    let kinds: SensorKinds = [.inertial, .temperature]
    await expect(ScriptedSource(samples, info: describing(kinds)), toBreak: "by more than info.reordering")
    await expect(
      ScriptedSource(samples, info: describing(kinds, reordering: .milliseconds(24))),
      toBreak: "by more than info.reordering"
    )
    #expect(await check(ScriptedSource(samples, info: describing(kinds, reordering: .milliseconds(25)))) == [])
  }

  // MARK: Promise 2

  @Test func aValueThatIsNotANumberIsFound() async {
    for broken in [Double.nan, .infinity] {
      var samples = level(count: 20)
      samples[7] = .gyroscope(
        GyroscopeSample(time: samples[7].time, angularVelocity: Vector3(x: 0, y: broken, z: 0)))
      await expect(ScriptedSource(samples), toBreak: "1 samples have a value that is not finite, the first at 0.07 s")
    }
  }

  @Test func everyKindOfSampleIsSearchedForNumbersThatAreNone() async {
    let time = SensorInstant(nanoseconds: 1)
    let nan = Vector3<Device>(x: 0, y: 0, z: .nan)
    let samples: [SensorSample] = [
      .accelerometer(.init(time: time, specificForce: nan)), .gyroscope(.init(time: time, angularVelocity: nan)),
      .inertial(.init(time: time, angularVelocity: .zero, specificForce: nan)),
      .inertial(.init(time: time, angularVelocity: nan, specificForce: .zero)),
      .magnetometer(.init(time: time, magneticField: nan)), .pressure(.init(time: time, pressure: .nan)),
      .pressure(.init(time: time, pressure: 1e5, temperature: .nan, medium: .water)),
      .temperature(.init(time: time, temperature: -.infinity)),
      .motion(fused(time, heading: AngleReading(.nan, .degree))),
      .motion(fused(time, gravity: nan)), .motion(fused(time, w: .infinity)),
    ]
    for sample in samples {
      await expect(ScriptedSource([sample]), toBreak: "not finite")
    }
    #expect(await check(ScriptedSource([.motion(fused(time, heading: AngleReading(-1, .degree)))])) == [])
  }

  @Test func gravityInTheWrongUnitIsFound() async {
    await expect(ScriptedSource(level(count: 20, up: 1)), toBreak: "median of the specific force is 1.0 m/s²")
    await expect(ScriptedSource(level(count: 20, up: 16384)), toBreak: "check the accelerometer's unit")
    #expect(
      await SourceConformance(source: ScriptedSource(level(count: 20, up: 1)), checksGravity: false).violations() == [])
  }

  // MARK: Promises 3 and 4

  @Test func deliveringAfterAStopIsFound() async {
    await expect(Level(fault: .deliversAfterStop), toBreak: "delivered 50 samples after it was stopped")
  }

  @Test func notEndingAfterAStopIsFound() async {
    let release = WakeSignal()
    await expect(
      Level(fault: .hangsAfterStop(release)), toBreak: "the first run did not end within 0.1 s",
      patience: .milliseconds(100))
    release.signal()
  }

  @Test func notEndingWhileItWaitsIsFound() async {
    let release = WakeSignal()
    await expect(
      Level(fault: .sleepsThroughStop(release)),
      toBreak: "a run that is stopped while it waits did not end within 0.1 s",
      patience: .milliseconds(100))
    release.signal()
  }

  @Test func aFailureIsReportedWithItsSentence() async {
    let error = SensorError(.malformed, "The cable is off; plug it in.")
    await expect(
      ScriptedSource(level(count: 5), ending: .fails(error)), toBreak: "the first run failed: The cable is off")
  }

  @Test func aFailureThatIsNoSensorErrorIsFound() async {
    await expect(Level(fault: .throwsForeignError), toBreak: "which is not a SensorError")
    await expect(Level(fault: .stopsItself), toBreak: "although it was not stopped")
  }

  // MARK: Promises 5 and 6

  @Test func aSensorThatTheInfoDoesNotNameIsFound() async {
    await expect(
      ScriptedSource(level(count: 20), info: describing(.accelerometer)),
      toBreak: "it delivers gyroscope, which its info")
  }

  @Test func beginningAgainInsteadOfGoingOnIsFound() async {
    await expect(Level(fault: .ignoresResumeAfter), toBreak: "are not after resumeAfter")
  }

  @Test func aSourceThatRunsOnlyOnceIsFound() async {
    await expect(
      Level(fault: .runsOnce(Lock(false))), toBreak: "a run that is stopped while it waits failed",
      "a run that continues after another failed")
  }

  @Test func aSensorThatIsNeverAloneIsFound() async {
    await expect(Level(fault: .neverGyroscopeAlone), toBreak: "when only the gyroscope is requested")
  }

  @Test func aSourceWithoutSamplesIsReported() async {
    await expect(ScriptedSource([], info: describing(.inertial)), toBreak: "no sample")
  }

  // MARK: The description

  @Test func aSimulationThatPassesForADeviceIsFound() async {
    var lie = describing(.inertial)
    lie.name = "ACME 6-axis sensor"
    await expect(ScriptedSource(level(count: 20), info: lie), toBreak: "does not say that this is a")
    lie.origin = .recording
    await expect(ScriptedSource(level(count: 20), info: lie), toBreak: "that this is a recording")
    lie.origin = .hardware
    #expect(await check(ScriptedSource(level(count: 20), info: lie)) == [])
  }

  @Test func ratesAndRangesThatMakeNoSenseAreFound() async {
    var odd = describing(.inertial)
    odd.channels[0].rates = [100, 50]
    odd.channels[0].range = -1
    await expect(ScriptedSource(level(count: 20), info: odd), toBreak: "not positive and ascending", "range of the")
  }
}

// MARK: - Sources under test

/// A patience that costs a good source nothing, however busy the machine is; the tests of sources that hang use a short
/// one.
private func check(_ source: any SensorSource, patience: SensorDuration = .seconds(30)) async -> [String] {
  await SourceConformance(source: source, span: .milliseconds(500), patience: patience).violations()
}

private func expect(
  _ source: any SensorSource, toBreak sentences: String..., patience: SensorDuration = .seconds(30),
  sourceLocation: SourceLocation = #_sourceLocation
) async {
  let found = await check(source, patience: patience)
  for sentence in sentences {
    #expect(found.contains { $0.contains(sentence) }, "found only \(found)", sourceLocation: sourceLocation)
  }
}

private func describing(_ kinds: SensorKinds, reordering: SensorDuration = .zero) -> SensorInfo {
  SensorInfo(
    name: "simulated level", origin: .simulation, pacing: .onDemand, channels: [.init(kind: kinds)],
    reordering: reordering)
}

/// A device at rest, face up, at 100 Hz.
private func level(count: Int, up: Double = 9.80665) -> [SensorSample] {
  (0..<count).map { number in
    .inertial(
      InertialSample(
        time: SensorInstant(nanoseconds: Int64(number) * 10_000_000), angularVelocity: .zero,
        specificForce: Vector3(x: 0, y: 0, z: up)))
  }
}

private func fused(
  _ time: SensorInstant, w: Double = 1, gravity: Vector3<Device> = Vector3(x: 0, y: 0, z: -1),
  heading: AngleReading? = nil
) -> MotionRow {
  MotionRow(
    time: time, w: w, vector: .zero, reference: .xArbitrary, angularVelocity: .zero, gravity: gravity,
    linearAcceleration: .zero, accelerationUnit: .reversedGravity, heading: heading)
}

/// An endless device at rest with one bad habit.
private struct Level: SensorSource {
  enum Fault {
    case none, deliversAfterStop, throwsForeignError, stopsItself, ignoresResumeAfter, neverGyroscopeAlone
    case hangsAfterStop(WakeSignal)
    case sleepsThroughStop(WakeSignal)
    case runsOnce(Lock<Bool>)
  }
  struct Foreign: Error {}

  var fault = Fault.none
  var isAsynchronous = false
  var info = describing(.inertial)

  func run(_ session: SensorSession) async throws {
    if case .runsOnce(let hasRun) = fault {
      let isAgain = hasRun.withLock { hasRun in
        defer { hasRun = true }
        return hasRun
      }
      if isAgain { throw SensorError(.busy, "Once is enough.") }
    }
    var time = session.clock.now
    if case .ignoresResumeAfter = fault {
    } else if let resumeAfter = session.resumeAfter {
      time = max(time, resumeAfter + .milliseconds(10))
    }
    while true {
      if isAsynchronous { await Task.yield() }
      if case .sleepsThroughStop(let release) = fault, session.clock.wait(until: time, wake: release) == false {
        return
      }
      try session.wait(until: time)
      do {
        try session.deliver(sample(at: time, kinds: session.request.kinds))
      } catch {
        switch fault {
        case .deliversAfterStop:
          for _ in 0..<50 { try? session.deliver(sample(at: time, kinds: .inertial)) }
        case .hangsAfterStop(let release): _ = release.wait(limit: .seconds(600))
        default: break
        }
        throw error
      }
      if time > SensorInstant(nanoseconds: 100_000_000) {
        if case .throwsForeignError = fault { throw Foreign() }
        if case .stopsItself = fault { throw SourceStopped() }
      }
      time = time + .milliseconds(10)
    }
  }

  private func sample(at time: SensorInstant, kinds: SensorKinds) -> SensorSample {
    let up = Vector3<Device>(x: 0, y: 0, z: 9.80665)
    if case .neverGyroscopeAlone = fault, kinds == .gyroscope {
      return .accelerometer(AccelerometerSample(time: time, specificForce: up))
    }
    return .inertial(InertialSample(time: time, angularVelocity: .zero, specificForce: up))
  }
}

/// Promise 7: what a source says of its connection.
@Suite struct ConnectionConformanceTests {
  /// Ten samples; before the one with a given number a report.
  private struct Reporter: SensorSource {
    let info: SensorInfo
    let reports: [Int: Bool]

    init(_ reports: [Int: Bool], names: Bool = true) {
      self.reports = reports
      info = SensorInfo(
        name: "simulated reporter", origin: .simulation, pacing: .onDemand,
        channels: [.init(kind: .inertial)] + (names ? [.init(kind: .connection)] : []))
    }

    func run(_ session: SensorSession) throws {
      for number in 0..<10 {
        let time = SensorInstant(nanoseconds: Int64(number) * 10_000_000)
        try session.wait(until: time)
        if let isConnected = reports[number] { try session.report(ConnectionState(isConnected: isConnected)) }
        if let last = session.resumeAfter, time <= last { continue }
        try session.deliver(
          .inertial(
            InertialSample(time: time, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: 9.80665))))
      }
    }
  }

  private func violations(_ reports: [Int: Bool], names: Bool = true) async -> [String] {
    await SourceConformance(source: Reporter(reports, names: names)).violations()
  }

  @Test func aGoodReporterConforms() async {
    #expect(await violations([0: true]) == [])
  }

  @Test func aMissingFirstReportIsFound() async {
    #expect(await violations([:]) == ["Promise 7: a run does not begin with a report of the connection."])
    #expect(await violations([3: true]).count == 1)
  }

  @Test func samplesWhileDisconnectedAreFound() async {
    #expect(
      await violations([0: true, 3: false, 7: true]) == [
        "Promise 7: 4 samples arrive while the source reports that it is not connected."
      ])
  }

  @Test func aReportThatTheInfoDoesNotNameIsFound() async {
    #expect(await violations([0: true], names: false).count == 1)
    #expect(await violations([:], names: false) == [])
  }

  /// A session without anybody who listens to reports takes them all the same.
  @Test func reportsWithoutAListenerAreHarmless() throws {
    let session = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: .connection, interval: .zero)
    ) { _, _ in }
    try Reporter([0: true]).run(session)
  }
}
