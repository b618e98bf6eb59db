// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing

/// Positions from gpsd, the Linux daemon for satellite receivers, over its socket (port 2947).
///
/// gpsd is asked for NMEA: it passes the sentences of the receiver on, or writes them for receivers that speak another
/// protocol. Source: gpsd_json(5), WATCH.
enum GPSDClient {
  /// The port that is registered for gpsd.
  static let port: UInt16 = 2947
  /// gpsd repeats nothing: a line that grows beyond this is no sentence.
  private static let longestLine = 8 << 10

  /// Passes fixes on until `wake` is signalled, or the connection ends: then it throws the reason.
  static func run(
    host: String, port: UInt16, wake: WakeSignal, deliver: (PositionFix) -> Void
  ) throws {
    do {
      let connection = try ClientConnection(host: host, port: port, wake: wake)
      try connection.send(Array("?WATCH={\"enable\":true,\"nmea\":true};\n".utf8))
      var decoder = NMEADecoder()
      var line: [UInt8] = []
      while true {
        let bytes: ArraySlice<UInt8>
        do { bytes = try connection.receive(limit: .seconds(60)) } catch ClientConnection.Interruption.tooLate {
          continue
        }
        guard !bytes.isEmpty else {
          throw SensorError(
            .disconnected, "gpsd has ended the connection.", at: SensorError.Place(file: "gpsd:\(host):\(port)"))
        }
        for byte in bytes {
          guard byte == 0x0A || line.count > longestLine else {
            line.append(byte)
            continue
          }
          if let fix = decoder.decode(String(decoding: line, as: UTF8.self)) { deliver(fix) }
          line.removeAll(keepingCapacity: true)
        }
      }
    } catch ClientConnection.Interruption.woken {
      return
    } catch let error as SensorError where error.code == .notFound {
      throw SensorError(
        .notFound,
        "No gpsd answers at \(host), port \(port): is it installed and running (“systemctl status gpsd”), and does it listen there?"
      )
    }
  }
}
