// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

// What ocm.h declares. Scripts/build-wheel.sh compiles it as Embedded Swift.

@c(ocm_version)
public func version() -> Int32 { OCM_VERSION_MAJOR << 16 + OCM_VERSION_MINOR }

@c(ocm_message)
public func message(_ error: Int32) -> Borrowed<CChar> {
  let text: StaticString =
    switch Failure(rawValue: error) {
    case .none: error == 0 ? "No error." : "An unknown error: the library is newer than the header."
    case .null: "A pointer that is needed is null."
    case .size: "The size of a structure or a count of rows is impossible: was it set?"
    case .parameter: "A parameter is outside its range."
    case .memory: "There is no memory for a filter."
    case .time: "A time is not later than the one before: sort the rows by time."
    case .gyroscope: "A reading of the gyroscope is not finite or above 1000 rad/s."
    case .accelerometer: "A reading of the accelerometer is not finite or above 10000 m/s²."
    case .magnetometer: "A reading of the magnetometer is not finite or above 1 tesla."
    case .finished: "The rows are over: make another one for other rows."
    case .pressure: "A pressure is not finite."
    case .newer: "A field is set that this library does not have: it is older than the header."
    case .learned: "The learned numbers cannot be those of a sensor, or there are none before the first attitude."
    }
  return text.characters
}

/// The errors of ocm.h.
enum Failure: Int32, Error {
  case null = 1, size, parameter, memory, time, gyroscope, accelerometer, magnetometer, learned, finished, pressure,
    newer
}

/// The code of what `body` throws, or 0.
func code(_ body: () throws(Failure) -> Void) -> Int32 {
  do throws(Failure) {
    try body()
    return 0
  } catch {
    return error.rawValue
  }
}

@c(ocm_parameters_init)
public func initialize(_ parameters: Lent<ocm_parameters>?, _ size: Int32) -> Int32 {
  code { () throws(Failure) in
    guard let parameters else { throw .null }
    try ocm_parameters.standard.write(to: parameters, size)
  }
}

@c(ocm_create)
public func create(
  _ parameters: Borrowed<ocm_parameters>?, _ learned: Borrowed<ocm_learned>?, _ filter: Lent<OpaquePointer?>?
) -> Int32 {
  make(filter) { () throws(Failure) in try FilterStream(parameters.value() ?? .standard, learned.value()) }
}

@c(ocm_destroy)
public func destroy(_ filter: OpaquePointer?) { deallocate(filter, FilterStream.self) }

func stream(_ filter: OpaquePointer?) throws(Failure) -> Lent<FilterStream> { try value(filter, FilterStream.self) }

@c(ocm_reset)
public func reset(_ filter: OpaquePointer?) -> Int32 {
  code { () throws(Failure) in try stream(filter).pointee.reset() }
}

@c(ocm_update)
public func update(
  _ filter: OpaquePointer?, _ count: Int64, _ input: Borrowed<ocm_input>?, _ output: Borrowed<ocm_output>?
) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let input else { throw .null }
    try stream.pointee.update(rows(count), RowReader(input.pointee), output?.pointee ?? ocm_output())
  }
}

/// How many rows the client says that there are.
func rows(_ count: Int64) throws(Failure) -> Int {
  guard count >= 0, let count = Int(exactly: count) else { throw .size }
  return count
}

@c(ocm_smooth)
public func smooth(
  _ filter: OpaquePointer?, _ count: Int64, _ input: Borrowed<ocm_input>?, _ output: Borrowed<ocm_output>?
) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let input, let output else { throw .null }
    try stream.pointee.smooth(rows(count), RowReader(input.pointee), output.pointee)
  }
}

@c(ocm_error_row)
public func errorRow(_ filter: OpaquePointer?) -> Int64 { (try? stream(filter).pointee.errorRow) ?? -1 }

@c(ocm_state)
public func state(_ filter: OpaquePointer?, _ output: Borrowed<ocm_output>?) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(filter)
    guard let output else { throw .null }
    stream.pointee.write(0, output.pointee)
  }
}

@c(ocm_get_counts)
public func getCounts(_ filter: OpaquePointer?, _ counts: Lent<ocm_counts>?) -> Int32 {
  code { () throws(Failure) in try stream(filter).pointee.counts.write(to: counts) }
}

@c(ocm_get_learned)
public func getLearned(_ filter: OpaquePointer?, _ learned: Lent<ocm_learned>?) -> Int32 {
  code { () throws(Failure) in try stream(filter).pointee.learned().write(to: learned) }
}

@c(ocm_copy)
public func copy(_ filter: OpaquePointer?, _ copy: Lent<OpaquePointer?>?) -> Int32 {
  make(copy) { () throws(Failure) in try stream(filter).pointee }
}
