// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
package import MotionSensing

extension SensorError.Code {
  /// The disk is full.
  package static let diskFull = SensorError.Code(rawValue: "disk-full")
}

extension MotionStore {
  /// Runs work on the database, its errors as sentences.
  static func reporting<Result>(_ path: String?, _ body: () throws -> Result) throws(SensorError) -> Result {
    do {
      return try body()
    } catch let error as SensorError {
      throw error
    } catch let error as DatabaseError {
      throw SensorError(error, path: path)
    } catch {
      throw SensorError(.system, "The history could not be used: \(error)", at: path.map { .init(file: $0) })
    }
  }
}

extension SensorError {
  fileprivate init(_ error: DatabaseError, path: String?) {
    let place = path.map { SensorError.Place(file: $0) }
    let detail = error.message ?? "no details"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(.malformed, "The file of the history is damaged (\(detail)).", at: place)
    case .SQLITE_FULL:
      self.init(.diskFull, "The disk is full: the history cannot be written.", at: place)
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.busy, "The history is in use by another program (\(detail)); try again.", at: place)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.notPermitted, "The file of the history cannot be opened (\(detail)).", at: place)
    default:
      self.init(
        .system, "The history could not be used (SQLite \(error.extendedResultCode.rawValue): \(detail)).", at: place)
    }
  }
}

extension Date {
  /// Microseconds from 1970; dates beyond 10 000 years are as far away as that.
  func microseconds() throws(SensorError) -> Int64 {
    let seconds = timeIntervalSince1970
    guard !seconds.isNaN else { throw SensorError(.invalidRequest, "A date of the range is not a number.") }
    return Int64((min(max(seconds, -3e11), 3e11) * 1e6).rounded())
  }

  init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1e6) }
}

/// A row of the table of time lines.
struct Boot {
  let id: Int64
  /// Microseconds from 1970.
  let origin: Int64

  static func all(_ database: Database) throws -> [Boot] {
    try Row.fetchAll(database.cachedStatement(sql: "SELECT id, wall_at_boot FROM boot ORDER BY id")).map {
      Boot(id: $0["id"], origin: $0["wall_at_boot"])
    }
  }
}
