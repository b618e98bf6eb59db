// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionNetwork
import MotionSensing
package import MotionServices
package import MotionTools
import NetworkSources

/// The one or two views of a page: two sources beside each other, or one in two frames.
package final class ViewSession: Sendable {
  private struct View: Sendable {
    let selection: SourceSelection
    /// Of a live source; of a recording its tracks.
    let feed: ViewFeed?
    let tracks: ViewTracks?
    let frame: ReferenceFrame
    let frames: [ReferenceFrame]
  }

  let assets: ViewAssets
  let stream: ViewStream
  private let views: [View]
  private let feeds: [ViewFeed]
  /// Where another frame is begun, which waits for the source's thread.
  private let frameQueue = DispatchQueue(label: "motion-view-frames")
  /// The frames that pages have asked for and that are not shown yet; of one view the newest counts.
  private let wanted = Lock<[Int: ReferenceFrame]>([:])
  /// Of the first live source.
  let recorder: ViewRecorder?
  /// The JSON object of `/session.json`.
  let description: [UInt8]

  var isLive: Bool { !feeds.isEmpty }

  /// `sources`: opened, one or two, all live or all recordings; one source has a view in each of `frames`, by default in
  /// that of north where all have a magnetometer.
  package init(
    _ sources: [SourceSelection], frames: [ReferenceFrame], location: LocationArgument?, folder: String, smooths: Bool,
    assets: ViewAssets, stream: ViewStream
  ) throws {
    (self.assets, self.stream) = (assets, stream)
    let isRecording = sources.map { $0.recording != nil }
    guard Set(isRecording).count == 1 else {
      throw CommandFailure(
        "A recording and a live source have no time in common: view two recordings, or two live sources.")
    }
    if smooths, !isRecording[0] {
      throw CommandFailure("--smooth needs a recording: what comes after a live sample is not known yet.")
    }
    let hasNorth = sources.allSatisfy { $0.info.kinds.contains(.magnetometer) }
    let frames = frames.isEmpty ? [hasNorth ? .magnetic : .arbitrary] : frames
    let shown = sources.count == 1 ? frames.map { (sources[0], $0) } : sources.map { ($0, frames[0]) }
    var views: [View] = []
    var feeds: [ViewFeed] = []
    for (number, (selection, frame)) in shown.enumerated() {
      var (feed, tracks): (ViewFeed?, ViewTracks?)
      if isRecording[0] {
        tracks = try ViewTracks(selection, view: number, location: location, smooths: smooths)
      } else {
        // Two frames of one source share its feed.
        let known = sources.count == 1 ? feeds.first : nil
        let own = try known ?? ViewFeed(selection, location: location, records: stream)
        if feeds.last !== own { feeds.append(own) }
        own.add(view: number, frame: frame)
        feed = own
      }
      guard let host = feed?.host ?? tracks?.host else { continue }
      let possible = Self.frames(of: selection, on: host)
      if !possible.isEmpty, !possible.contains(frame) {
        try MotionRequirements.check(frame, of: selection, at: host.location)
      }
      views.append(
        View(
          selection: selection, feed: feed, tracks: tracks,
          frame: possible.contains(frame) ? frame : possible.first ?? frame, frames: possible))
    }
    (self.views, self.feeds) = (views, feeds)
    recorder = feeds.first.map { ViewRecorder($0, folder: folder) }
    description = try Self.description(views, isLive: !feeds.isEmpty)
  }

  package func start() {
    for feed in feeds { feed.start() }
    // Computed while the browser starts.
    for view in views { _ = view.tracks?.track(view.frame) }
  }

  package func stop() {
    recorder?.end()
    for feed in feeds { feed.stop() }
    for view in views { view.tracks?.stop() }
  }

  func tracks(of number: Int) -> ViewTracks? {
    views.indices.contains(number) ? views[number].tracks : nil
  }

  /// A frame by name that a view can show.
  func frame(_ name: String, in number: Int) -> ReferenceFrame? {
    guard views.indices.contains(number) else { return nil }
    guard !views[number].frames.isEmpty else { return views[number].frame }
    return views[number].frames.first { $0.rawValue == name }
  }

  /// Does what a page asks for, soon: it never waits.
  func perform(_ request: ViewRequest) {
    switch request.command {
    case .record: recorder?.toggle()
    case .frame:
      guard let number = request.view, let frame = request.frame, views.indices.contains(number),
        let feed = views[number].feed
      else { return }
      guard wanted.withLock({ $0.updateValue(frame, forKey: number) }) == nil else { return }
      frameQueue.async { [wanted] in
        if let frame = wanted.withLock({ $0.removeValue(forKey: number) }) { feed.show(frame, in: number) }
      }
    }
  }

  /// The state of the live sources, a JSON object.
  package var state: [UInt8] {
    struct Phone: Encodable {
      var address: String
      var qr: String?
      var size: Int?
      var waiting: String?
    }
    struct State: Encodable {
      var views: [ViewState]
      var recording: ViewRecorder.Report?
      var phone: Phone?
    }
    let phone = feeds.lazy.compactMap { $0.phone?.page }.first.map { page in
      let code = QRCode(page.address)
      return Phone(address: page.address, qr: code?.svgPath, size: code?.size, waiting: page.waiting)
    }
    // Numbers that are no numbers have been left out.
    return
      (try? JSONLine.bytes(State(views: feeds.flatMap { $0.states() }, recording: recorder?.report, phone: phone)))
      ?? []
  }

  /// Of the live sources.
  package var hubs: [MotionHub] { feeds.map(\.hub) }
  /// Whether live sources have given no sample.
  package var isEmpty: Bool { isLive && hubs.allSatisfy(\.statistics.isEmpty) }

  /// Sentences for the end of the run.
  package var summary: [String] { hubs.flatMap { StatisticsReport.lines($0.statistics) } }

  private static func description(_ views: [View], isLive: Bool) throws -> [UInt8] {
    struct Entry: Encodable {
      var number: Int
      var name, origin, body, frame: String
      var frames: [String]
      var absence: String?
    }
    struct Description: Encodable {
      var version, mode: String
      var views: [Entry]
    }
    let entries = views.enumerated().map { number, view in
      let info = view.selection.info
      return Entry(
        number: number, name: info.name, origin: info.origin.rawValue,
        // A box where the source does not say what it looks like.
        body: info.deviceClass == .unknown ? "box" : info.deviceClass.rawValue, frame: view.frame.rawValue,
        frames: view.frames.map(\.rawValue), absence: MotionRequirements.absence(info))
    }
    return try JSONLine.bytes(
      Description(version: "motionctl \(Tool.version)", mode: isLive ? "live" : "recording", views: entries))
  }

  /// The frames in which a source's motion can be shown.
  static func frames(of selection: SourceSelection, on host: MotionHost) -> [ReferenceFrame] {
    guard MotionRequirements.absence(selection.info) == nil else { return [] }
    // Motion that the source has fused itself comes in its own frame.
    if selection.info.kinds.contains(.motion) { return [.arbitrary] }
    return ReferenceFrame.allCases.filter { frame in
      (try? MotionRequirements.check(frame, of: selection, at: host.location)) != nil
    }
  }
}
