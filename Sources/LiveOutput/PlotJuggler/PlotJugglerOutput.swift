// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
package import MotionNetwork
package import MotionSensing

/// Samples for PlotJuggler's UDP server: one JSON object per datagram, to port 9870 of this computer by default.
///
/// PlotJuggler reads up to 2048 bytes and stops its server at the first text that is no JSON; a message that would not
/// fit is therefore dropped and counted. Nested keys become the paths of series: `/motion/device` is
/// `device/attitude/w` there. The time is the field `timestamp`, in seconds.
package final class PlotJugglerOutput: LiveOutput {
  /// PlotJuggler's own default.
  package static let defaultPort: UInt16 = 9870
  /// The receiver's buffer is 2048 bytes.
  static let datagramBytes = 2047

  private struct State {
    var datagram: [UInt8] = []
    var sent = 0
    var tooLong = 0
    /// The system refused it, or said that there is no listener.
    var unheard = 0
  }

  /// Where datagrams go.
  package let address: ListeningAddress
  package var place: String { "UDP to \(address.text)" }
  private let descriptor: Int32
  private let state = Lock(State())

  /// Opens a socket; whether there is a listener shows only later.
  package init(address: ListeningAddress = ListeningAddress(port: defaultPort)) throws(SensorError) {
    self.address = address
    descriptor = try Socket.connectDatagrams(address)
  }

  deinit { close(descriptor) }

  package func send(
    _ body: [UInt8], on channel: LiveChannel, time: SensorInstant, logTime: SensorInstant
  ) {
    // A topic becomes keys as it stands.
    guard channel.encoding == "json", !channel.topic.utf8.contains(where: Self.needsEscape) else { return }
    state.withLock { state in
      state.datagram.removeAll(keepingCapacity: true)
      Self.append(topic: channel.topic, time: time, body: body, to: &state.datagram)
      guard state.datagram.count <= Self.datagramBytes else {
        state.tooLong += 1
        return
      }
      if case .done = Socket.send(descriptor, state.datagram[...]) { state.sent += 1 } else { state.unheard += 1 }
    }
  }

  package func stop(grace: Double) {}

  package var summary: String {
    state.withLock { state in
      var text = "datagrams sent: \(state.sent)"
      if state.unheard > 0 { text += ", not sent: \(state.unheard) (no receiver at \(address.text))" }
      if state.tooLong > 0 { text += ", skipped (longer than \(Self.datagramBytes) bytes): \(state.tooLong)" }
      return text
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// `{"timestamp":1.25,"device":{…}}`: the body under the last parts of its topic, without its own time.
  static func append(topic: String, time: SensorInstant, body: [UInt8], to bytes: inout [UInt8]) {
    var path = topic.split(separator: "/")
    // The family says nothing in a list of series; a device's name in front of it stays.
    if path.count > 1, let family = path.firstIndex(where: { $0 == "motion" || $0 == "sensor" }) {
      path.remove(at: family)
    }
    bytes += "{\"timestamp\":\(time.seconds)".utf8
    var isFirst = true
    for part in path {
      bytes += "\(isFirst ? "," : "{")\"\(part)\":".utf8
      isFirst = false
    }
    bytes += withoutTime(body)
    for _ in path { bytes.append(UInt8(ascii: "}")) }
  }

  /// A body without the time that our messages begin with: a second time axis would only stand in the way.
  private static func withoutTime(_ body: [UInt8]) -> [UInt8] {
    guard body.starts(with: "{\"timestamp".utf8), let comma = body.firstIndex(of: UInt8(ascii: ",")),
      !body[..<comma].dropFirst().contains(UInt8(ascii: "{"))
    else { return body }
    return [UInt8(ascii: "{")] + body[(comma + 1)...]
  }
}
