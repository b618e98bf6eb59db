// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionViewer

/// `motionctl view` as its page and a stranger see it. The page itself is tested in browsers (`Tests/Browser/view.py`).
@Suite struct ViewTests {
  /// A viewer that runs, with files in the place of the libraries.
  private final class Viewer {
    let process: MotionctlProcess
    let folder: TemporaryFolder
    let host: String
    let port: UInt16
    let token: String

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
      self.folder = folder
      try ViewTests.prepare(folder)
      process = try MotionctlProcess(
        ["view", "--no-open", "--folder", folder.url.path] + arguments,
        environment: ["MOTION_VIEWER": folder.url.path])
      var address = ""
      let process = process
      waitUntil {
        address =
          process.errorsSoFar.split(whereSeparator: \.isWhitespace).map(String.init)
          .first { $0.hasPrefix("http://") } ?? ""
        return !address.isEmpty
      }
      let url = try #require(URL(string: address), "it said: \(process.errorsSoFar)")
      host = try #require(url.host)
      port = UInt16(url.port ?? 0)
      token = try #require(url.fragment.flatMap { $0.hasPrefix("token=") ? String($0.dropFirst(6)) : nil })
    }

    /// A page that joins.
    func join(status: Int = 101) throws -> WebClient {
      let page = try WebClient(host: host, port: port)
      let request = WebClient.handshake(
        "/live", subprotocol: "motion-view, \(token)", origin: "http://\(host):\(port)", host: "\(host):\(port)")
      page.send(request)
      let answer = try page.answer(hasBody: status != 101)
      #expect(answer.status == status && !answer.head.contains(token))
      #expect(status != 101 || answer.fields["Sec-WebSocket-Protocol"] == "motion-view")
      return page
    }

    /// The answer to a request; `isKnown`: with the token.
    func get(
      _ path: String, fields: [String] = [], method: String = "GET", isKnown: Bool = true
    ) throws -> WebClient.Answer {
      let known = isKnown ? ["Authorization: Bearer \(token)"] : []
      let client = try WebClient(host: host, port: port)
      let answer = try client.request(method, path, fields: fields + known + ["Connection: close"])
      #expect(!answer.head.contains("Set-Cookie"))
      return answer
    }

    func object(_ path: String) throws -> [String: Any] {
      let body = try get(path).body
      return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }
  }

  /// Files in the place of the libraries.
  private static func prepare(_ folder: TemporaryFolder) throws {
    for name in ViewAssets.libraries { try folder.write("// \(name)", to: name) }
  }

  /// The first state that the program sends for which `condition` holds.
  @discardableResult private static func waitForState(
    of page: WebClient, _ condition: ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    for _ in 0..<5000 {
      let (opcode, payload) = try page.readFrame()
      guard opcode == 1, let state = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] else {
        continue
      }
      if condition(state) { return state }
    }
    throw WebClient.Silence()
  }

  /// Half a minute: flat, turning about z at 0.5 rad/s, with a pause of a second.
  private func recording(in folder: TemporaryFolder) throws -> String {
    let times = (0..<600).filter { !(300..<320).contains($0) }.map { 1_000_000_000_000 + $0 * 50_000_000 }
    try FileManager.default.createDirectory(atPath: folder.path("walk"), withIntermediateDirectories: true)
    try folder.writeRecording(
      accelerometer: times.map { "\($0),0.0,0.0,9.80665\n" }.joined(),
      gyroscope: times.map { "\($0),0.0,0.0,0.5\n" }.joined(), to: "walk")
    return folder.path("walk")
  }

  @Test(arguments: [[], ["--smooth"]])
  func aRecordingIsServedAsItsSummaryAndItsRecords(options: [String]) throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer([try recording(in: folder)] + options, in: folder)
    let session = try viewer.object("/session.json")
    #expect(session["mode"] as? String == "recording")
    let view = try #require((session["views"] as? [[String: Any]])?.first)
    #expect(view["frames"] as? [String] == ["arbitrary"] && view["origin"] as? String == "recording")
    var track: [String: Any] = [:]
    try waitUntil {
      track = try viewer.object("/track/0?frame=arbitrary")
      return track["reading"] == nil
    }
    #expect(track["rows"] as? Int == 580 && track["step"] as? Int == 1)
    // One a second.
    #expect(try 27...30 ~= #require(track["biases"] as? [[Double]]).count)
    let gaps = try #require(track["gaps"] as? [[Double]])
    #expect(gaps.count == 1 && abs(gaps[0][0] - 14.95) < 1e-9 && abs(gaps[0][1] - 16) < 1e-9)
    let records = try viewer.get("/records/0?frame=arbitrary").body
    #expect(records.count == 580 * ViewRecord.motionSize)
    #expect(try viewer.get("/track/0?frame=magnetic").status == 404)
    #expect(try viewer.get("/records/7?frame=arbitrary").status == 404)
    // A recording is not recorded again.
    _ = try viewer.join(status: 404)
    viewer.process.send(SIGINT)
    #expect(try viewer.process.finish().code == 130)
  }

  @Test func aRecordingWithoutMotionShowsItsSamples() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<500).map { "\(Double($0) / 100),0,0.6,-0.8\n" }.joined()
    let path = try folder.write("wrist.csv", "t,ax,ay,az\n" + rows)
    let viewer = try Viewer([path, "--map", "t=t[s] ax=ax[g] ay=ay az=az", "--sign", "apple"], in: folder)
    let view = try #require((try viewer.object("/session.json")["views"] as? [[String: Any]])?.first)
    #expect((view["absence"] as? String)?.contains("has only accelerometer") == true)
    #expect((view["frames"] as? [String])?.isEmpty == true)
    var track: [String: Any] = [:]
    try waitUntil {
      track = try viewer.object("/track/0?frame=arbitrary")
      return track["reading"] == nil
    }
    #expect(track["rows"] as? Int == 500 && track["step"] as? Int == 1)
    #expect(try viewer.get("/records/0?frame=arbitrary").body.count == 500 * 24)
  }

  /// North is the frame where all that is shown has a magnetometer, and nothing was chosen.
  @Test(arguments: [
    (["simulate:rest"], "magnetic"), (["simulate:rest?magnetometer=no"], "arbitrary"),
    (["simulate:rest", "simulate:rest?magnetometer=no"], "arbitrary"), (["simulate:headphones"], "arbitrary"),
    (["simulate:rest", "--frame", "corrected"], "corrected"),
  ])
  func theFrameIsNorthWhereThereIsAMagnetometer(arguments: [String], frame: String) throws {
    let folder = try TemporaryFolder()
    let views = try Viewer(arguments, in: folder).object("/session.json")["views"] as? [[String: Any]]
    #expect(views?.isEmpty == false && views?.allSatisfy { $0["frame"] as? String == frame } == true)
  }

  @Test func aPageReceivesNumberedMessagesOfWholeRecordsAndTheState() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest", "--frame", "arbitrary"], in: folder)
    // A page that joins later begins with the records of before.
    let early = try viewer.join()
    for _ in 0..<120 { while try early.readFrame().opcode != 2 {} }
    let peer = try viewer.join()
    #expect(try peer.readFrame() == (1, Array(#"{"history":true}"#.utf8)))
    var numbers: [UInt32] = []
    var (motions, past) = (0, 0)
    var times: [Double] = []
    var state: [String: Any]?
    while motions < past + 150 || past == 0 || state == nil {
      let (opcode, payload) = try peer.readFrame()
      if opcode == 1 {
        let object = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        if object?["views"] != nil { state = object }
        if object?["history"] as? Bool == false { past = motions }
        continue
      }
      #expect(opcode == 2 && Array(payload.prefix(4)) == [0, 1, 0, 0])
      numbers.append(payload[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) })
      var rest = payload.dropFirst(ViewRecord.headerSize)
      while let type = rest.first {
        let size = try #require([1: 64, 2: 24][Int(type)])
        try #require(rest.count >= size)
        if type == 1 {
          motions += 1
          times.append(Double(bitPattern: rest.dropFirst(8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }))
        }
        rest = rest.dropFirst(size)
      }
    }
    // One sequence from the first sample on, without a gap where the past ends.
    #expect(past > 100 && times[0] == 0)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.01) < 1e-6 })
    #expect(numbers == Array(numbers[0]..<numbers[0] + UInt32(numbers.count)))
    // Two or so samples of 100 Hz are sent together.
    #expect(numbers.count < motions + 60)
    let view = try #require((state?["views"] as? [[String: Any]])?.first)
    #expect(view["frame"] as? String == "arbitrary")
  }

  @Test func aPageCanChooseTheFrameAndRecord() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:handheld"], in: folder)
    let peer = try viewer.join()
    // None of these disturbs: neither JSON, nor a command, nor a frame, nor a view of this page.
    for text in [
      "{", #"{"command":"stop"}"#, #"{"command":"frame"}"#, #"{"command":"frame","view":0,"frame":"up"}"#,
      #"{"command":"frame","view":9,"frame":"magnetic"}"#,
    ] {
      peer.say(text)
    }
    peer.say(#"{"command":"frame","view":0,"frame":"corrected"}"#)
    // Of a key that is held down one press counts in a second, which has fewer than 600 samples; the others are
    // counted.
    for _ in 0..<20 { peer.say(#"{"command":"record"}"#) }
    try Self.waitForState(of: peer) { ($0["views"] as? [[String: Any]])?.first?["frame"] as? String == "corrected" }
    let state = try Self.waitForState(of: peer) { (($0["recording"] as? [String: Any])?["samples"] as? Int ?? 0) > 600 }
    let name = try #require((state["recording"] as? [String: Any])?["name"] as? String)
    #expect((state["recording"] as? [String: Any])?["ignored"] as? Int == 19)
    peer.say(#"{"command":"record"}"#)
    try Self.waitForState(of: peer) { ($0["recording"] as? [String: Any])?["finished"] as? String == folder.path(name) }
    #expect(Array(try folder.read(name).prefix(5)) == [0x89, 0x4D, 0x43, 0x41, 0x50])
    // Who joins after the frame was changed sees nothing of the former one.
    let late = try viewer.join()
    while case let (opcode, payload) = try late.readFrame(), payload != Array(#"{"history":false}"#.utf8) {
      guard opcode == 2 else { continue }
      // Frame 1 in bits 4 and 5 of the flags: corrected.
      var rest = payload.dropFirst(ViewRecord.headerSize)
      while let type = rest.first {
        if type == 1 { #expect(rest[rest.startIndex + 2] >> 4 & 3 == 1) }
        rest = rest.dropFirst(try #require([1: 64, 2: 24, 3: 20][Int(type)]))
      }
    }
  }

  @Test func filesComeWithTheirRules() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest"], in: folder)
    let plain = try viewer.get("/main.js")
    #expect(plain.status == 200 && plain.body == PackageResources.main_js)
    #expect(plain.head.contains("default-src 'self'") && plain.head.contains("X-Content-Type-Options: nosniff"))
    #expect(try viewer.get("/").body == PackageResources.index_html)
    #expect(try viewer.get("/three.js").body == Array("// three.js".utf8))
    #expect(try viewer.get("/../etc/passwd").status == 404)
    #expect(try viewer.get("/session.json", method: "POST").status == 405)
    // Pages of other sites and of other ports, and names that only point here.
    #expect(try viewer.get("/session.json", fields: ["Origin: http://\(viewer.host):\(viewer.port)"]).status == 200)
    let foreign = try viewer.get("/session.json", fields: ["Origin: http://localhost:3000"])
    #expect(foreign.status == 403 && !foreign.text.contains("--"))
    #expect(try viewer.get("/session.json", fields: ["Origin: https://elsewhere.example"]).status == 403)
    #expect(try viewer.get("/session.json", fields: ["Host: elsewhere.example"]).status == 421)
  }

  /// Other users of this computer reach the port too, as do pages of other programs in the same browser.
  @Test(arguments: [[], ["--listen", "0.0.0.0"]])
  func nobodyIsServedWithoutTheToken(options: [String]) throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest"] + options, in: folder)
    #expect(viewer.token.count == 26)
    // Nor with the token where it does not belong: in the address, or in a cookie, as other ports may have one.
    let cookies = ["Cookie: motion-view-\(viewer.port)=\(viewer.token); token=\(viewer.token)"]
    for path in ["/session.json", "/track/0", "/session.json?token=\(viewer.token)"] {
      let answer = try viewer.get(path, fields: cookies, isKnown: false)
      #expect(answer.status == 403, "\(path)")
      #expect(answer.text.contains("Open the address that motionctl printed"))
    }
    let socket = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    #expect(try viewer.get("/live", fields: socket + cookies, isKnown: false).status == 403)
    #expect(try viewer.get("/token", method: "POST", isKnown: false).status == 403)
    // The files of the page hold nothing, and are the same for all.
    #expect(try viewer.get("/", isKnown: false).body == PackageResources.index_html)
    #expect(!String(decoding: try viewer.get("/").body, as: UTF8.self).contains(viewer.token))
  }

  /// What a browser has kept of a host and a port belongs to another program than the one that is there now.
  @Test func noTwoRunsShareAnAddress() throws {
    let folder = try TemporaryFolder()
    let first = try Viewer(["simulate:rest"], in: folder)
    let second = try Viewer(["simulate:rest", "--port", "\(first.port)"], in: folder)
    #expect(second.port == first.port && second.host != first.host && first.port != 8760)
    for viewer in [first, second] {
      #expect(viewer.host.hasPrefix("127.") && viewer.host != "127.0.0.1")
      #expect(try viewer.get("/session.json").status == 200)
    }
  }

  /// Ours is 80 kB, the libraries 861 kB (`Scripts/viewer-assets.sh` checks them by their sums); together at most 1 MB.
  @Test func thePageStaysSmall() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let own = try ViewAssets(environment: ["MOTION_VIEWER": folder.url.path]).files.filter { $0.key != "/" }
    #expect(own.values.reduce(0) { $0 + $1.bytes.count } < 1_000_000 - 861_209)
  }

  @Test(arguments: [
    (["simulate:rest", "simulate:spin", "simulate:walk"], 64, "one source, or two"),
    (
      ["simulate:rest", "--frame", "magnetic", "--frame", "true", "--frame", "arbitrary"], 64, "--frame once, or twice"
    ),
    (
      ["simulate:rest", "simulate:spin", "--frame", "magnetic", "--frame", "arbitrary"], 64, "two frames of one source"
    ),
    (["simulate:rest", "--frame", "true"], 1, "MOTION_LOCATION"),
    (["nothing.csv"], 1, "nothing.csv"),
  ])
  func whatMakesNoSenseIsRefusedWithASentence(arguments: [String], code: Int32, words: String) throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let result = try MotionctlProcess(
      ["view", "--no-open"] + arguments, environment: ["MOTION_VIEWER": folder.url.path]
    ).finish()
    #expect(result.code == code && result.errors.contains(words), "\(result.errors)")
  }

  @Test func aRecordingBesideALiveSourceIsRefused() throws {
    let folder = try TemporaryFolder()
    try Self.prepare(folder)
    let arguments = ["view", "--no-open", try recording(in: folder), "simulate:rest"]
    let result = try MotionctlProcess(arguments, environment: ["MOTION_VIEWER": folder.url.path]).finish()
    #expect(result.code == 1 && result.errors.contains("no time in common"))
  }

  @Test func withoutTheLibrariesItSaysHowToGetThem() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "view", "simulate:rest", "--no-open",
      environment: [
        "MOTION_VIEWER": folder.url.path, "HOME": folder.url.path, "XDG_DATA_HOME": "",
        "XDG_DATA_DIRS": folder.url.path,
      ])
    // Where the package is installed beside the program they are found all the same.
    #expect(result.code == 1 && result.errors.contains("Scripts/viewer-assets.sh"), "\(result.errors)")
  }
}
