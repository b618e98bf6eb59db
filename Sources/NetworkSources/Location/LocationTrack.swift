// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// Where positions come from: gpsd, or a file with NMEA sentences (`MOTION_LOCATION`).
///
/// Each reader gets a pass of its own: a file from its beginning and as fast as it is read, gpsd from now on and until
/// the reader ends. A gpsd that is not there is tried again every two seconds.
enum LocationTrack: PositionTrack, Hashable {
  case gpsd(host: String, port: UInt16)
  case file(String)

  /// The track that a setting names: `gpsd:`, `gpsd:HOST`, `gpsd:HOST:PORT`, or the path of a file; nil when it is
  /// neither.
  init?(_ text: String) throws(SensorError) {
    if text.hasPrefix("gpsd:") {
      let rest = text.dropFirst(5).drop { $0 == "/" }
      let place = try NetworkPlace(rest.isEmpty ? "localhost" : String(rest), port: GPSDClient.port)
      self = .gpsd(host: place.host, port: place.port)
    } else if text.contains("/") || text.lowercased().hasSuffix(".nmea") {
      self = .file(text)
    } else {
      return nil
    }
  }

  var isLive: Bool { if case .gpsd = self { true } else { false } }

  func reader(
    report: @escaping @Sendable (String) -> Void
  ) -> (@Sendable () throws(SensorError) -> PositionFix?)? {
    guard case .file(let path) = self else { return nil }
    let file = NMEAFile(path, report: report)
    return { () throws(SensorError) in try file.next() }
  }

  func fixes(report: @escaping @Sendable (String) -> Void) -> AsyncThrowingStream<PositionFix, any Error> {
    switch self {
    case .file(let path):
      let file = NMEAFile(path, report: report)
      return AsyncThrowingStream { try file.next() }
    case .gpsd(let host, let port): return Self.stream(host, port, report: report)
    }
  }

  private static func stream(
    _ host: String, _ port: UInt16, report: @escaping @Sendable (String) -> Void
  ) -> AsyncThrowingStream<PositionFix, any Error> {
    // Who does not read loses the oldest: of positions the present one counts.
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(600)) { continuation in
      let wake = WakeSignal()
      let isOver = Lock(false)
      continuation.onTermination = { _ in
        isOver.withLock { $0 = true }
        wake.signal()
      }
      // A thread of its own, because it blocks.
      let read: @Sendable () -> Void = {
        while !isOver.withLock({ $0 }) {
          do { try GPSDClient.run(host: host, port: port, wake: wake) { continuation.yield($0) } } catch {
            report("\(error) It is tried again every 2 s.")
          }
          if !isOver.withLock({ $0 }) { _ = wake.wait(limit: .seconds(2)) }
        }
      }
      do { try SystemThread.start("motion-location", read) } catch { continuation.finish(throwing: error) }
    }
  }
}

/// The fixes of a file with NMEA sentences, read as they are asked for.
final class NMEAFile: Sendable {
  private struct State {
    // unsafe: C's stream, used under the lock.
    var file: UnsafeMutablePointer<FILE>?
    var isOpen = false
    var decoder = NMEADecoder()
    var (lines, fixes) = (0, 0)
  }

  private let path: String
  private let report: @Sendable (String) -> Void
  private let state = Lock(State())

  init(_ path: String, report: @escaping @Sendable (String) -> Void) { (self.path, self.report) = (path, report) }

  deinit { state.withLock { $0.file.map { _ = fclose($0) } } }

  func next() throws(SensorError) -> PositionFix? {
    do { return try state.withLock { try next(&$0) } } catch let error as SensorError { throw error } catch {
      return nil
    }
  }

  private func next(_ state: inout State) throws -> PositionFix? {
    let place = SensorError.Place(file: path)
    if !state.isOpen {
      state.isOpen = true
      var status = stat()
      guard stat(path, &status) == 0 else {
        throw SensorError(.notFound, "The track cannot be opened.", at: place, errno: errno)
      }
      guard status.st_mode & S_IFMT == S_IFREG, let file = fopen(path, "re") else {
        throw SensorError(.notFound, "The track is not a file that can be read.", at: place, errno: errno)
      }
      state.file = file
    }
    guard let file = state.file else { return nil }
    // A sentence has 82 characters at most; a longer line comes in pieces, which no checksum fits.
    var buffer = [CChar](repeating: 0, count: 1024)
    // fits: 1024
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      state.lines += 1
      let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let fix = state.decoder.decode(line) else { continue }
      state.fixes += 1
      return fix
    }
    fclose(file)
    state.file = nil
    let last = state.decoder.finish()
    if state.decoder.rejected > 0 {
      report("\(path): \(state.decoder.rejected) damaged NMEA sentences were left out.")
    }
    guard last != nil || state.fixes > 0 else {
      throw SensorError(
        .malformed,
        "There is no position in the \(state.lines) lines of this file: it must hold NMEA sentences, with “$GPRMC” or “$GNRMC” among them.",
        at: place)
    }
    return last
  }
}
