// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionTLS
package import MotionSensing

/// The key and the certificate of an HTTPS server, made when it starts and kept in memory only.
///
/// No authority vouches for a computer in a home network, so a browser warns of the certificate once; the person
/// compares its ``fingerprint``. OpenSSL 3 is loaded when the first identity is made.
package final class TLSIdentity: Sendable {
  /// SHA-256 of the certificate, as browsers show it: pairs of hexadecimal digits with colons.
  package let fingerprint: String
  // unsafe: SSL_CTX; OpenSSL counts its users atomically and locks it inside, and nothing changes it after `init`.
  private nonisolated(unsafe) let context: OpaquePointer

  private init(_ context: OpaquePointer, fingerprint: String) {
    (self.context, self.fingerprint) = (context, fingerprint)
  }

  deinit { motion_tls_free_identity(context) }

  /// An ECDSA P-256 certificate, valid from yesterday for 30 days.
  ///
  /// - Parameter names: numeric addresses and host names under which the server is reached.
  /// - Throws: `SensorError` when OpenSSL 3 is not installed or a name is not one.
  package static func selfSigned(names: [String]) throws(SensorError) -> TLSIdentity {
    let list = names.map { ($0.contains(":") || $0.allSatisfy { $0.isNumber || $0 == "." } ? "IP:" : "DNS:") + $0 }
    guard !names.isEmpty, names.allSatisfy({ !$0.isEmpty && !$0.contains(",") }) else {
      throw SensorError(.invalidRequest, "A certificate needs the names of the server.")
    }
    var digest = [UInt8](repeating: 0, count: 32)
    // unsafe: a text of the library's, which stays.
    var reason: UnsafePointer<CChar>?
    guard let context = motion_tls_self_signed(list.joined(separator: ","), 30, &digest, &reason) else {
      throw SensorError(.system, reason.map { String(cString: $0) } ?? "The certificate could not be made.")
    }
    return TLSIdentity(context, fingerprint: digest.map(Self.hexadecimal).joined(separator: ":"))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }

  /// The server's side of a connection; nil without memory.
  func accept(_ descriptor: Int32) -> TLSSession? { motion_tls_accept(context, descriptor).map(TLSSession.init) }
}

/// An encrypted connection, on the server's thread.
final class TLSSession {
  private let session: OpaquePointer
  /// Reading has to wait until the socket can be written.
  private(set) var wantsWrite = false

  fileprivate init(_ session: OpaquePointer) { self.session = session }

  deinit { motion_tls_free(session) }

  /// Whether decrypted bytes wait that no poll tells of.
  var hasPending: Bool { motion_tls_has_pending(session) != 0 }

  func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
    outcome(buffer.isEmpty ? -1 : motion_tls_read(session, &buffer, buffer.count))
  }

  func send(_ bytes: ArraySlice<UInt8>) -> Socket.Outcome {
    outcome(
      // unsafe: OpenSSL reads the bytes during the call.
      bytes.withUnsafeBytes { bytes in
        bytes.baseAddress.map { motion_tls_write(session, $0, bytes.count) } ?? -1
      })
  }

  /// Says that nothing more will be sent.
  func shut() { motion_tls_shut(session) }

  private func outcome(_ result: Int) -> Socket.Outcome {
    wantsWrite = result == MOTION_TLS_WANTS_WRITE
    return switch result {
    case 0...: .done(result)
    case MOTION_TLS_WANTS_READ, MOTION_TLS_WANTS_WRITE: .later
    default: .failed
    }
  }
}
