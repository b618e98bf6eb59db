// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
@_exported import TestSupport

/// A device that lies face up, first still, then turning about the vertical, and a truth that may be wrong on purpose.
///
/// World: east-north-up, 9.81 m/s² up, a field of 20 µT north and 40 µT down.
struct MadeUpTrial {
  /// Degrees by which the truth is turned about the vertical.
  var headingError = 0.0
  /// Degrees by which the truth is tilted about east.
  var inclinationError = 0.0
  var seconds = 20.0
  /// The device turns from here on.
  var stillSeconds = 4.0
  /// rad/s.
  var rate = 0.5

  private func angle(_ time: Double) -> Double { rate * max(0, time - stillSeconds) }

  /// w x y z: the error ⊗ the turn about z.
  private func truth(_ time: Double) -> [Double] {
    let (a, h, i) = (angle(time) / 2, headingError * .pi / 360, inclinationError * .pi / 360)
    // About z by the heading error, after the turn about z: both angles add; then about x.
    let (w, z) = (cos(a + h), sin(a + h))
    return [cos(i) * w, sin(i) * w, -sin(i) * z, cos(i) * z]
  }

  private func field(_ time: Double) -> [Double] { [20 * sin(angle(time)), 20 * cos(angle(time)), -40] }

  /// A file of the BROAD layout at 2000/7 Hz.
  var broad: Data {
    var data = Data()
    for row in 0..<Int(seconds * 2000 / 7) {
      let time = Double(row) * 0.0035
      let isTurning = time >= stillSeconds
      let numbers =
        [0, 0, isTurning ? rate : 0, 0, 0, 9.81] + field(time) + truth(time) + [0, 0, 0, isTurning ? 1 : 0]
      for number in numbers {
        withUnsafeBytes(of: Float(number).bitPattern.littleEndian) { data.append(contentsOf: $0) }
      }
    }
    return data
  }

  /// A folder with Apple's output: its gravity is tilted by ``inclinationError``, and its user acceleration is what is
  /// left of the raw sample.
  func writeApples(to folder: TemporaryFolder, in name: String) throws {
    var files = ["recording.csv": "t,ax,ay,az,gx,gy,gz\n", "gravity.txt": "", "linacce.txt": ""]
    let tilt = inclinationError * .pi / 180
    let gravity = [0, -9.81 * sin(tilt), -9.81 * cos(tilt)]
    for index in 0..<Int(seconds * 100) {
      let nanoseconds = 1_000_000_000_000 + index * 10_000_000
      let turn = Double(index) / 100 >= stillSeconds ? rate : 0
      files["recording.csv"]? += String(format: "%.2f,0,0,9.80665,0,0,%g\n", 1000 + Double(index) / 100, turn)
      files["gravity.txt"]? += "\(nanoseconds) \(gravity[0]) \(gravity[1]) \(gravity[2])\n"
      files["linacce.txt"]? += "\(nanoseconds) 0 \(-gravity[1]) \(-9.81 - gravity[2])\n"
    }
    for (file, text) in files { try folder.write(text, to: "\(name)/\(file)") }
  }

  /// A folder with motion capture; the truth's clock is 3 s behind the phone's time since its start at 1000 s.
  func writeCapture(to folder: TemporaryFolder, in name: String, hasTruth: Bool = true) throws {
    var recording = "t,ax,ay,az,gx,gy,gz,mx,my,mz\n"
    var rows = "t_s,qw,qx,qy,qz,px_m,py_m,pz_m,bad\n"
    for index in 0..<Int(seconds * 100) {
      let time = Double(index) / 100
      let stamp = String(format: "%.4f", 1000 + time)
      let field = field(time)
      recording += "\(stamp),0,0,9.80665,0,0,\(time >= stillSeconds ? rate : 0),\(field[0]),\(field[1]),\(field[2])\n"
      if time >= 3, index.isMultiple(of: 2) {
        let q = truth(time)
        // A pose of nonsense that is marked as such.
        let isBad = index.isMultiple(of: 500)
        rows += String(format: "%.4f", time - 3)
        rows += isBad ? ",0,1,0,0,0,0,0,1\n" : ",\(q[0]),\(q[1]),\(q[2]),\(q[3]),0,0,0,0\n"
      }
    }
    try folder.write(recording, to: "\(name)/recording.csv")
    try folder.write("[Time]\nBootTime = 1000\n", to: "\(name)/description.txt")
    try folder.write("  -3.0000000e+00\n", to: "\(name)/timeAlignment.txt")
    if hasTruth { try folder.write(rows, to: "\(name)/qualisys.csv") }
  }
}

extension TemporaryFolder {
  func write(_ data: Data, to name: String) throws { try write(name, Array(data)) }
}
