// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import HeadphoneSimulation
import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import HeadphoneSources
@testable import TestSupport

/// Simulated buds, the driver, a host on virtual time, a manager.
struct AirPodsBench {
  let clock = VirtualClock()
  let peer: AirPodsPeer
  let source: AirPodsSource
  let host: MotionHost
  let manager: CMHeadphoneMotionManager
  let samples = Lock<[CMDeviceMotion]>([])
  let words = ConnectionWords()

  init(
    trajectory: any Trajectory = HeadNod(), options: [String: String] = [:],
    _ change: (inout AirPodsPeer.Configuration) -> Void = { _ in }
  ) throws {
    peer = AirPodsPeer(trajectory: trajectory, change)
    source = try peer.source(options: options)
    host = MotionHost(headphones: source, clock: clock)
    manager = host.run { CMHeadphoneMotionManager() }
    manager.delegate = words
  }

  func start() {
    let samples = samples
    manager.startDeviceMotionUpdates(to: OperationQueue()) { motion, _ in
      if let motion { samples.withLock { $0.append(motion) } }
    }
  }

  func play(_ seconds: Double) async {
    await clock.advance(by: SensorDuration(seconds: seconds) ?? .zero)
  }

  var received: [CMDeviceMotion] { samples.withLock { $0 }.sorted { $0.timestamp < $1.timestamp } }

  /// The true motion of the head at the time of a sample.
  func truth(of motion: CMDeviceMotion) -> TrajectoryState? {
    SensorInstant(seconds: motion.timestamp).flatMap { peer.truth(at: $0) }
  }

  /// The largest angle between the received attitudes and the truth, degrees; the buds' azimuth is given.
  func largestError(_ received: [CMDeviceMotion], azimuth: Double) throws -> Double {
    let world = Rotation<NorthWestUp, NorthWestUp>(aboutZ: azimuth)
    var largest = 0.0
    for motion in received {
      let q = motion.attitude.quaternion
      let truth = try #require(self.truth(of: motion)).attitude.relabeled(from: Device.self, to: NorthWestUp.self)
      let found = try #require(Rotation<Device, NorthWestUp>(w: q.w, x: q.x, y: q.y, z: q.z))
      largest = max(largest, found.angle(to: world * truth) * 180 / .pi)
    }
    return largest
  }
}

/// Notes what a delegate is told.
final class ConnectionWords: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
  // Behind its lock.
  private let list = Lock<[String]>([])
  var all: [String] { list.withLock { $0 } }
  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { list.withLock { $0.append("connect") } }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
    list.withLock { $0.append("disconnect") }
  }
}

@Suite struct AirPodsSourceTests {
  @Test(arguments: ["50", "25"])
  func theAttitudeIsTheTruthToATenthOfADegree(_ rate: String) async throws {
    let bench = try AirPodsBench(options: ["rate": rate])
    bench.start()
    await bench.play(16)
    let received = bench.received
    let error = try bench.largestError(received, azimuth: bench.peer.configuration.leftAzimuth)
    print("AirPods: \(rate) Hz, \(received.count) samples, largest error of the attitude \(error)°")
    #expect(error < 0.1)
    let expected = rate == "50" ? 16 / 0.020092 : 16 / 0.040184
    #expect(abs(Double(received.count) - expected) < 10)
    #expect(received.allSatisfy { $0.sensorLocation == .headphoneLeft && $0.attitude.quaternion.w >= 0 })
    #expect(bench.words.all == ["connect"])
    bench.manager.stopDeviceMotionUpdates()
    await bench.clock.settle()
    #expect(bench.peer.log.intervals.last?.microseconds == 0)
  }

  /// On the way of a moving head through w = 0 the reported numbers alone are up to 0.8° off; the rates bridge it.
  @Test(arguments: Array(stride(from: -3.2, to: 3.2, by: 0.4)))
  func whereverTheAzimuthBeganTheAttitudeIsTheTruthToATenthOfADegree(_ azimuth: Double) async throws {
    for side in [MotionRow.Location.headphoneLeft, .headphoneRight] {
      let bench = try AirPodsBench {
        ($0.side, $0.leftAzimuth, $0.rightAzimuth) = (side, azimuth, azimuth)
      }
      bench.start()
      await bench.play(8.2)
      let received = bench.received
      let error = try bench.largestError(received, azimuth: azimuth)
      print("AirPods: \(side), azimuth \(azimuth), largest error of the attitude \(error)°")
      #expect(error < 0.1 && received.count > 390)
      bench.manager.stopDeviceMotionUpdates()
    }
  }

  /// Section 13: the rounding costs 2⁻¹⁵ / w rad.
  @Test func whereWComesNearZeroTheRoundingCostsWhatItMust() async throws {
    let bench = try AirPodsBench(trajectory: Rest()) {
      $0.mount = .identity
      $0.leftAzimuth = .pi - 0.04
    }
    bench.start()
    await bench.play(1)
    let error = try bench.largestError(bench.received, azimuth: bench.peer.configuration.leftAzimuth)
    print("AirPods: with w = 0.02, largest error of the attitude \(error)°")
    #expect(error < 0.0875)
    #expect(bench.received.count > 40)
  }

  @Test func ratesAndAccelerationsAreThoseOfTheHead() async throws {
    let bench = try AirPodsBench()
    bench.start()
    await bench.play(8)
    for motion in bench.received {
      let truth = try #require(bench.truth(of: motion))
      let rate = motion.rotationRate
      let difference = Vector3<Device>(x: rate.x, y: rate.y, z: rate.z) - truth.angularVelocity
      #expect(difference.length < 0.0025)
      let up = truth.attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: standardGravity)
      let expected = (truth.specificForce - up) / -standardGravity
      let user = motion.userAcceleration
      #expect((Vector3<Device>(x: user.x, y: user.y, z: user.z) - expected).length < 0.0015)
      let gravity = Vector3<Device>(x: motion.gravity.x, y: motion.gravity.y, z: motion.gravity.z)
      #expect((gravity - up / -standardGravity).length < 0.002)
    }
    #expect(bench.received.count > 350)
  }

  /// S57: taken off they disconnect, put on they connect, and motion goes on by itself.
  @Test func takenOffTheyDisconnectAndPutOnTheyConnect() async throws {
    let bench = try AirPodsBench {
      $0.events = [.init(.ear(0, 1), at: 2), .init(.takeOff, at: 3), .init(.ear(2, 2), at: 3.5), .init(.putOn, at: 6)]
    }
    bench.start()
    await bench.play(2.9)
    #expect(bench.words.all == ["connect"])
    await bench.play(0.3)
    #expect(bench.words.all == ["connect", "disconnect"])
    let count = bench.received.count
    await bench.play(2.5)
    #expect(bench.received.count == count)
    await bench.play(2)
    #expect(bench.words.all == ["connect", "disconnect", "connect"])
    #expect(bench.received.count > count + 50)
    #expect(bench.source.status.phase == .streaming)
  }

  @Test func withoutEarDetectionTakingThemOffIsNotNoticed() async throws {
    let bench = try AirPodsBench {
      $0.detectsWearing = false
      $0.events = [.init(.takeOff, at: 2), .init(.putOn, at: 4)]
    }
    bench.start()
    await bench.play(6)
    #expect(bench.words.all == ["connect"])
    #expect(bench.received.count > 280)
  }

  @Test func theOtherBudTakesOverWithItsOwnMountAndTheSameAzimuth() async throws {
    let bench = try AirPodsBench { $0.events = [.init(.swapRoles, at: 5.7)] }
    bench.start()
    await bench.play(10)
    let received = bench.received
    let sides = received.map(\.sensorLocation)
    #expect(sides.first == .headphoneLeft && sides.last == .headphoneRight)
    let changes = zip(sides, sides.dropFirst()).filter { $0 != $1 }.count
    #expect(changes == 1)
    let error = try bench.largestError(received, azimuth: bench.peer.configuration.leftAzimuth)
    print("AirPods: across a change of sides, largest error of the attitude \(error)°")
    #expect(error < 0.1)
    #expect(bench.source.status.discontinuities == 1)
    #expect(bench.words.all == ["connect"])
  }

  @Test func aLostLinkComesBackByItself() async throws {
    let bench = try AirPodsBench { $0.events = [.init(.loseLinkInReport(seconds: 4), at: 2)] }
    bench.start()
    await bench.play(3)
    #expect(bench.words.all == ["connect", "disconnect"])
    await bench.play(30)
    #expect(bench.words.all == ["connect", "disconnect", "connect"])
    let openings = bench.peer.log.openings
    let pauses = zip(openings, openings.dropFirst()).map { (($1 - $0) * 10).rounded() / 10 }
    // 1.5 s after the loss they do not answer; then the radio rests for ten.
    #expect(pauses == [3.5, 10])
    #expect(bench.source.statistics.failures == 2)
    #expect(bench.source.status.phase == .streaming)
  }

  @Test func statusUpdatesAloneAskForNoMotion() async throws {
    let bench = try AirPodsBench()
    bench.manager.startConnectionStatusUpdates()
    await bench.play(3)
    #expect(bench.source.status.phase == .ready)
    #expect(bench.peer.log.intervals.isEmpty)
    bench.start()
    await bench.play(2)
    #expect(bench.peer.log.intervals.map(\.microseconds) == [20_000])
    bench.manager.stopDeviceMotionUpdates()
    await bench.play(1)
    #expect(bench.peer.log.intervals.map(\.microseconds) == [20_000, 0])
    bench.manager.stopConnectionStatusUpdates()
  }

  @Test func theGenericMountIsLevelled() async throws {
    let bench = try AirPodsBench(options: ["mount": "generic"]) {
      $0.mount = Rotation(rotationVector: Vector3<Device>(x: 0.2, y: -0.15, z: 0)) * HeadMount.generic
    }
    bench.start()
    await bench.play(2)
    #expect(bench.source.status.calibration == .generic)
    // HeadNod begins with a second of rest, shorter than the greeting leaves: the next rest levels.
    await bench.play(10)
    let levelled = bench.received.drop { $0.timestamp < 9.8 }
    #expect(levelled.count > 80)
    for motion in levelled {
      let truth = try #require(bench.truth(of: motion))
      let down = truth.attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: -1)
      let gravity = Vector3<Device>(x: motion.gravity.x, y: motion.gravity.y, z: motion.gravity.z)
      #expect(gravity.angle(to: down) * 180 / .pi < 0.2)
    }
    #expect(bench.source.status.discontinuities == 1)
  }

  @Test func theStatusNamesWhatTheyAre() async throws {
    let bench = try AirPodsBench()
    bench.start()
    await bench.play(3)
    let status = bench.source.status
    #expect(status.model == "AirPods Pro 3")
    #expect(status.name == "Simulated AirPods")
    #expect(status.batteries.count == 3)
    #expect(status.activeSide == .headphoneLeft && status.primarySide == .headphoneLeft)
    #expect(status.isWorn == true && status.detectsWearing == true)
    #expect(status.calibration == .user)
  }
}

/// Bytes from text: `04 00 04 00`.
func hex(_ text: String) -> [UInt8] { text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) } }

/// Captures outside the repository: `$OPENCOREMOTION_DATA`, else `shared/data` beside the checkout.
enum AirPodsCaptures {
  static let folder = SharedData.path("headphones/greenpods")
  static var exist: Bool { FileManager.default.fileExists(atPath: folder) }

  /// The lines of a capture, without comments and labels.
  static func lines(_ name: String) throws -> [[UInt8]] {
    let text = try String(contentsOfFile: "\(folder)/\(name).txt", encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: " ")
      return hex(words.drop { UInt8($0, radix: 16) == nil || $0.count != 2 }.joined(separator: " "))
    }
  }

  static func reports(_ name: String) throws -> [MotionReport] {
    try lines(name).map { try #require(MotionReport($0[...])) }
  }
}

/// The numbers of HP-5's test packet, of the capture with sequence 126.
let sequence126 = hex(
  """
  04 00 04 00 17 00 00 00 10 00 44 00 08 7E 10 03 3A 3E 08 10 1A 3A 01 A0 49 73 6E 66 3C 00 00 03 04 43 4A 26 E4 86 00 00 00 00 0C 91
  62 EF 6E DB 03 00 0C 00 0B 00 1B 83 03 F7 4D F9 F4 FF 0E 00 06 00 98 FD 6D 02 2E 02 FE FE 78 39 71 03 00 00
  """)

/// The packets of one read.
func packets(_ bytes: [UInt8]) -> [AirPodsPacket] {
  var reader = PacketBytes(bytes[...])
  var found: [AirPodsPacket] = []
  while let packet = AirPodsPacket.next(&reader) { found.append(packet) }
  return found
}

/// The only packet of a read, as a sensor message.
func sensorMessage(_ bytes: [UInt8]) -> SensorMessage? {
  let found = packets(bytes)
  guard found.count == 1, case .sensor(let message) = found[0] else { return nil }
  return message
}

/// Core Motion's angles in degrees.
func angles<F: Frame>(_ q: Rotation<F, NorthWestUp>) -> (pitch: Double, roll: Double, yaw: Double) {
  let degrees = 180 / Double.pi
  return (
    Scalar.asin(2 * (q.w * q.x + q.y * q.z)) * degrees,
    Scalar.atan2(2 * (q.w * q.y - q.x * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)) * degrees,
    Scalar.atan2(2 * (q.w * q.z - q.x * q.y), 1 - 2 * (q.x * q.x + q.z * q.z)) * degrees
  )
}

func isClose<F: Frame>(_ v: Vector3<F>, _ x: Double, _ y: Double, _ z: Double, _ tolerance: Double = 2e-5) -> Bool {
  v.isApproximatelyEqual(to: Vector3(x: x, y: y, z: z), tolerance: tolerance)
}

@Suite struct AirPodsSearchTests {
  private func device(_ address: String, product: String, isConnected: Bool = true) -> BluetoothDevice {
    var device = BluetoothDevice(address: address, name: "Buds")
    device.model = .model(modalias: "bluetooth:v004Cp\(product)d0001")
    (device.isPaired, device.isConnected, device.offersAccessoryProtocol) = (true, isConnected, true)
    return device
  }

  @Test func theConnectedPairWithASensorIsTaken() throws {
    let inventory = BlueZ.Inventory(
      isPowered: true,
      devices: [
        device("00:00:5E:00:53:01", product: "200F"), device("00:00:5E:00:53:02", product: "2014", isConnected: false),
        device("00:00:5E:00:53:03", product: "2027"),
      ])
    #expect(try L2CAPConnector.headphones(of: inventory) == "00:00:5E:00:53:03")
  }

  @Test func whatIsMissingIsToldAndLookedForAgain() {
    for (isPowered, devices, word) in [
      (true, [device("00:00:5E:00:53:01", product: "200F")], "no readable motion sensor"),
      (true, [device("00:00:5E:00:53:01", product: "2014", isConnected: false)], "bluetoothctl connect"),
      (true, [], "pair"), (false, [], "power on"),
    ] as [(Bool, [BluetoothDevice], String)] {
      do throws(SensorError) {
        _ = try L2CAPConnector.headphones(of: BlueZ.Inventory(isPowered: isPowered, devices: devices))
        Issue.record("nothing was thrown where “\(word)” was expected")
      } catch {
        #expect(error.code == .notFound)
        #expect(error.message.contains(word))
      }
    }
  }
}
