// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A folder of rosbag2, whose MCAP files follow each other as one recording.
enum ROSBagFormat {
  static let reader = FormatReader(
    format: .rosbag2, title: "rosbag2",
    summary: "a folder of ROS 2 with metadata.yaml and its .mcap files", hasDevices: true, isTable: false
  ) { (files, options) throws(SensorError) in
    guard files.kind != .zip else {
      throw files.error(.unsupported, "A bag of ROS 2 is read from its folder: unpack it first.")
    }
    let metadata = try Metadata(files)
    var warnings: [String] = []
    var messageFiles: [MessageFile] = []
    for name in listed(files, metadata) {
      guard let member = files.members.first(where: { $0.name == name }) else {
        warnings.append("The file \(name) of the bag is missing: its messages are not read.")
        continue
      }
      guard !name.hasSuffix(".db3") else {
        throw member.error(.unsupported, "This file of the bag is an SQLite database. \(conversion)")
      }
      guard !name.hasSuffix(".zstd") else {
        throw member.error(
          .unsupported,
          "This file of the bag is compressed as a whole. Unpack it with “zstd -d \(member.place)” and give the file that comes out."
        )
      }
      do throws(SensorError) {
        let input = try MCAPInput(path: member.place, budget: files.budget)
        messageFiles.append(MessageFile(member.place, try MCAPIndex(input, options.damage)))
      } catch {
        guard options.damage == .skip, error.code == .malformed else { throw error }
        warnings.append("The file \(name) of the bag cannot be read, its messages are missing: \(error.message)")
      }
    }
    guard !messageFiles.isEmpty else {
      throw files.error(
        .unsupported, (["The bag holds no .mcap file: \(files.listing)."] + warnings).joined(separator: " ")
      )
    }
    var plan = try ForeignMessages.plan(messageFiles, options, files, stated: metadata.messageCount)
    plan.warnings += warnings
    if messageFiles.count > 1 { plan.notes.append("\(messageFiles.count) files") }
    return plan
  }

  /// How a bag of another storage becomes one that is read.
  static let conversion =
    "Convert the bag: pip install rosbags; rosbags-convert --src FILE --dst bag --dst-storage mcap"

  static func isRosbag2(_ evidence: DetectionEvidence) -> Bool {
    guard evidence.has("metadata.yaml"), let member = evidence.files.member("metadata.yaml") else { return false }
    return (try? evidence.files.beginning(of: member, limit: 4096))?.contains("rosbag2_bagfile_information:") ?? false
  }

  /// What metadata.yaml says of the files of a bag.
  private struct Metadata {
    var names: [String] = []
    /// Of all files together; nil where it is not said.
    var messageCount: UInt64?

    init(_ files: RecordingFiles) throws(SensorError) {
      guard let member = files.member("metadata.yaml") else { return }
      let lines = try files.beginning(of: member, limit: 4 << 20).split(whereSeparator: \.isNewline)
      let list = lines.drop { $0.filter { $0 != " " } != "relative_file_paths:" }.dropFirst()
      for line in list {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("- "), names.count < InputLimits.entries else { break }
        names.append(String(text.dropFirst(2).filter { $0 != "\"" && $0 != "'" }))
      }
      // That of the bag stands as far to the left as any; those of topics and files stand in lists.
      let counts = lines.filter { $0.drop { $0 == " " }.hasPrefix("message_count:") }
      let own = counts.min { $0.prefix { $0 == " " }.count < $1.prefix { $0 == " " }.count }
      messageCount = own.flatMap { $0.split(separator: ":").last }.flatMap { UInt64($0.filter { $0 != " " }) }
    }
  }

  /// The files in the order of `relative_file_paths`, and those that it does not name behind them.
  private static func listed(_ files: RecordingFiles, _ metadata: Metadata) -> [String] {
    let names = metadata.names
    let others = files.members.map(\.name).filter { $0.hasSuffix(".mcap") && !names.contains($0) }
    // "bag_10.mcap" comes behind "bag_9.mcap".
    return names + others.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}
