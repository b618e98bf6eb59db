// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

// Names that clients give to what they add. None may collide with what the module keeps for itself.

class BuiltAttitude: CMAttitude {
  private let storedQuaternion: CMQuaternion
  init(_ quaternion: CMQuaternion) {
    storedQuaternion = quaternion
    super.init()
  }
  required init?(coder: NSCoder) {
    storedQuaternion = CMQuaternion()
    super.init(coder: coder)
  }
  override var quaternion: CMQuaternion { storedQuaternion }
}

class BuiltAccelerometerData: CMAccelerometerData {
  private var _acceleration: CMAcceleration
  private let storedTimestamp: TimeInterval
  init(timestamp: TimeInterval, acceleration: CMAcceleration) {
    _acceleration = acceleration
    storedTimestamp = timestamp
    super.init()
  }
  required init?(coder: NSCoder) { return nil }
  override var timestamp: TimeInterval { storedTimestamp }
  override var acceleration: CMAcceleration {
    get { _acceleration }
    set { _acceleration = newValue }
  }
}

class BuiltMotion: CMDeviceMotion {
  let value: BuiltAttitude
  init(
    timestamp: TimeInterval, attitude: CMAttitude, rotationRate: CMRotationRate = .init(),
    gravity: CMAcceleration = .init(), userAcceleration: CMAcceleration = .init()
  ) {
    value = BuiltAttitude(attitude.quaternion)
    super.init()
  }
  required init?(coder aDecoder: NSCoder) { fatalError("init(coder:) has not been implemented") }
  override var attitude: CMAttitude { value }
}

class BuiltActivity: CMMotionActivity {
  struct States { var isWalking = false }
  var states = States()
  init(startDate: Date, confidence: CMMotionActivityConfidence) { super.init() }
  required init?(coder: NSCoder) { super.init(coder: coder) }
  override var walking: Bool { states.isWalking }
}

class ObservingManager: CMMotionManager {
  private(set) var intervals: [TimeInterval] = []
  let motion = "mine"
  let host = "mine too"
  override init() { super.init() }
  override var accelerometerUpdateInterval: TimeInterval {
    didSet { intervals.append(accelerometerUpdateInterval) }
  }
  func startDeviceMotion() { startDeviceMotionUpdates() }
}

extension CMQuaternion {
  var conjugate: CMQuaternion { CMQuaternion(x: -x, y: -y, z: -z, w: w) }
  var normalized: CMQuaternion { self }
  var roll: Double { 0 }
  static var identity: CMQuaternion { CMQuaternion(x: 0, y: 0, z: 0, w: 1) }
}

extension CMAttitudeReferenceFrame {
  var usesMagnetometer: Bool { self != .xArbitraryZVertical }
}

extension CMRotationRate: @retroactive CustomStringConvertible {
  public var description: String { "\(x) \(y) \(z)" }
}

extension CMAuthorizationStatus: @retroactive CaseIterable, @retroactive Codable {
  public static var allCases: [CMAuthorizationStatus] { [.notDetermined, .restricted, .denied, .authorized] }
}

extension CMError: @retroactive Error {
  var error: NSError { NSError(domain: CMErrorDomain, code: Int(rawValue)) }
}

extension Date {
  static var referenceDate: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension OperationQueue {
  static func serial(named name: String) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

@MainActor
func nameShapes(_ runner: Runner) {
  runner.check("initialisers and members of the module's own names") {
    let attitude = BuiltAttitude(.identity)
    let motion: CMDeviceMotion = BuiltMotion(timestamp: 1, attitude: attitude)
    let data = BuiltAccelerometerData(timestamp: 2, acceleration: CMAcceleration(x: 1, y: 0, z: 0))
    data.acceleration.y = 3
    let activity = BuiltActivity(startDate: .referenceDate, confidence: .high)
    activity.states.isWalking = true
    return motion.attitude.quaternion.conjugate.w == 1 && data.timestamp == 2 && data.acceleration.y == 3
      && activity.walking && attitude.quaternion.normalized.roll == 0
  }
  runner.check("observers on an overridden property") {
    let manager = ObservingManager()
    manager.accelerometerUpdateInterval = 0.5
    manager.startDeviceMotion()
    defer { manager.stopDeviceMotionUpdates() }
    return manager.intervals == [0.5] && manager.isDeviceMotionActive && manager.motion == "mine"
  }
  runner.check("conformances of enumerations and errors") {
    let error: any Error = CMErrorNotAvailable
    return CMAuthorizationStatus.allCases.count == 4 && (error as? CMError)?.error.code == 109
      && "\(CMRotationRate(x: 1, y: 2, z: 3))" == "1.0 2.0 3.0"
      && CMAttitudeReferenceFrame.xTrueNorthZVertical.usesMagnetometer
      && OperationQueue.serial(named: "mine").name == "mine"
  }
  runner.check("numbers of pedometer data") {
    let data = CMPedometerData()
    let steps = data.numberOfSteps
    return steps as? Int == 0 && Int(truncating: steps) == 0 && steps.stringValue == "0" && steps == 0
      && data.distance?.doubleValue == nil && "\(steps)" == "0"
  }
}
