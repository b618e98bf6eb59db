// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A source of head motion that can say what its headphones are doing.
///
/// ```swift
/// if let headphones = source as? any HeadphoneReporting { print(headphones.status.sentence) }
/// ```
public protocol HeadphoneReporting: Sendable {
  /// What is true now; may be read from any thread, also while the source runs.
  var status: HeadphoneStatus { get }
}
