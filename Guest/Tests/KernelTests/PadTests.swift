// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import Testing

extension KernelTests {

  /// `motionctl pad` as a game has it: Debian's SDL reads the controller that the kernel makes of it.
  @Suite(.enabled(if: Guest.isHere && Guest.isPrivileged, "needs the kernel guest (make test-kernel)"))
  struct PadTests {
    /// A `motionctl pad` that runs.
    private struct Pad {
      let name: String

      init(_ name: String, _ arguments: String) throws {
        self.name = name
        try Guest.run(
          "modprobe -a uhid uinput evdev hid-playstation; rm -f /tmp/\(name).*; "
            + "(sh -c 'echo $$ > /tmp/\(name).pid; exec /host/motionctl pad \(arguments)' 2> /tmp/\(name).log; "
            + "echo $? > /tmp/\(name).status) &")
      }

      var log: String { (try? String(contentsOfFile: "/tmp/\(name).log", encoding: .utf8)) ?? "" }
      /// The controller's, as the pad says it; empty before.
      var address: String { String(log.firstMatch(of: /there, ([0-9a-f:]{17})/)?.1 ?? "") }
      /// How it has ended; nil while it runs.
      var status: Int? {
        let text = try? String(contentsOfFile: "/tmp/\(name).status", encoding: .utf8)
        return text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      }

      func interrupt() throws { try Guest.run("kill -INT $(cat /tmp/\(name).pid)") }

      /// Waits until it has ended, at most a minute.
      func end() throws -> Int {
        for _ in 0..<1200 where status == nil { usleep(50_000) }
        guard let status else { throw Guest.Failure(description: "The pad does not end: \(log)") }
        return status
      }
    }

    /// The controllers that the kernel has made: those with all three input devices.
    private static var nodes: Int {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/hidraw")) ?? []
      return names.filter {
        let inputs = try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/hidraw/\($0)/device/input")
        return (inputs?.count ?? 0) >= 3
      }.count
    }

    /// Waits until so many controllers are there.
    ///
    /// The guest's clock jumps while a program is loaded from the host, by minutes where that is busy; idle guest time
    /// costs nothing.
    private static func wait(for count: Int) {
      let end = Guest.now + 600
      while nodes < count, Guest.now < end { usleep(50_000) }
    }

    /// SDL, when so many controllers are there and it has opened them all.
    private static func reader(of count: Int, _ pads: Pad...) throws -> SDLReader {
      wait(for: count)
      usleep(300_000)
      let reader = try SDLReader()
      guard reader.controllers.count == count else {
        throw Guest.Failure(
          description: "SDL reads the motion of \(reader.controllers.count) controllers, the kernel has \(nodes): "
            + pads.map(\.log).joined())
      }
      return reader
    }

    /// The angular velocity of the known motion in the controller's axes, rad/s: x right, y up, z to the player. The
    /// device lies flat, its top edge away from the player: its own y is minus the controller's z, its z the
    /// controller's y.
    private static func rate(of motion: KnownMotion, at time: Double) -> SIMD3<Double> {
      let step = 1e-4
      let turn = motion.attitude(at: time - step / 2).inverse * motion.attitude(at: time + step / 2)
      let rate = turn.rotationVector / step
      return SIMD3(rate.x, rate.z, -rate.y)
    }

    /// What an accelerometer shows there, m/s².
    private static func force(of motion: KnownMotion, at time: Double) -> SIMD3<Double> {
      let up = motion.attitude(at: time).inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 9.80665)
      return SIMD3(up.x, up.z, -up.y)
    }

    @Test func sdlReadsTheRatesOfAHubWithinAThousandthAndTwoMilliseconds() throws {
      let start = Guest.now + 15
      try Guest.plugHub(["accel", "gyro"], movingFrom: start, options: "-t")
      let pad = try Pad("pad", "iio:?rate=250")
      let reader = try Self.reader(of: 1, pad)
      _ = reader.read(for: 0.5)
      let motion = KnownMotion(start: start)
      let events = reader.read(for: max(0, start - Guest.now) + 10)
      try pad.interrupt()
      let status = try pad.end()
      try Guest.unplugHub()
      // The controller's time is that of the measurement on CLOCK_MONOTONIC, modulo 2³² thirds of a microsecond.
      let gyroscope = events.filter { $0.sensor == .gyroscope && $0.time > start + 1 }
      try #require(gyroscope.count > 2000)
      var (product, square, error, largest) = (0.0, 0.0, 0.0, 0.0)
      for event in gyroscope {
        let truth = Self.rate(of: motion, at: event.time)
        let difference = event.values - truth
        product += (event.values * truth).sum()
        square += (truth * truth).sum()
        error += (difference * difference).sum()
        largest = max(largest, difference.max(), -difference.min())
      }
      let delays = events.filter { $0.sensor == .gyroscope }.map { $0.arrival - $0.time }.sorted()
      func delay(_ part: Double) -> Double { delays[Int(Double(delays.count - 1) * part)] * 1e3 }
      let steps = zip(gyroscope.dropFirst(), gyroscope).map { $0.time - $1.time }
      print(
        "guest: SDL reads “\(reader.controllers.first?.value ?? "")” at \((Double(steps.count) / steps.reduce(0, +)).rounded(2)) Hz, "
          + "scale \((product / square).rounded(6)), error \((error / square).squareRoot().rounded(6)) of the rate, "
          + "largest \((largest * 180 / .pi).rounded(4))°/s; "
          + "delay from the measurement to SDL median \(delay(0.5).rounded(2)) ms, 99 % \(delay(0.99).rounded(2)) ms, largest \(delay(1).rounded(2)) ms; \(pad.log)"
      )
      #expect(abs(product / square - 1) < 0.001)
      #expect((error / square).squareRoot() < 0.002)
      // Two counts: one of rounding, one of what was carried over.
      #expect(largest * 180 / .pi < 2.0 / 16)
      #expect(delay(0.99) < 2)
      #expect(steps.allSatisfy { $0 > 0.0035 && $0 < 0.0045 })
      for event in events where event.sensor == .accelerometer && event.time > start - 2 {
        // The accelerometer's last reading is up to a period old, in which up turns by as much as 0.5°.
        let difference = event.values - Self.force(of: motion, at: event.time)
        #expect((difference * difference).sum().squareRoot() < (event.time < start ? 0.01 : 0.1))
      }
      #expect(status == 130)
      _ = reader.read(for: 30) { !$0.removed.isEmpty }
      #expect(reader.removed.count == 1 && Self.nodes == 0)
    }

    @Test func aDeviceAtRestDriftsLessThanATenthOfADegreeAMinute() throws {
      // 0.3 degrees a second of bias, and the noise of a good phone: 18 degrees a minute without the filter.
      let pad = try Pad("pad", #""simulate:rest?rate=250&errors=phone""#)
      let reader = try Self.reader(of: 1, pad)
      let first = reader.read(for: 10).filter { $0.sensor == .gyroscope }
      var turned = SIMD3<Double>.zero
      var last: Double?
      let events = reader.read(for: 60).filter { $0.sensor == .gyroscope }
      for event in events {
        if let last { turned += event.values * (event.time - last) }
        last = event.time
      }
      let degrees = turned * 180 / .pi
      let span = (events.last?.time ?? 0) - (events.first?.time ?? 0)
      let drift = [degrees.x, degrees.y, degrees.z].map { $0 / span * 60 }
      let before = first.prefix(25).reduce(SIMD3<Double>.zero) { $0 + $1.values } / 25 * 180 / .pi
      print(
        "guest: at rest SDL turns \(drift.map { $0.rounded(4) })° a minute over \(span.rounded(1)) s, "
          + "in the first tenth of a second \([before.x, before.y, before.z].map { $0.rounded(3) })°/s")
      try pad.interrupt()
      _ = try pad.end()
      #expect(span > 59)
      #expect(drift.allSatisfy { abs($0) < 0.1 })
    }

    @Test func twoPadsAreTwoControllersAndGoWithTheirSources() async throws {
      // 90 degrees a second about up, and rest.
      let rest = try Pad("rest", "simulate:rest --hold upright")
      Self.wait(for: 1)
      let spin = try Pad("spin", #""simulate:spin?rate=250&duration=30""#)
      let reader = try Self.reader(of: 2, spin, rest)
      let events = reader.read(for: 1)
      func mean(_ controller: Int32, _ sensor: SDLReader.Sensor) -> SIMD3<Double> {
        let own = events.filter { $0.controller == controller && $0.sensor == sensor }
        return own.reduce(SIMD3<Double>.zero) { $0 + $1.values } / Double(max(1, own.count))
      }
      let numbers = reader.controllers.keys.sorted { mean($0, .gyroscope).y > mean($1, .gyroscope).y }
      #expect(abs(mean(numbers[0], .gyroscope).y - .pi / 2) < 0.001 && abs(mean(numbers[1], .gyroscope).y) < 0.001)
      #expect(abs(mean(numbers[0], .accelerometer).y - 9.80665) < 0.01)
      // Held with the screen to the player but lying: up is the player's direction.
      #expect(abs(mean(numbers[1], .accelerometer).z - 9.80665) < 0.01)
      // The motion sensor that the kernel makes, which SDL 3 reads, back in a device's axes.
      let (rows, _) = try await MotionHost("evdev:\(spin.address)").run {
        let logger = MotionLogger()
        logger.start(interval: 0)
        try await Task.sleep(for: .seconds(1.5))
        return logger.stop()
      }
      let settled = try #require(rows.dropFirst(50).first)
      let last = try #require(rows.last { $0.timestamp < settled.timestamp + 1 })
      let turn = (last.attitude.yaw - settled.attitude.yaw).remainder(dividingBy: 2 * .pi)
      #expect(abs(turn / (last.timestamp - settled.timestamp) - .pi / 2) < 0.01 && abs(last.gravity.z + 1) < 0.001)
      // The end of a source is the end of its controller, and of no other.
      _ = reader.read(for: 40) { !$0.removed.isEmpty }
      #expect(reader.removed == [numbers[0]] && Self.nodes == 1)
      #expect(try spin.end() == 0, "\(spin.log)")
      try rest.interrupt()
      _ = reader.read(for: 30) { $0.removed.count == 2 }
      #expect(reader.removed == [numbers[0], numbers[1]] && Self.nodes == 0)
      #expect(try rest.end() == 130, "\(rest.log)")
    }

    @Test func aSensorThatIsPulledTakesTheControllerWithIt() throws {
      try Guest.plugHub(["accel", "gyro"], movingFrom: 1e6, options: "-t")
      let pad = try Pad("pad", "iio:")
      let reader = try Self.reader(of: 1, pad)
      #expect(!reader.read(for: 1).isEmpty)
      try Guest.unplugHub()
      _ = reader.read(for: 30) { !$0.removed.isEmpty }
      #expect(reader.removed.count == 1 && Self.nodes == 0)
      let status = try pad.end()
      print("guest: the sensor of a pad is pulled: status \(status), \(pad.log)")
      #expect(status == 1)
    }
  }
}

extension CMQuaternion {
  /// The turn about up of a device that lies flat, rad.
  fileprivate var yaw: Double { 2 * atan2(z, w) }
}
