// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The part of a file that a request asks for, so that a download that broke off goes on where it ended. Source: RFC
/// 9110, 13.1.5 and 14.
///
/// A field that is not understood, asks for several parts or belongs to another state of the file (`If-Range`) is
/// passed over: the whole file is always a right answer.
enum RequestedRange: Equatable {
  case whole
  case part(Range<Int>)
  /// The part begins behind the end.
  case unsatisfiable

  /// - Parameters:
  ///   - size: bytes of the file.
  ///   - tag: its `ETag`.
  init(_ head: HTTPRequestHead, size: Int, tag: String) {
    self = .whole
    guard head.method == "GET", let field = head.value("range"), field.lowercased().hasPrefix("bytes="),
      head.values("if-range").allSatisfy({ $0 == tag })
    else { return }
    let bounds = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (HTTPRequestHead.number(bounds[0]), HTTPRequestHead.number(bounds[1])) {
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty: self = first < size ? .part(first..<size) : .unsatisfiable
    case (nil, let count?) where bounds[0].isEmpty:
      self = count > 0 && size > 0 ? .part((size - min(count, size))..<size) : .unsatisfiable
    default: return
    }
  }
}
