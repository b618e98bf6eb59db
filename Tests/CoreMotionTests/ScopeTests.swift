// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

/// Which host a manager belongs to, and where the time stamps of its samples come from.
@Suite struct ScopeTests {
  /// Handlers run with the host's scope bound again, so that a manager made in a handler finds the same sensors.
  @Test func handlersAndNestedManagersSeeTheHost() async {
    let bench = Bench()
    let manager = bench.manager()
    let seen = Box<[Bool]>([])
    let nested = Box<CMMotionManager?>(nil)
    manager.startGyroUpdates(to: serialQueue()) { _, _ in
      seen.with { $0.append(MotionHost.current === bench.host) }
      guard nested.value == nil else { return }
      let inner = CMMotionManager()
      inner.startDeviceMotionUpdates()
      nested.with { $0 = inner }
    }
    await bench.clock.advance(by: .milliseconds(100))
    #expect(seen.value.count == 11 && !seen.value.contains(false))
    #expect(nested.value?.isDeviceMotionActive == true)
    #expect(nested.value?.deviceMotion?.timestamp == 0.1)
    manager.stopGyroUpdates()
    nested.with { $0 = nil }
    #expect(await eventually { bench.host.device?.isRunning == false })
  }

  /// The refusal of a frame reaches its handler in the same scope.
  @Test func errorsRunInTheScopeToo() async {
    let bench = Bench()
    let manager = bench.manager()
    let seen = Box<[Bool]>([])
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: serialQueue()) { _, _ in
      seen.with { $0.append(MotionHost.current === bench.host) }
    }
    await bench.clock.settle()
    #expect(seen.value == [true])
  }

  /// Hosts are separate worlds: their managers do not see each other's sensors.
  @Test func hostsAreSeparate() async {
    let first = Bench()
    let second = Bench(ScriptedSource(kinds: .accelerometer))
    let one = first.manager()
    let other = second.manager()
    #expect(one.isGyroAvailable && !other.isGyroAvailable)
    one.startAccelerometerUpdates()
    other.startAccelerometerUpdates()
    await first.clock.advance(by: .milliseconds(100))
    #expect(one.accelerometerData?.timestamp == 0.1)
    #expect(other.accelerometerData?.timestamp ?? 0 == 0)
    one.stopAccelerometerUpdates()
    other.stopAccelerometerUpdates()
  }

  /// D8, S10: a replay keeps the recorded time stamps; seconds as a Double finer than a millisecond.
  @Test func aReplayKeepsItsTimeStamps() async {
    let start: Int64 = 123_456_789_000_000
    let source = ScriptedSource(count: 10) { index, _ in
      [.inertial(.faceUp(at: SensorInstant(nanoseconds: start + index * 10_000_001)))]
    }
    let bench = Bench(source)
    let manager = bench.manager()
    let times = Box<[Double]>([])
    manager.startGyroUpdates(to: serialQueue()) { data, _ in times.with { $0.append(data?.timestamp ?? -1) } }
    await bench.clock.advance(by: .seconds(1))
    let expected: [Double] = (0..<10 as Range<Int64>).map { Double(start + $0 * 10_000_001) / 1e9 }
    #expect(times.value == expected)
    manager.stopGyroUpdates()
  }

  /// S10, G3: live time stamps count on the clock that systemUptime reads.
  @Test func liveTimeStampsAreUptime() async {
    struct Now: SensorSource {
      let info = SensorInfo(name: "now", origin: .simulation, pacing: .live, channels: [.init(kind: .inertial)])
      func run(_ session: SensorSession) throws {
        while true {
          try session.wait(until: session.clock.now + .milliseconds(2))
          try session.deliver(.inertial(.faceUp(at: session.clock.now)))
        }
      }
    }
    let host = MotionHost(device: Now())
    let manager = StartStopTests.manager(on: host)
    manager.startGyroUpdates()
    #expect(await eventually { manager.gyroData != nil })
    let age = ProcessInfo.processInfo.systemUptime - (manager.gyroData?.timestamp ?? 0)
    #expect(age >= 0 && age < 5)
    manager.stopGyroUpdates()
  }

  /// Motion that a source has fused itself reaches the client bit for bit.
  @Test func fusedMotionKeepsItsNumbers() async throws {
    let source = ScriptedSource(kinds: .motion) { _, time in
      let n1 = AttitudeTests.n1.quaternion
      return [
        .motion(
          MotionRow(
            time: time, w: n1.w, vector: Vector3(x: n1.x, y: n1.y, z: n1.z), reference: .xMagneticNorth,
            angularVelocity: Vector3(x: 0.1, y: 0.2, z: 0.3), gravity: Vector3(x: 0.1, y: -0.7, z: 0.3),
            linearAcceleration: Vector3(x: 0.01, y: 0.02, z: -0.03), accelerationUnit: .reversedGravity,
            field: .init(reading: Vector3(x: 1.1, y: 2.2, z: -3.3), unit: .microtesla, accuracy: 1),
            heading: AngleReading(123.456, .degree),
            location: .headphoneLeft))
      ]
    }
    let bench = Bench(source)
    let manager = bench.manager()
    manager.startDeviceMotionUpdates()
    await bench.clock.advance(by: .milliseconds(20))
    let motion = try #require(manager.deviceMotion)
    let (q, n1) = (motion.attitude.quaternion, AttitudeTests.n1.quaternion)
    #expect((q.x, q.y, q.z, q.w) == (n1.x, n1.y, n1.z, n1.w))
    #expect((motion.gravity.x, motion.gravity.y, motion.gravity.z) == (0.1, -0.7, 0.3))
    #expect(motion.userAcceleration.z == -0.03 && motion.rotationRate.y == 0.2 && motion.heading == 123.456)
    #expect(motion.magneticField.field.z == -3.3 && motion.magneticField.accuracy == .medium)
    #expect(motion.sensorLocation == .headphoneLeft && motion.headingAccuracy < 0)
    manager.stopDeviceMotionUpdates()
  }
}
