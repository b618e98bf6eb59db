// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

// Test doubles: subclasses of managers and samples that override what they need.

class FakeMotionManager: CMMotionManager {
  var handler: CMDeviceMotionHandler?
  var sample: CMDeviceMotion?
  private var active = false

  override var isDeviceMotionAvailable: Bool { return true }
  override var isDeviceMotionActive: Bool { return active }
  override var deviceMotion: CMDeviceMotion? { return sample }
  override var deviceMotionUpdateInterval: TimeInterval {
    get { return 0.5 }
    set {}
  }
  override func startDeviceMotionUpdates() { active = true }
  override func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler)
  {
    active = true
    self.handler = handler
  }
  override func startDeviceMotionUpdates(
    using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
    withHandler handler: @escaping (CMDeviceMotion?, Error?) -> Void
  ) {
    startDeviceMotionUpdates(to: queue, withHandler: handler)
  }
  override func stopDeviceMotionUpdates() { active = false }
  override class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
    return [.xArbitraryZVertical, .xTrueNorthZVertical]
  }
  override class var authorizationStatus: CMAuthorizationStatus { .authorized }
}

class FakeDeviceMotion: CMDeviceMotion {
  private let fakeAttitude: CMAttitude
  private let fakeGravity: CMAcceleration

  init(attitude: CMAttitude, gravity: CMAcceleration) {
    self.fakeAttitude = attitude
    self.fakeGravity = gravity
    super.init()
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) {
    fatalError("init(coder:) has not been implemented")
  }

  override var attitude: CMAttitude { fakeAttitude }
  override var gravity: CMAcceleration { fakeGravity }
  override var timestamp: TimeInterval { 1 }
}

class FakeAttitude: CMAttitude {
  var fakeRoll = 0.0
  override var roll: Double { fakeRoll }
  override var rotationMatrix: CMRotationMatrix { CMRotationMatrix() }
  override func copy(with zone: NSZone? = nil) -> Any {
    let copy = FakeAttitude()
    copy.fakeRoll = fakeRoll
    return copy
  }
}

class FakePedometer: CMPedometer {
  var updateHandler: CMPedometerHandler?
  var eventHandler: CMPedometerEventHandler?
  override class func isStepCountingAvailable() -> Bool { return true }
  override class func authorizationStatus() -> CMAuthorizationStatus { return .denied }
  override func startUpdates(from start: Date, withHandler handler: @escaping CMPedometerHandler) {
    updateHandler = handler
  }
  override func queryPedometerData(from start: Date, to end: Date, withHandler handler: @escaping CMPedometerHandler) {
    handler(FakePedometerData(steps: 12), nil)
  }
  override func startEventUpdates(handler: @escaping CMPedometerEventHandler) { eventHandler = handler }
  override func stopUpdates() { updateHandler = nil }
}

class FakePedometerData: CMPedometerData {
  private let steps: Int

  init(steps: Int) {
    self.steps = steps
    super.init()
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { fatalError() }

  override var numberOfSteps: NSNumber { NSNumber(value: steps) }
  override var distance: NSNumber? { 7.5 }
  override var startDate: Date { Date(timeIntervalSince1970: 0) }
  override var floorsAscended: NSNumber? { nil }
}

class FakeMotionActivity: CMMotionActivity {
  override var walking: Bool { true }
  override var confidence: CMMotionActivityConfidence { .high }
  override var startDate: Date { Date(timeIntervalSince1970: 60) }
}

class FakeActivityManager: CMMotionActivityManager {
  override static func isActivityAvailable() -> Bool { true }
  override func startActivityUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMotionActivityHandler) {
    handler(FakeMotionActivity())
  }
  override func queryActivityStarting(
    from start: Date, to end: Date, to queue: OperationQueue,
    withHandler handler: @escaping CMMotionActivityQueryHandler
  ) {
    handler([FakeMotionActivity()], nil)
  }
}

class FakeRecorder: CMSensorRecorder {
  override class func isAccelerometerRecordingAvailable() -> Bool { true }
  override func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? { CMSensorDataList() }
}

@MainActor
func mockShapes(_ runner: Runner) {
  runner.check("a manager that plays its own samples") {
    let fake = FakeMotionManager()
    let manager: CMMotionManager = fake
    var seen: Double?
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: .main) { motion, _ in seen = motion?.gravity.y }
    let attitude = FakeAttitude()
    attitude.fakeRoll = 0.25
    let sample = FakeDeviceMotion(attitude: attitude, gravity: CMAcceleration(x: 0, y: -1, z: 0))
    fake.sample = sample
    fake.handler?(sample, nil)
    // swift-format-ignore: NeverForceUnwrap
    let copy = sample.attitude.copy() as! CMAttitude
    return seen == -1 && manager.isDeviceMotionActive && manager.deviceMotion?.attitude.roll == 0.25
      && copy.roll == 0.25 && type(of: manager).availableAttitudeReferenceFrames().contains(.xTrueNorthZVertical)
  }
  runner.check("pedometer, activity and recorder doubles") {
    let pedometer = FakePedometer()
    var steps: Int?
    pedometer.queryPedometerData(from: Date.distantPast, to: Date()) { data, _ in steps = data?.numberOfSteps.intValue }
    pedometer.startUpdates(from: Date()) { data, error in steps = data?.numberOfSteps.intValue }
    pedometer.updateHandler?(FakePedometerData(steps: 12), nil)
    var activity: CMMotionActivity?
    FakeActivityManager().startActivityUpdates(to: .main) { activity = $0 }
    return steps == 12 && type(of: pedometer).isStepCountingAvailable() && activity?.walking == true
      && activity?.running == false && FakeRecorder().accelerometerData(from: Date(), to: Date()) != nil
      && FakePedometer.authorizationStatus() == .denied && FakeActivityManager.isActivityAvailable()
  }
  runner.check("empty samples") {
    let motion = CMDeviceMotion()
    return motion.attitude.yaw == 0 && motion.rotationRate.x == 0 && CMLogItem().timestamp == 0
      && CMPedometerData().numberOfSteps == 0 && CMMotionActivity().stationary == false
  }
}
