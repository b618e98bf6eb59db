// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Asking for motion, and passing it on.
extension AirPodsLink {
  /// False only when it is known that they are not worn.
  var mayBeWorn: Bool { options.ear == .off || status.detectsWearing == false || status.isWorn != false }

  /// Motion is wanted from now on, or the headphones have just been put on.
  mutating func startIfWorn(at now: SensorInstant) {
    guard wantsMotion else { return }
    if mayBeWorn { return start(at: now) }
    waitToBeWorn(at: now)
  }

  /// Begins a round through the services: the one that has sent before, then the one whose name says motion, then those
  /// of older firmware.
  mutating func start(at now: SensorInstant) {
    let named = memory.services.values.filter { $0.name == ServiceDescriptor.motionService }.map(\.id).min()
    var order: [UInt8] = []
    for service in [memory.workingService, named, 16, 14, 6].compactMap(\.self) where !order.contains(service) {
      order.append(service)
    }
    // Where they are known not to be worn, one service is asked, not all.
    candidates = mayBeWorn ? order[...] : order.prefix(1)
    tryNextService(at: now)
  }

  mutating func tryNextService(at now: SensorInstant) {
    stopAsked()
    guard let service = candidates.popFirst() else {
      // Taken from another host only while they may be worn here.
      if options.takesOwnership, mayBeWorn { actions.append(.send(AirPodsCommand.takeOwnership)) }
      return waitToBeWorn(at: now)
    }
    asked = service
    statistics.starts += 1
    let interval: UInt32 = options.rate == 25 ? 40_000 : 20_000
    actions.append(.send(AirPodsCommand.setInterval(interval, of: service, sequence: nextSequence())))
    status.phase = .starting
    deadline = now + times.firstReport
  }

  private mutating func waitToBeWorn(at now: SensorInstant) {
    status.phase = .waitingToBeWorn
    status.problem = reasonForSilence
    deadline = now + (mayBeWorn ? times.askAgain : times.askAgainUnworn)
    report()
  }

  /// Why there are no samples, as far as known here.
  var reasonForSilence: SensorError {
    if let model = memory.information?.modelNumber.flatMap(HeadphoneModel.model(number:)), !model.hasMotionSensor {
      return AirPodsProblem.noSensor(model.name)
    }
    if let wear = status.wear, status.isWorn == false {
      return wear.primary == .inCase && wear.secondary == .inCase ? AirPodsProblem.inCase : AirPodsProblem.notWorn
    }
    return hasHeardState ? AirPodsProblem.acceptedButNoData : AirPodsProblem.nothingAtAll
  }

  /// Interval 0 to the service that was asked last.
  private mutating func stopAsked() {
    guard let service = asked else { return }
    asked = nil
    actions.append(.send(AirPodsCommand.setInterval(0, of: service, sequence: nextSequence())))
  }

  /// Motion is no longer wanted.
  mutating func endMotion() {
    stopAsked()
    candidates = []
    guard isReady else { return }
    status.phase = .ready
    deadline = SensorInstant(nanoseconds: .max)
  }

  private mutating func nextSequence() -> UInt64 {
    defer { sequence += 1 }
    return sequence
  }

  // MARK: Reports

  mutating func handle(_ report: SensorMessage.Report, at now: SensorInstant) {
    guard let motionReport = report.motion else {
      statistics.refusedReports += 1
      return
    }
    statistics.reports += 1
    guard wantsMotion, mayBeWorn, report.service == asked || status.phase == .streaming else {
      statistics.unwantedReports += 1
      return
    }
    if status.phase != .streaming { beginStreaming(report.service) }
    deadline = now + times.silence
    if !motionReport.hasPlausibleGravity { statistics.implausibleReports += 1 }
    guard let time = clock.instant(of: motionReport.sensorTime, arrival: now) else {
      statistics.repeats += 1
      return
    }
    // A clock that was reset belongs to a filter that was reset.
    if clock.anchorings != anchorings { motion.jump() }
    statistics.anchorings += clock.anchorings - anchorings
    anchorings = clock.anchorings
    count(motionReport)
    if !hasMount { chooseMount() }
    let location = status.activeSide ?? .device
    let sample = motion.sample(of: motionReport, at: time, location: location)
    (status.discontinuities, status.calibration) = (motion.discontinuities, motion.calibration)
    actions.append(.deliver(sample))
  }

  private mutating func beginStreaming(_ service: UInt8) {
    status.phase = .streaming
    status.problem = nil
    memory.workingService = service
    candidates = []
    counter = nil
    updateSide()
    report()
  }

  /// Missing reports by the fusion's counter: a step of the stream is 4 counts at 50 Hz, 8 at 25 Hz.
  private mutating func count(_ report: MotionReport) {
    defer { counter = report.counter }
    guard let counter, let new = report.counter else { return }
    let steps = Int64(Int32(bitPattern: new &- counter))
    let usual: Int64 = options.rate == 25 ? 8 : 4
    // More than ten seconds are a restart, not a loss.
    guard steps > usual, steps < 2000 else { return }
    statistics.lostReports += Int((steps + usual / 2) / usual - 1)
  }

  /// Sets the mount of the active bud.
  private mutating func chooseMount() {
    hasMount = true
    switch options.mount {
    case .bud: motion.use(.identity, .none)
    case .fixed(let mount): motion.use(mount, .user)
    case .generic: motion.use(.generic, .generic)
    }
    status.calibration = motion.calibration
  }
}
