// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSources
public import MotionSensing

/// A folder with a file for each side of each pair of headphones that somebody has calibrated (``HeadMountFile``).
public struct HeadMountFolder: Sendable, Hashable {
  /// An absolute path; the folder is made when there is something to write.
  public var path: String

  /// The folder at a path.
  public init(path: String) { self.path = path }

  /// The one beside the calibrations of other sensors.
  public init(in folder: CalibrationFolder) { self.init(path: folder.path + "/headphones") }

  /// The path of the file of one side of the headphones of an address. The name does not show the address: whoever sees a list of files
  /// need not learn it.
  public func file(address: String, side: FusedMotionSample.Location) -> String {
    // FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923).
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in address.uppercased().utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "\(path)/\(padded)-\(HeadMountFile.name(of: side)).json"
  }

  /// What is known of a side; nil = nothing. A file that is not understood throws.
  public func mount(address: String, side: FusedMotionSample.Location) throws(SensorError) -> HeadMountFile? {
    try HeadMountFile(path: file(address: address, side: side))
  }

  /// The folder as a driver asks it. A file that is not understood is said once in the log, each time that it is needed, and the
  /// headphones then count as not calibrated.
  public var mounts: HeadMounts {
    HeadMounts { key in
      guard let address = key.address else { return nil }
      do {
        return try mount(address: address, side: key.side)?.mount
      } catch {
        HostLog.error((error as? SensorError)?.description ?? "\(error)")
        return nil
      }
    }
  }
}
