// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// `phone:sensorlogger` over real sockets of the loopback.
@Suite(.serialized) struct PhoneNetworkTests {
  private func source(_ extra: [String: String] = [:]) throws -> SensorLoggerSource {
    let fixed = ["listen": "127.0.0.1", "port": "0", "token": "abcdefgh12345678"]
    return SensorLoggerSource(try PhoneOptions(fixed.merging(extra) { $1 }))
  }

  private func running(
    _ source: SensorLoggerSource, clock: any SensorClock = MonotonicClock()
  ) throws -> (RunningSource, push: String) {
    let run = RunningSource(source, clock: clock)
    #expect(waitUntil { source.addresses != nil })
    return (run, try #require(source.addresses).push)
  }

  private static func port(_ push: String) throws -> UInt16 {
    try #require(URL(string: push)?.port.flatMap(UInt16.init(exactly:)))
  }

  /// `OPENCOREMOTION_PHONE_SECONDS=600` for the ten minutes of the acceptance at the real pace, on a computer that does
  /// nothing else; the default is short, and in virtual time where delays are measured.
  private static let wanted = ProcessInfo.processInfo.environment["OPENCOREMOTION_PHONE_SECONDS"].flatMap { Int64($0) }
  private static let seconds = wanted ?? 6
  private static let isMeasuring = wanted != nil

  @Test func aPhoneAt200HertzLosesNothingAndIsAsLateAsItsBatches() async throws {
    let source = try source()
    let clock = VirtualClock()
    let (run, push) = try running(source, clock: Self.isMeasuring ? MonotonicClock() : clock)
    let settings = PushingPhone.Settings()
    let phone =
      Self.isMeasuring
      ? try PushingPhone(to: push, seconds: Self.seconds, settings)
      : try await PushingPhone(to: push, seconds: Self.seconds, settings, on: clock)
    phone.wait()
    #expect(waitUntil { run.samples.count >= 3 * phone.sent })
    run.stop()
    #expect(phone.refused.isEmpty && source.statistics.losses == nil, "\(source.statistics)")
    let (origin, period) = (phone.origin, 1_000_000_000 / settings.rate)
    for kind: SensorKinds in [.accelerometer, .gyroscope, .magnetometer] {
      let own = run.samples.filter { $0.sample.kinds == kind }
      #expect(own.count == phone.sent)
      // Every distance is the phone's, to the nanosecond.
      let distances = Set(zip(own, own.dropFirst()).map { ($1.sample.time - $0.sample.time).nanoseconds })
      #expect(distances == [period], "\(kind.names): \(distances.count) distances")
      // What comes in the first half second waits for the clock.
      let late = own.enumerated().dropFirst(Int(settings.rate)).map { number, entry in
        Double(entry.at.nanoseconds - origin - Int64(number) * period) / 1e6
      }.sorted()
      let batch = settings.batch.seconds * 1e3
      let (median, p99) = (late[late.count / 2], late[late.count * 99 / 100])
      if Self.isMeasuring { print("\(kind.names): median \(median) ms, p99 \(p99) ms, \(own.count) samples") }
      #expect(median <= batch / 2 + 5 && p99 <= batch + 20, "median \(median) ms, p99 \(p99) ms, \(own.count) samples")
    }
  }

  @Test func whatIsNoMessageIsRefusedWithASentenceAndDisturbsNobody() throws {
    let source = try source()
    let (run, push) = try running(source)
    let port = try Self.port(push)
    let phone = try PushingPhone(to: push, seconds: 4)
    let path = "/abcdefgh12345678/data"
    typealias Case = (method: String, target: String, body: String, fields: [String], status: Int, sentence: String)
    let cases: [Case] = [
      ("POST", "/hgfedcba12345678/data", "{}", [], 403, "token"),
      ("POST", "/data", "{}", [], 403, "token"),
      ("POST", path, #"{"messageId":1,"payload":[{"name":"gyro"#, [], 400, "has no end"),
      ("POST", path, "", [], 400, "is empty"),
      ("POST", path, #"{"messageId":1,"payload":[{"time":NaN}]}"#, [], 400, "number"),
      ("POST", path, String(repeating: "[", count: 100_000), [], 400, "message"),
      ("POST", path, #"{"messageId":-9223372036854775808,"sessionId":"s"}"#, [], 400, "64 bits"),
      ("POST", path, #"{"messageId":1,"sessionId":null}"#, [], 400, "no text"),
      ("POST", path, #"{"messageId":1,"payload":[]}"#, [], 400, "sessionId"),
      ("GET", path, "", [], 405, "POST"),
      ("GET", "/abcdefgh12345678/etc/passwd", "", [], 404, "no such page"),
      ("POST", path, "{}", ["Origin: http://evil.example"], 403, "evil.example"),
    ]
    for entry in cases {
      let answer = try WebClient(port: port).request(
        entry.method, entry.target, Array(entry.body.utf8), fields: entry.fields)
      #expect(answer.status == entry.status && answer.text.contains(entry.sentence), "\(entry): \(answer)")
    }
    // 8 MB are refused before they are read.
    let large = try WebClient(port: port)
    large.send(Array("POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 8000000\r\n\r\n".utf8))
    #expect(try large.answer().status == 413)
    // The app's own test message.
    let test = try WebClient(port: port).request("POST", path, Array(#"{"payload":[]}"#.utf8))
    #expect(test.status == 200)
    let page = try WebClient(port: port).request("GET", "/abcdefgh12345678/")
    #expect(page.status == 200 && page.text.contains(push))
    phone.wait()
    #expect(waitUntil { run.samples.count >= 3 * phone.sent })
    run.stop()
    #expect(phone.refused.isEmpty)
    #expect(source.statistics.malformedMessages == 7)
    #expect(source.statistics.losses?.contains("7 messages were not readable") == true)
  }

  /// A phone whose messages are refused is answered so, and what all answers say is what the run says at its end: one
  /// without counts leaves them for the next one. A recording needs no name.
  @Test func theAnswersSayWhatBecameOfEachReading() throws {
    let source = try source()
    let clock = HandClock()
    let (run, push) = try running(source, clock: clock)
    let connection = try WebClient(port: try Self.port(push))
    var sums: [String: Int] = [:]
    var phone = SensorLoggerPhone()
    phone.session = ""
    for entry in phone.pushes(PhoneStreamTests.samples(seconds: 3)) {
      let text = String(decoding: entry.body, as: UTF8.self)
      let stray = entry.number == 15 ? [text.replacing(#""sessionId":""#, with: #""sessionId":"other"#)] : []
      for body in stray + [text] {
        let answer = try connection.request("POST", "/abcdefgh12345678/data", Array(body.utf8))
        guard body == text else {
          #expect(answer.status == 499 && answer.text.contains(" readings were of another recording"))
          continue
        }
        #expect(answer.status == 200)
        for match in answer.text.matches(of: /"(\w+)":(\d+)/) { sums[String(match.1), default: 0] += Int(match.2) ?? 0 }
      }
      clock.advance(by: .milliseconds(100))
    }
    #expect(waitUntil { run.samples.count == 1800 })
    run.stop()
    let all = source.statistics
    #expect(all.taken == 1800 && all.otherSession > 50 && all.received == 1800 + all.otherSession)
    #expect(sums["received"] == all.received && sums["taken"] == 1800 && sums["otherSession"] == all.otherSession)
    #expect(
      all.losses
        == "Of \(all.received) readings in 30 messages 1800 were taken: \(all.otherSession) readings were of another recording than the present one."
    )
  }

  @Test func aSecondPhoneAndOneWithoutUsableSensorsHearWhy() throws {
    let source = try source()
    let (run, push) = try running(source)
    let port = try Self.port(push)
    let phone = try PushingPhone(to: push, seconds: 2)
    #expect(waitUntil { phone.sent > 20 })
    var other = SensorLoggerPhone()
    (other.device, other.session) = ("phone-2", "other")
    let body = other.pushes(PhoneStreamTests.samples(seconds: 1))[0].body
    let second = try WebClient(port: port).request("POST", "/abcdefgh12345678/data", body)
    #expect(second.status == 499 && second.text.contains("Another phone"))
    phone.wait()
    #expect(source.statistics.otherPhones == 1 || waitUntil { source.statistics.otherPhones == 1 })
    #expect(phone.refused.isEmpty)
    let useless = try WebClient(port: port)
    var last = WebClient.Answer()
    for number in 0..<3 {
      last = try useless.request(
        "POST", "/abcdefgh12345678/data",
        Array(
          #"{"messageId":\#(number),"sessionId":"s","deviceId":"phone-1","payload":[{"name":"location","time":1790000000000000000,"values":{}}]}"#
            .utf8))
    }
    #expect(last.status == 499 && last.text.contains("switch on Accelerometer") && last.text.contains("location"))
    run.stop()
  }

  /// Ten thousand in the long run of ``seconds``. A phone that has pushed keeps its connection; the oldest of those
  /// that have said nothing make room.
  @Test func thousandsOfConnectionsThatSayNothingDisturbNoPhone() throws {
    let source = try source()
    let (run, push) = try running(source)
    let port = try Self.port(push)
    let phone = try PushingPhone(to: push, seconds: 300)
    #expect(waitUntil { phone.sent > 0 })
    var idle: [WebClient] = []
    for number in 0..<(Self.seconds > 60 ? 10_000 : 1_000) {
      // This process may have a thousand descriptors only.
      if idle.count >= 300 { idle.removeFirst(100) }
      guard let connection = try? WebClient(port: port) else { continue }
      if number % 2 == 0 { connection.send(Array("POST /abcde".utf8)) }
      idle.append(connection)
    }
    // A second of it: the first messages wait until the stream's rate is known.
    #expect(waitUntil { phone.sent > 200 })
    phone.stop()
    #expect(waitUntil { run.samples.count >= 3 * phone.sent })
    run.stop()
    #expect(phone.refused.isEmpty && source.statistics.losses == nil, "\(phone.refused) \(source.statistics)")
  }

  @Test func aWatchOnAnOccupiedPortIsASentence() throws {
    let (first, push) = try running(try source())
    let other = RunningSource(try source(["port": String(try Self.port(push)), "device": "watch"]))
    #expect(waitUntil { other.error != nil })
    #expect((other.error as? SensorError)?.code == .busy)
    other.stop()
    first.stop()
  }

  @Test func headphonesArePartOfTheSameMessagesAndComeAndGo() throws {
    let options = try PhoneOptions(["listen": "127.0.0.1", "port": "0", "token": "abcdefgh12345678"])
    let server = SensorLoggerServer(options)
    var forHeadphones = options
    forHeadphones.device = .headphones
    let device = SensorLoggerSource(options, server: server)
    let headphones = SensorLoggerSource(forHeadphones, server: server)
    let clock = HandClock()
    let runs = (RunningSource(device, clock: clock), RunningSource(headphones, clock: clock))
    #expect(waitUntil { !runs.1.connections.isEmpty && server.addresses != nil })
    #expect(runs.1.connections.first?.isConnected == false)
    let port = try Self.port(try #require(server.addresses).push)
    let connection = try WebClient(port: port)
    let head = PhoneStreamTests.headMotion(seconds: 2)
    let pushes = SensorLoggerPhone().pushes(
      (PhoneStreamTests.samples(seconds: 2) + head).sorted { $0.time < $1.time })
    for push in pushes {
      #expect(try connection.request("POST", "/abcdefgh12345678/data", push.body).status == 200)
      clock.advance(by: .milliseconds(100))
    }
    #expect(waitUntil { runs.1.samples.count == head.count })
    #expect(runs.1.connections.contains { $0.isConnected })
    PhoneStreamTests.expectHeadMotion(runs.1.samples.map(\.sample), head)
    #expect(waitUntil { runs.0.samples.count == 1200 })
    // Silence is the end of the connection, and no failure.
    clock.advance(by: .seconds(4))
    #expect(waitUntil { runs.1.connections.last?.isConnected == false })
    runs.0.stop()
    #expect(runs.1.error == nil)
    runs.1.stop()
    #expect(server.addresses == nil)
  }

  @Test func theSourceKeepsThePromisesOfASource() async throws {
    let source = try source()
    let feeder = Feeder(source)
    let violations = await SourceConformance(source: source, span: .seconds(2)).violations()
    feeder.stop()
    #expect(violations == [], "\(violations)")
  }
}

/// A phone that pushes whenever the source listens, each time with a recording of its own.
private final class Feeder: Sendable {
  private let isStopped = Lock(false)
  private let done = DispatchSemaphore(value: 0)

  init(_ source: SensorLoggerSource) {
    Thread.detachNewThread { [isStopped, done] in
      var session = 0
      while !isStopped.withLock({ $0 }) {
        guard waitUntil({ source.addresses != nil || isStopped.withLock { $0 } }),
          let push = source.addresses?.push
        else { continue }
        session += 1
        let phone = try? PushingPhone(to: push, seconds: 30, .init(session: "session \(session)"))
        _ = waitUntil(within: 600) { source.addresses?.push != push || isStopped.withLock { $0 } }
        phone?.stop()
      }
      done.signal()
    }
  }

  func stop() {
    isStopped.withLock { $0 = true }
    done.wait()
  }
}
