// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionViewer

/// `motionctl view` as its page and a stranger see it. The page itself is tested in browsers (`Tests/Browser/view.py`).
@Suite(.timeLimit(.minutes(20))) struct ViewTests {
  /// A viewer that runs, with files in the place of the libraries.
  private final class Viewer {
    let process: MotionctlProcess
    let folder: TemporaryFolder
    let port: UInt16
    let path: String

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
      self.folder = folder
      for name in ViewAssets.libraries { try folder.write("// \(name)", to: name) }
      process = try MotionctlProcess(
        ["view", "--no-open", "--port", "0", "--folder", folder.url.path] + arguments,
        environment: ["MOTION_VIEWER": folder.url.path])
      var address = ""
      let process = process
      waitUntil {
        address =
          process.errorsSoFar.split(whereSeparator: \.isWhitespace).map(String.init)
          .first { $0.hasPrefix("http://") && $0.hasSuffix("/") } ?? ""
        return !address.isEmpty
      }
      let url = try #require(URL(string: address), "it said: \(process.errorsSoFar)")
      port = UInt16(url.port ?? 0)
      path = url.path
    }

    func connect() throws -> ViewPeer { try #require(ViewPeer(port: port)) }

    /// The status line and the body of an answer.
    func get(_ path: String, fields: [String] = [], method: String = "GET") throws -> (
      status: Int, head: String, body: [UInt8]
    ) {
      let peer = try connect()
      var lines = ["\(method) \(path) HTTP/1.1"] + fields
      if !fields.contains(where: { $0.hasPrefix("Host:") }) { lines.append("Host: 127.0.0.1:\(port)") }
      lines += ["Connection: close", "Content-Length: 0", "", ""]
      peer.send(Array(lines.joined(separator: "\r\n").utf8))
      let all = peer.receiveAnswer()
      let head = String(decoding: all.head, as: UTF8.self)
      return (Int(head.dropFirst(9).prefix(3)) ?? 0, head, all.body)
    }

    func object(_ path: String) throws -> [String: Any] {
      let body = try get(path).body
      return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }
  }

  private static let socketRequest = [
    "GET /live HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
  ].joined(separator: "\r\n")

  /// Half a minute in the layout of the PyojinKim logger: flat, turning about z at 0.5 rad/s, with a pause of a second.
  private func recording(in folder: TemporaryFolder) throws -> String {
    let times = (0..<600).filter { !(300..<320).contains($0) }.map { 1_000_000_000_000 + $0 * 50_000_000 }
    try FileManager.default.createDirectory(atPath: folder.path("walk"), withIntermediateDirectories: true)
    try folder.write(times.map { "\($0) 0.0 0.0 -9.81\n" }.joined(), to: "walk/acce.txt")
    try folder.write(times.map { "\($0) 0.0 0.0 0.5\n" }.joined(), to: "walk/gyro_uncalib.txt")
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
    let peer = try viewer.connect()
    peer.send(Array(Self.socketRequest.utf8))
    #expect(String(decoding: peer.receiveAnswer().head, as: UTF8.self).hasPrefix("HTTP/1.1 404"))
    viewer.process.send(SIGINT)
    #expect(try viewer.process.finish().code == 130)
  }

  @Test func aPageReceivesNumberedMessagesOfWholeRecordsAndTheState() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest"], in: folder)
    let peer = try viewer.connect()
    peer.send(Array(Self.socketRequest.utf8))
    var numbers: [UInt32] = []
    var motions = 0
    var state: [String: Any]?
    while motions < 150 || state == nil {
      let (opcode, payload) = try #require(peer.receiveFrame())
      if opcode == 1 {
        state = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
        continue
      }
      #expect(opcode == 2 && Array(payload.prefix(4)) == [0, 1, 0, 0])
      numbers.append(payload[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) })
      var rest = payload.dropFirst(ViewRecord.headerSize)
      while let type = rest.first {
        let size = try #require([1: 64, 2: 24, 3: 20][Int(type)])
        try #require(rest.count >= size)
        if type == 1 { motions += 1 }
        rest = rest.dropFirst(size)
      }
    }
    #expect(numbers == Array(numbers[0]..<numbers[0] + UInt32(numbers.count)))
    // Two or so samples of 100 Hz are sent together.
    #expect(numbers.count < motions + 60)
    let view = try #require((state?["views"] as? [[String: Any]])?.first)
    #expect(view["frame"] as? String == "arbitrary")
    let services = try #require(view["services"] as? [[String: Any]])
    #expect(
      services.contains {
        $0["name"] as? String == "Depth" && ($0["reason"] as? String)?.contains("pressure of water") == true
      })
  }

  @Test func aPageCanChooseTheFrameAndRecord() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:handheld"], in: folder)
    let peer = try viewer.connect()
    peer.send(Array(Self.socketRequest.utf8))
    // None of these disturbs: neither JSON, nor a command, nor a frame, nor a view of this page.
    for text in [
      "{", #"{"command":"stop"}"#, #"{"command":"frame","view":0,"frame":"up"}"#,
      #"{"command":"frame","view":9,"frame":"magnetic"}"#,
    ] {
      peer.send(text: text)
    }
    peer.send(text: #"{"command":"frame","view":0,"frame":"corrected"}"#)
    peer.send(text: #"{"command":"record"}"#)
    try peer.waitForState { ($0["views"] as? [[String: Any]])?.first?["frame"] as? String == "corrected" }
    let state = try peer.waitForState { (($0["recording"] as? [String: Any])?["samples"] as? Int ?? 0) > 50 }
    let name = try #require((state["recording"] as? [String: Any])?["name"] as? String)
    peer.send(text: #"{"command":"record"}"#)
    try peer.waitForState { ($0["recording"] as? [String: Any])?["finished"] as? [String] == [name] }
    let file = try viewer.get("/recordings/\(name)").body
    #expect(Array(file.prefix(5)) == [0x89, 0x4D, 0x43, 0x41, 0x50])
    #expect(file == [UInt8](try folder.read(name)))
    // Only what was recorded on the page, and nothing else of the folder.
    #expect(try viewer.get("/recordings/three.js").status == 404)
    #expect(try viewer.get("/recordings/..%2F\(name)").status == 404)
  }

  @Test func filesArePackedOnceAndComeWithTheirRules() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest"], in: folder)
    let plain = try viewer.get("/main.js")
    #expect(plain.status == 200 && plain.body == PackageResources.main_js)
    #expect(plain.head.contains("default-src 'self'") && plain.head.contains("X-Content-Type-Options: nosniff"))
    let packed = try viewer.get("/main.js", fields: ["Accept-Encoding: br, gzip"])
    #expect(packed.head.contains("Content-Encoding: gzip") && packed.body.count < plain.body.count / 2)
    #expect(try viewer.get("/").body == PackageResources.index_html)
    #expect(try viewer.get("/three.js").body == Array("// three.js".utf8))
    #expect(try viewer.get("/../etc/passwd").status == 404)
    #expect(try viewer.get("/session.json", method: "POST").status == 405)
    // Pages of other sites, and names that only point here.
    #expect(try viewer.get("/session.json", fields: ["Origin: https://elsewhere.example"]).status == 403)
    #expect(try viewer.get("/session.json", fields: ["Host: elsewhere.example"]).status == 421)
  }

  @Test func otherComputersNeedTheToken() throws {
    let folder = try TemporaryFolder()
    let viewer = try Viewer(["simulate:rest", "--listen", "0.0.0.0"], in: folder)
    #expect(viewer.path.count > 12, "\(viewer.path)")
    #expect(try viewer.get("/session.json").status == 403)
    #expect(try viewer.get("/wrong/session.json").status == 403)
    let token = viewer.path.split(separator: "/").joined()
    #expect(try viewer.get("/\(token)/session.json").status == 200)
    #expect(try viewer.get("/\(token)/").body == PackageResources.index_html)
  }

  /// Ours is 80 kB, the libraries 861 kB (`Scripts/viewer-assets.sh` checks them by their sums); together at most 1 MB,
  /// packed 300 kB.
  @Test func thePageStaysSmall() throws {
    let folder = try TemporaryFolder()
    for name in ViewAssets.libraries { try folder.write("x", to: name) }
    let own = try ViewAssets(environment: ["MOTION_VIEWER": folder.url.path]).files.filter { $0.key != "/" }
    #expect(own.values.reduce(0) { $0 + $1.bytes.count } < 1_000_000 - 861_209)
    #expect(own.values.reduce(0) { $0 + ($1.packed ?? $1.bytes).count } < 300_000 - 224_000)
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
    for name in ViewAssets.libraries { try folder.write("x", to: name) }
    let result = try MotionctlProcess(
      ["view", "--no-open", "--port", "0"] + arguments, environment: ["MOTION_VIEWER": folder.url.path]
    ).finish()
    #expect(result.code == code && result.errors.contains(words), "\(result.errors)")
  }

  @Test func aRecordingBesideALiveSourceIsRefused() throws {
    let folder = try TemporaryFolder()
    for name in ViewAssets.libraries { try folder.write("x", to: name) }
    let result = try MotionctlProcess(
      ["view", "--no-open", "--port", "0", try recording(in: folder), "simulate:rest"],
      environment: ["MOTION_VIEWER": folder.url.path]
    ).finish()
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
