// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client's request, as far as it is understood. Foundation's decoder refuses objects nested more than 512 deep, and a text has
/// been capped before it comes here.
struct FoxgloveRequest {
  struct Wish: Decodable, Equatable {
    let id: UInt32
    let channel: UInt32

    private enum CodingKeys: String, CodingKey {
      case id
      case channel = "channelId"
    }
  }

  enum Operation: Equatable {
    case subscribe([Wish])
    case unsubscribe([UInt32])
    case other(String)
  }

  let operation: Operation

  /// Nil when the text is no request of the protocol.
  init?(_ text: String) {
    struct Form: Decodable {
      let op: String
      let subscriptions: [Wish]?
      let subscriptionIds: [UInt32]?
    }
    guard let form = try? JSONDecoder().decode(Form.self, from: Data(text.utf8)) else { return nil }
    switch (form.op, form.subscriptions, form.subscriptionIds) {
    case ("subscribe", let wishes?, _): operation = .subscribe(wishes)
    case ("unsubscribe", _, let ids?): operation = .unsubscribe(ids)
    case ("subscribe", _, _), ("unsubscribe", _, _): return nil
    default: operation = .other(form.op)
    }
  }
}
