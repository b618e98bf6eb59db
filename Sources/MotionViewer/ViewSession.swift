// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionNetwork
import MotionSensing
import MotionServices
package import MotionTools

/// The one or two views of a page: two sources beside each other, or one in two frames.
package final class ViewSession: Sendable {
  private enum Content: Sendable {
    case live(ViewFeed)
    case recording(ViewTracks)
  }

  private struct View: Sendable {
    var selection: SourceSelection
    var content: Content
    var frame: ReferenceFrame
    var frames: [ReferenceFrame]
  }

  private let views: [View]
  private let feeds: [ViewFeed]
  /// Where another frame is begun, which waits for the source's thread.
  private let frameQueue = DispatchQueue(label: "motion-view-frames")
  /// The frames that pages have asked for and that are not shown yet; of one view the newest counts.
  private let wanted = Lock<[Int: ReferenceFrame]>([:])
  /// Of the first live source.
  package let recorder: ViewRecorder?
  /// The JSON object of `/session.json`.
  package let description: [UInt8]

  var isLive: Bool { !feeds.isEmpty }

  /// `sources`: opened, one or two, all live or all recordings; one source has a view in each of `frames`.
  package init(
    _ sources: [SourceSelection], frames: [ReferenceFrame], location: LocationArgument?,
    folder: String, smooths: Bool = false, stream: ViewStream
  ) throws {
    let isRecording = sources.map { $0.recording != nil }
    guard Set(isRecording).count == 1 else {
      throw CommandFailure(
        "A recording and a live source have no time in common: view two recordings, or two live sources.")
    }
    if smooths, !isRecording[0] {
      throw CommandFailure("--smooth needs a recording: what comes after a live sample is not known yet.")
    }
    let shown = sources.count == 1 ? frames.map { (sources[0], $0) } : sources.map { ($0, frames[0]) }
    var views: [View] = []
    var feeds: [ViewFeed] = []
    for (number, (selection, frame)) in shown.enumerated() {
      let content: Content
      let host: MotionHost
      if isRecording[0] {
        let tracks = try ViewTracks(selection, view: number, location: location, smooths: smooths)
        (content, host) = (.recording(tracks), tracks.host)
      } else {
        // Two frames of one source share its feed.
        let feed =
          try sources.count == 1 && !feeds.isEmpty
          ? feeds[0] : ViewFeed(selection, location: location, records: stream)
        if feeds.last !== feed { feeds.append(feed) }
        feed.add(view: number, frame: frame)
        (content, host) = (.live(feed), feed.host)
      }
      let possible = ViewFrames.frames(of: selection, on: host)
      if !possible.isEmpty, !possible.contains(frame) {
        try MotionRequirements.check(frame, of: selection, at: host.location)
      }
      views.append(
        View(
          selection: selection, content: content, frame: possible.contains(frame) ? frame : possible.first ?? frame,
          frames: possible))
    }
    (self.views, self.feeds) = (views, feeds)
    recorder = feeds.first.map { ViewRecorder($0, folder: folder) }
    description = Self.description(views, isLive: !feeds.isEmpty)
  }

  package func start() {
    for feed in feeds { feed.start() }
    for view in views {
      // Computed while the browser starts.
      if case .recording(let tracks) = view.content { _ = tracks.track(view.frame) }
    }
  }

  package func stop() {
    recorder?.end()
    for feed in feeds { feed.stop() }
    for view in views { if case .recording(let tracks) = view.content { tracks.stop() } }
  }

  package func tracks(of number: Int) -> ViewTracks? {
    guard views.indices.contains(number), case .recording(let tracks) = views[number].content else { return nil }
    return tracks
  }

  /// A frame by name that a view can show.
  package func frame(_ name: String, in number: Int) -> ReferenceFrame? {
    guard views.indices.contains(number) else { return nil }
    guard !views[number].frames.isEmpty else { return views[number].frame }
    return views[number].frames.first { $0.rawValue == name }
  }

  /// Does what a page asks for, soon: it never waits.
  func perform(_ command: ViewRequest) {
    switch command {
    case .record: recorder?.toggle()
    case .frame(let frame, let number):
      guard views.indices.contains(number), case .live(let feed) = views[number].content else { return }
      guard wanted.withLock({ $0.updateValue(frame, forKey: number) }) == nil else { return }
      frameQueue.async { [wanted] in
        if let frame = wanted.withLock({ $0.removeValue(forKey: number) }) { _ = feed.show(frame, in: number) }
      }
    }
  }

  /// The state of the live sources, a JSON object.
  package var state: [UInt8] {
    var json = JSONMembers()
    json.object { json in
      json.list("views", feeds) { json, feed in feed.appendState(to: &json) }
      recorder?.appendState(to: &json)
      if let phone = feeds.lazy.compactMap({ $0.phone?.phone }).first { appendState(of: phone, to: &json) }
    }
    return json.bytes
  }

  private func appendState(of phone: PhonePageStatus, to json: inout JSONMembers) {
    json.object("phone") { json in
      json.member("address", phone.address)
      if let code = QRCode(phone.address) {
        json.member("qr", code.svgPath)
        json.member("size", code.size)
      }
      json.member("waiting", phone.waiting)
    }
  }

  /// Sentences for the end of the run.
  package var summary: [String] { feeds.flatMap { StatisticsReport.lines($0.hub.statistics) } }

  private static func description(_ views: [View], isLive: Bool) -> [UInt8] {
    var json = JSONMembers()
    json.object { json in
      json.member("version", "motionctl \(Tool.version)")
      json.member("mode", isLive ? "live" : "recording")
      json.list("views", views.enumerated()) { json, item in
        let (number, view) = item
        let info = view.selection.info
        json.object { json in
          json.member("number", number)
          json.member("name", info.name)
          json.member("origin", info.origin.rawValue)
          json.member("body", body(of: info))
          json.member("frame", view.frame.rawValue)
          json.list("frames", view.frames) { $0.string($1.rawValue) }
          json.member("absence", ViewFrames.absence(view.selection))
        }
      }
    }
    return json.bytes
  }

  /// What the device looks like on the page; a box where the source does not say.
  private static func body(of info: SensorInfo) -> String {
    info.deviceClass == .unknown ? "box" : info.deviceClass.rawValue
  }
}
