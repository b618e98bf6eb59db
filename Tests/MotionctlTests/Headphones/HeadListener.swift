// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program that waits for the datagrams of a head tracker on a port that the system chose.
final class HeadListener {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(isBound)
  }

  deinit { close(descriptor) }

  /// Everything that has come so far.
  func packets() -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var buffer = [UInt8](repeating: 0, count: 2048)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count >= 0 else { return packets }
      packets.append(Array(buffer.prefix(count)))
    }
  }
}

/// A recording of headphones, made up: the layout of Sensor Logger's export.
struct HeadRecording {
  let folder: TemporaryFolder
  var path: String { folder.url.path }

  /// Poses as quaternions w, x, y, z at 50 Hz, with the side that speaks.
  init(_ poses: [(w: Double, x: Double, y: Double, z: Double)], side: String = "left") throws {
    folder = try TemporaryFolder()
    var lines = [
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,"
        + "accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ,devicelocation"
    ]
    for (row, q) in poses.enumerated() {
      let time = 1_698_501_144_400_000_000 + row * 20_000_000
      lines.append("\(time),\(Double(row) / 50),0,0,0,0,0,-9.80665,0,0,0,\(q.w),\(q.x),\(q.y),\(q.z),\(side)")
    }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "Headphone.csv")
    try folder.write(
      "version,device name,platform,appVersion,sensors\n3,phone,ios,1.40,Headphone\n", to: "Metadata.csv")
  }
}
