// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionSensing
public import MotionServices

/// A folder with a file for each sensor of this computer: what was learned about it (``LearnedDeviceFile``).
///
/// ```swift
/// let host = try MotionHost("iio:", memories: SensorMemoryFolder(path: "/var/lib/robot/sensors"))
/// ```
///
/// Only sensors that run live are remembered, and only those whose source says which device it is (``SensorInfo/identity``).
/// A recording and a simulation start with nothing, so that they give the same bits every time.
public struct SensorMemoryFolder: Sendable, Hashable {
  /// An absolute path; the folder is made when there is something to keep.
  public var path: String

  /// The folder at a path.
  public init(path: String) { self.path = path }

  /// The memory of the sensor that a source stands for; nil for one that is not to be remembered.
  public func memory(of info: SensorInfo) -> (any SensorMemory)? {
    guard info.origin == .hardware, info.pacing == .live, let identity = info.identity, !identity.isEmpty
    else { return nil }
    return FileMemory(path: file(of: identity), device: identity)
  }

  /// The path of a device's file. What a file name cannot hold is written as %XX; a name too long for a file system ends in a
  /// number made of the whole.
  public func file(of identity: String) -> String { "\(path)/\(DeviceFileName.json(for: identity))" }
}

/// A file as a memory. What goes wrong is logged once, and the sensor works without a memory from then on: a file that cannot
/// be understood is not written over.
private struct FileMemory: SensorMemory {
  let path: String
  let device: String
  private let isBroken = Lock(false)

  init(path: String, device: String) {
    self.path = path
    self.device = device
  }

  func recall() -> LearnedDevice? {
    unlessBroken { () throws(SensorError) in
      guard let file = try LearnedDeviceFile(path: path) else { return nil }
      guard file.device == device else {
        throw SensorError(
          .malformed, "The file is about the device “\(file.device)”, not “\(device)”: it is left aside.",
          at: .init(file: path))
      }
      // Configuration, not data. A clock that went back says nothing about the time between.
      let elapsed = file.learnedAt.map { Date().timeIntervalSince($0) } ?? -1
      return file.learned.widened(elapsed: elapsed >= 0 ? elapsed : .infinity)
    }
  }

  func keep(_ learned: LearnedDevice) {
    let _: Void? = unlessBroken { () throws(SensorError) in
      try LearnedDeviceFile(device: device, learnedAt: Date(), learned: learned).write(to: path)
    }
  }

  private func unlessBroken<Result>(_ work: () throws(SensorError) -> Result?) -> Result? {
    guard !isBroken.withLock({ $0 }) else { return nil }
    do throws(SensorError) {
      return try work()
    } catch {
      isBroken.withLock { $0 = true }
      HostLog.warning(error.description)
      return nil
    }
  }
}
