// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionNetwork
import MotionSensing
import MotionTools

/// What the page asks for: its files, the description of the session, tracks of recordings, and the live samples over a
/// WebSocket at `/live`.
///
/// | path | answer |
/// |---|---|
/// | `/session.json` | the views: names, bodies, frames |
/// | `/track/N?frame=NAME` | the summary of a recording's track, or `{"reading":0.4}` until it has been computed |
/// | `/records/N?frame=NAME` | its records (``ViewRecord``); 409 until they have been computed |
/// | `/live` | a WebSocket (``ViewStream``); takes `{"command":"record"}` and `{"command":"frame","view":N,"frame":NAME}` |
extension ViewSession: WebHandler {
  package func respond(to request: HTTPRequest) -> HTTPResponse {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .text(405, "The viewer answers GET only.")
    }
    if let file = assets.files[request.path] {
      return HTTPResponse(contentType: file.contentType, body: file.bytes)
    }
    let parts = request.path.split(separator: "/").map(String.init)
    switch (parts.first, parts.count) {
    case ("session.json", 1): return .json(description)
    case ("track", 2), ("records", 2):
      return track(parts[1], request.query["frame"] ?? "", asRecords: parts[0] == "records")
    default: return .text(404, "There is no such page.")
    }
  }

  private func track(_ number: String, _ frame: String, asRecords: Bool) -> HTTPResponse {
    guard let index = Int(number), let tracks = tracks(of: index), let frame = self.frame(frame, in: index)
    else { return .text(404, "There is no such track.") }
    switch tracks.track(frame) {
    case .failed(let sentence): return .text(500, sentence)
    case .reading where asRecords: return .text(409, "The track has not been computed yet: ask for its summary first.")
    case .reading(let share):
      return .json(Array("{\"reading\":\(share)}".utf8))
    case .ready(_, let records) where asRecords:
      return HTTPResponse(contentType: "application/octet-stream", body: records)
    case .ready(let summary, _): return .json(summary)
    }
  }

  package func accepts(_ request: HTTPRequest) -> Bool { request.path == "/live" && isLive }

  package func opened(_ client: Int, _ request: HTTPRequest) { stream.add(client) }

  package func received(_ event: WebSocketEvent, from client: Int) {
    guard case .text(let text) = event else { return }
    if let request = try? JSONDecoder().decode(ViewRequest.self, from: Data(text.utf8)) { perform(request) }
  }

  package func closed(_ client: Int) { stream.remove(client) }
}

/// What a page may ask of the program; anything else is not answered.
struct ViewRequest: Decodable {
  enum Command: String, Decodable { case record, frame }

  var command: Command
  /// Which view is to show which frame.
  var view: Int?
  var frame: ReferenceFrame?
}
