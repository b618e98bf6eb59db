// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Where the kernel's HID devices are found; a test gives folders of its own.
public struct HeadTrackerRoots: Sendable, Hashable {
  /// The folder of the devices' attributes. Default `/sys/bus/hid/devices`.
  public var devices: String
  /// The folder of the device nodes. Default `/dev`.
  public var nodes: String
  /// The folder of the Bluetooth adapters. Default `/sys/class/bluetooth`.
  public var adapters: String

  /// The system's folders, or the same ones below a folder that stands for the root of the file system.
  public init(root: String = "") {
    devices = root + "/sys/bus/hid/devices"
    nodes = root + "/dev"
    adapters = root + "/sys/class/bluetooth"
  }
}

/// How a ``HeadTrackerSource`` reads.
public struct HeadTrackerOptions: Sendable, Hashable {
  /// Which way round the rotation vector of a report is meant.
  ///
  /// The protocol's text says "from the reference to the head", which can be read as either. Which one it is shows by itself
  /// as soon as the head moves (``HeadTrackerStatistics/contradictsDirection``); no real device has been tried.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The rotation is the head's pose in the reference: it turns directions along the head's axes into those of the reference.
    case headToReference = "head-to-reference"
    /// The inverse of that.
    case referenceToHead = "reference-to-head"
  }

  /// Where the devices are found.
  public var roots = HeadTrackerRoots()
  /// Hz that is asked for, within what the device offers; nil, the default: what the listeners want, at most 100 Hz.
  public var rate: Double?
  /// Which way round the rotation vector is meant. Default: the head's pose. Not proven on hardware.
  public var direction = Direction.headToReference

  /// The defaults.
  public init() {}

  /// From the options of an address.
  ///
  /// | option | values | default |
  /// |---|---|---|
  /// | `rate` | Hz, 1 to 200 | what the listeners want |
  /// | `direction` | `head-to-reference`, `reference-to-head` | `head-to-reference` |
  /// | `root` | a folder that stands for `/` | the system |
  ///
  /// Anything else fails with `.invalidRequest`.
  public init(_ options: [String: String]) throws(SensorError) {
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "rate":
        guard let rate = Double(value), (1...200).contains(rate) else {
          throw SensorError(.invalidRequest, "The option rate=\(value) is no number of hertz from 1 to 200.")
        }
        self.rate = rate
      case "direction":
        guard let choice = Direction(rawValue: value) else {
          throw SensorError(
            .invalidRequest,
            "The option direction=\(value) is not understood; it takes head-to-reference or reference-to-head.")
        }
        direction = choice
      case "root": roots = HeadTrackerRoots(root: value)
      default:
        throw SensorError(
          .invalidRequest, "A head tracker has no option “\(name)”; it knows rate, direction and root.")
      }
    }
  }
}

/// What happened in the runs of a ``HeadTrackerSource`` so far.
public struct HeadTrackerStatistics: Sendable, Hashable {
  /// Reports of motion.
  public var reports = 0
  /// Reports that were too short, or not finite, or of another kind, and were left out.
  public var strays = 0
  /// Times that the device said that its reference has jumped.
  public var discontinuities = 0
  /// Times that the device came back after it had gone.
  public var reconnections = 0
  /// Times that the line of time was laid anew.
  public var anchorings = 0
  /// The interval that the device was set to, s; nil = it could not be set, or nothing has run yet.
  public var interval: Double?
  /// True when the motion so far says that the rotation vector is meant the other way round: say `direction=` with the other value.
  public var contradictsDirection = false
}
