// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The answer to a request. The server adds its length, and fields that keep a browser from guessing, framing and
/// caching.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]
  /// Beside those that the server adds; one of the same name wins.
  package var fields: [(name: String, value: String)]
  /// Nothing comes after it on this connection.
  package var closes = false

  package init(
    status: Int = 200, contentType: String, body: [UInt8], fields: [(name: String, value: String)] = []
  ) {
    (self.status, self.contentType, self.body, self.fields) = (status, contentType, body, fields)
  }

  /// A sentence for the person who looks.
  package static func text(_ status: Int, _ sentence: String) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8))
  }

  package static func json(_ body: [UInt8], status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", body: body)
  }

  /// An answer after which the connection ends: what came may not have been a request at all.
  static func refusal(_ status: Int, _ sentence: String, fields: [(name: String, value: String)] = []) -> HTTPResponse {
    var response = text(status, sentence)
    response.fields = fields
    response.closes = true
    return response
  }

  /// For a server without pages.
  package static let webSocketsOnly = refusal(
    426, "This is a WebSocket server: connect with ws:// instead of http://.",
    fields: [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")])
  static let notARequest = refusal(400, "This is not an HTTP/1.1 request.")

  /// The lines before the body.
  func encodedHead() -> [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(Self.titles[status] ?? "Status")"]
    var all: [(name: String, value: String)] = [
      ("Content-Type", contentType), ("Content-Length", String(body.count)),
      ("X-Content-Type-Options", "nosniff"),
      ("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'"), ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-store"),
    ]
    all.removeAll { standard in fields.contains { $0.name.lowercased() == standard.name.lowercased() } }
    for field in all + fields { lines.append("\(field.name): \(field.value)") }
    if closes { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Source: RFC 9110, 15.
  private static let titles = [
    200: "OK", 204: "No Content", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 409: "Conflict", 410: "Gone", 411: "Length Required", 413: "Content Too Large",
    421: "Misdirected Request", 426: "Upgrade Required",
    431: "Request Header Fields Too Large", 499: "Refused", 500: "Internal Server Error", 503: "Service Unavailable",
  ]
}
