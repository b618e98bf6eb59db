// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

/// Why a stream has ended, or what it notices on the way: a code of Core Motion and a sentence for a person.
///
/// ```swift
/// do {
///   for try await motion in MotionUpdates.device() { turn(motion.attitude) }
/// } catch {
///   show(error.sentence)   // the loop throws no other type
/// }
/// ```
///
/// It is an `NSError` of `CMErrorDomain` where Objective-C or older code looks at it.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct MotionError: Error, Hashable, Sendable {
  /// `CMErrorNotAvailable` and the like.
  public var code: CMError
  /// What is wrong, in one sentence.
  public var sentence: String

  /// An error from its values, for tests and previews.
  public init(_ code: CMError, _ sentence: String) { (self.code, self.sentence) = (code, sentence) }

  /// What a handler of Core Motion gets. An error of another domain keeps its sentence.
  init(_ error: any Error) {
    let error = error as NSError
    let isOurs = error.domain == CMErrorDomain
    code = isOurs ? UInt32(exactly: error.code).map { CMError(rawValue: $0) } ?? CMErrorUnknown : CMErrorUnknown
    sentence = error.localizedDescription
  }

  /// True for what Core Motion tells while a service goes on: move the device to calibrate the magnetometer (101), true
  /// north is not known yet (102), this sample has no data (112). A stream does not end with them.
  public var isNotice: Bool {
    code == CMErrorDeviceRequiresMovement || code == CMErrorTrueNorthNotAvailable || code == CMErrorNilData
  }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionError: LocalizedError, CustomNSError {
  /// The sentence.
  public var errorDescription: String? { sentence }
  /// `CMErrorDomain`.
  public static var errorDomain: String { CMErrorDomain }
  /// The code as a number.
  public var errorCode: Int { Int(code.rawValue) }
  /// The sentence as the description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: sentence] }
}

@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
extension MotionError {
  /// The error of a service that this device does not have, if `isAvailable` says so. Apple's framework starts such a
  /// service in silence. OpenCoreMotion answers every start by itself, and its sentence says what is missing.
  static func check(_ isAvailable: @autoclosure () -> Bool, _ service: String) throws(MotionError) {
    #if canImport(Darwin)
    if !isAvailable() { throw MotionError(CMErrorNotAvailable, "This device does not offer \(service).") }
    #endif
  }

  /// What a notice does where nobody listens to it: a line in the log.
  static func log(_ notice: MotionError) { NSLog("%@", NSString(string: "Core Motion: \(notice.sentence)")) }
}
