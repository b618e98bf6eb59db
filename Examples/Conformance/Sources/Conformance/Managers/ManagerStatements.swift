// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// The life of a `CMMotionManager`.
enum ManagerStatements {
  #if os(macOS)
  static let all: [Statement] = []
  #else
  static let all: [Statement] = [
    Statement("S31", .managers, "Starting a service without hardware does nothing.") {
      let missing = try await startMissing()
      return [.equal("samples", missing.samples, 0)]
    },
    Statement("D27", .managers, "A service that is not available does not become active.") {
      [.equal("active after the start", try await startMissing().isActive, false)]
    },
    Statement("D43", .managers, "A start that can never deliver gives one error.") {
      [.equal("codes of the errors", try await startMissing().codes, [109])]
    },
    manager("S32", "Device motion needs accelerometer and gyroscope.") { manager in
      [.holds("both are available", manager.isAccelerometerAvailable && manager.isGyroAvailable)]
    },
    manager("S33", "A service is active from its own start to its own stop.") { manager in
      manager.startDeviceMotionUpdates()
      let motion = manager.isDeviceMotionActive
      let others = [manager.isAccelerometerActive, manager.isGyroActive, manager.isMagnetometerActive]
      manager.stopDeviceMotionUpdates()
      return [
        .holds("device motion is active after its start", motion),
        .equal("accelerometer, gyroscope, magnetometer are active", others, [false, false, false]),
        .equal("device motion is active after its stop", manager.isDeviceMotionActive, false),
      ]
    },
    manager("S34", "Pull mode keeps the latest sample; push mode brings each once, in order.") { manager in
      manager.deviceMotionUpdateInterval = 0.02
      let times = Collector<Double>()
      manager.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in
        if let sample { times.add(sample.timestamp) }
      }
      _ = await times.wait(for: 40, seconds: 4)
      let latest = manager.deviceMotion?.timestamp ?? .nan
      let heard = times.all
      manager.stopDeviceMotionUpdates()
      return PushChecks.inOrder(heard) + [.inside("latest − last heard, s", latest - (heard.last ?? .nan), -0.5...0.5)]
    },
    manager("S35", "Before the first sample the properties are nil.") { manager in
      [
        .holds("device motion", manager.deviceMotion == nil), .holds("gyroscope", manager.gyroData == nil),
        .holds("accelerometer", manager.accelerometerData == nil),
        .holds("magnetometer", manager.magnetometerData == nil),
      ]
    },
    manager("D4", "After the stop the properties are nil.") { manager in
      manager.startDeviceMotionUpdates()
      manager.startAccelerometerUpdates()
      for _ in 0..<150 where manager.deviceMotion == nil || manager.accelerometerData == nil { await pause(0.02) }
      let had = manager.deviceMotion != nil && manager.accelerometerData != nil
      manager.stopDeviceMotionUpdates()
      manager.stopAccelerometerUpdates()
      return [
        .holds("there were samples before the stop", had),
        .holds("device motion is nil at once", manager.deviceMotion == nil),
        .holds("the acceleration is nil at once", manager.accelerometerData == nil),
      ]
    },
    manager("S38", "Stop without start, or twice, does nothing.") { manager in
      manager.stopDeviceMotionUpdates()
      manager.stopGyroUpdates()
      manager.startGyroUpdates()
      manager.stopGyroUpdates()
      manager.stopGyroUpdates()
      return [.equal("active", [manager.isGyroActive, manager.isDeviceMotionActive], [false, false])]
    },
    manager("S43", "A handler gets a sample or an error, never both and never neither.") { manager in
      let both = Collector<[Bool]>()
      manager.startDeviceMotionUpdates(to: serialQueue()) { both.add([$0 != nil, $1 != nil]) }
      let heard = await both.wait(for: 20, seconds: 3)
      manager.stopDeviceMotionUpdates()
      try need(!heard.isEmpty, "The handler was never called.")
      return [.equal("calls with both or neither", heard.count { $0[0] == $0[1] }, 0)]
    },
    Statement("S46", .managers, "A manager that is deallocated ends its updates.") {
      let calls = Collector<Bool>()
      var manager: CMMotionManager? = CMMotionManager()
      try need(manager?.isDeviceMotionAvailable == true, "This device has no device motion.")
      manager?.startDeviceMotionUpdates(to: serialQueue()) { sample, _ in calls.add(sample != nil) }
      let before = await calls.wait(for: 5, seconds: 3).count
      manager = nil
      await pause(0.3)
      let after = calls.count
      await pause(0.5)
      return [.inside("calls before", Double(before), 5...1e6), .equal("calls later", calls.count - after, 0)]
    },
  ]

  static func manager(
    _ code: String, _ sentence: String, _ ask: @escaping @Sendable (CMMotionManager) async throws -> [Finding]
  ) -> Statement { FrameStatements.manager(code, sentence, group: .managers, ask) }

  /// Starts the first of the services that this device lacks.
  private static func startMissing() async throws -> (samples: Int, isActive: Bool, codes: [Int]) {
    let manager = CMMotionManager()
    let heard = Collector<Delivery<Double>>()
    let isActive: Bool
    if !manager.isMagnetometerAvailable {
      manager.startMagnetometerUpdates(to: serialQueue()) { heard.add($0?.timestamp, $1) }
      isActive = manager.isMagnetometerActive
    } else if !manager.isGyroAvailable {
      manager.startGyroUpdates(to: serialQueue()) { heard.add($0?.timestamp, $1) }
      isActive = manager.isGyroActive
    } else {
      throw Obstacle("This device lacks no sensor; a simulator does.")
    }
    await pause(1)
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    return (heard.values().count, isActive, heard.errors().map(\.code))
  }
  #endif
}

/// What handlers brought, without a device.
enum PushChecks {
  /// A description with at least so many decimal fractions; an object's address has none.
  static func prints(_ what: String, _ description: String, _ count: Int) -> Finding {
    let numbers = description.matches(of: /-?[0-9]+\.[0-9]+/).count
    return .inside("numbers in the description of \(what)", Double(numbers), Double(count)...1000)
  }

  static func inOrder(_ times: [Double]) -> [Finding] {
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    return [
      .inside("samples", Double(times.count), 10...1e6),
      .equal("samples that are not later than the one before", steps.count { $0 <= 0 }, 0),
      .inside("longest step, as a multiple of the median", (steps.max() ?? .nan) / median(steps), 0.9...3),
    ]
  }
}
