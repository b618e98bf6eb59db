// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
import Testing

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
