// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import LinuxSources
import MotionMath
public import MotionSensing
public import SimulatedSources

/// Headphones with the open Android head tracker protocol, without headphones: a report descriptor and reports, on a head whose motion is
/// known exactly.
///
/// ```swift
/// let peer = try HeadTrackerPeer(trajectory: HeadNod()) { $0.bits = 12 }
/// let host = MotionHost(headphones: try peer.source())
/// ```
///
/// Folders that stand for sysfs and /dev are made for it, and a pair of sockets stands for the device node, so that a source finds, opens
/// and reads it as it would the kernel's. It obeys power, reporting and interval, in real time. It holds what our reading of the protocol
/// says; how the kernel behaves is held by the kernel tests.
public final class HeadTrackerPeer: Sendable {
  /// By which of the kernel's doors it can be had.
  public enum Door: Sendable, CaseIterable {
    /// A hidraw node.
    case hidraw
    /// The driver hid-sensor-custom.
    case sensorCustom
    /// Neither: hid-sensor-hub has it alone.
    case closed
  }

  /// How its reports are laid out; the defaults are the usual layout.
  public struct Layout: Sendable, Hashable {
    /// The number of the report with motion. Default 1.
    public var inputID: UInt8 = 1
    /// The number of the report with the settings. Default 1.
    public var controlID: UInt8 = 1
    /// The number of the report with the description. Default 2.
    public var descriptionID: UInt8 = 2
    /// Version 2 of the protocol: it wants a transport to be chosen. Default false.
    public var isVersion2 = false
    /// Full power is the first choice, not the second. Default false.
    public var isPowerReversed = false
    /// It has one interval, 40 ms, and no choice. Default false: 10 to 100 ms.
    public var hasOneInterval = false
    /// Of each number of the rotation and the velocity: 16, the default, or 12.
    public var bits = 16
    /// The text that names the protocol; nil, the default = the right one.
    public var text: String?
    /// Its rotation vector leads from the reference to the head. Default false.
    public var isInverse = false

    /// The usual layout.
    public init() {}
  }

  struct State {
    var control: [UInt8]
    /// hid-sensor-custom's switch.
    var isSwitchedOn = false
    var isPresent = true
    var plugCount: Int
    var counter: UInt8 = 0
    /// rad by which the reference has jumped so far, about the vertical.
    var jumped = 0.0
    var writer: Int32?
    /// Connections so far. A descriptor's number does not tell one from the next: the kernel gives it again.
    var connections = 0
    var reportTimes: [SensorInstant] = []
    var writes: [[UInt8]] = []
    var refusal: Int32?
  }

  /// The true motion of the head.
  public let trajectory: any Trajectory
  /// How its reports are laid out.
  public let layout: Layout
  /// By which door it can be had.
  public let door: Door
  /// The folder that stands for the root of the file system.
  public let root: String
  let epoch: SensorInstant
  let state: Lock<State>

  /// The address it has, one of the range for documentation.
  public static let address = "00:00:5E:00:53:02"
  /// The name it gives itself.
  public static let name = "Simulated WH-1000XM5"

  /// A head tracker on a head that moves along `trajectory`; `change` changes the usual layout.
  public init(
    trajectory: any Trajectory = HeadNod(), door: Door = .hidraw, _ change: (inout Layout) -> Void = { _ in }
  ) throws {
    var layout = Layout()
    change(&layout)
    self.trajectory = trajectory
    self.layout = layout
    self.door = door
    root = NSTemporaryDirectory() + "opencoremotion-headtracker-\(UUID().uuidString.prefix(12))"
    epoch = MonotonicClock().now
    state = Lock(State(control: [UInt8](repeating: 0, count: layout.isVersion2 ? 2 : 1), plugCount: 1))
    try makeFolders()
  }

  deinit {
    if let writer = state.withLock({ $0.writer }) { close(writer) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// A source over it.
  public func source(_ path: String = "", _ change: (inout HeadTrackerOptions) -> Void = { _ in }) throws
    -> HeadTrackerSource
  {
    var options = HeadTrackerOptions()
    options.root = SystemRoot(root)
    change(&options)
    return try HeadTrackerSource(path: path, options: options, nodes: nodes)
  }

  /// The true motion at the instant of the report that is nearest to a sample's time; nil before the first.
  public func truth(nearest time: SensorInstant) -> (state: TrajectoryState, time: SensorInstant)? {
    let times = state.withLock { $0.reportTimes }
    let nearest = times.min { abs(($0 - time).nanoseconds) < abs(($1 - time).nanoseconds) }
    return nearest.map { (trajectory.state(at: ($0 - epoch).seconds), $0) }
  }

  /// When its reports were due, in order.
  public var reportTimes: [SensorInstant] { state.withLock { $0.reportTimes } }

  /// The settings that were written, each as the data of its report.
  public var writes: [[UInt8]] { state.withLock { $0.writes } }

  /// Whether it has been told to send motion.
  public var isStreaming: Bool { state.withLock { isStreaming($0) } }

  /// The reference jumps by an angle about the vertical, rad, and the counter says so.
  public func jump(by angle: Double) {
    state.withLock {
      $0.jumped += angle
      $0.counter &+= 1
    }
  }

  /// Opening it fails from now on with this error number; nil = it works again.
  public func refuse(with errno: Int32?) { state.withLock { $0.refusal = errno } }

  /// It goes.
  public func unplug() throws {
    let writer = state.withLock { state in
      state.isPresent = false
      defer { state.writer = nil }
      return state.writer
    }
    if let writer { close(writer) }
    try FileManager.default.removeItem(atPath: "\(root)/sys/bus/hid/devices")
    try FileManager.default.removeItem(atPath: "\(root)/dev")
  }

  /// It comes back, with the kernel's next number, and as it is at power-on.
  public func plug() throws {
    state.withLock { state in
      state.plugCount += 1
      state.control = state.control.map { _ in 0 }
      state.isSwitchedOn = false
      state.isPresent = true
    }
    try makeFolders()
  }
}
