// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Finds the format of a set of files, or says what was found instead.
enum Detection {
  /// The format, and the files it is to be read from: those of one folder where a zip has several.
  static func detect(_ files: RecordingFiles) throws(SensorError) -> (format: RecordingFormat, files: RecordingFiles) {
    var evidences: [DetectionEvidence] = [try DetectionEvidence(files)]
    if files.kind == .zip {
      for folder in Set(files.members.map(\.folder)).sorted() {
        evidences.append(try DetectionEvidence(files.inFolder(folder)))
      }
    }
    // A zip's folders first, so that files of the same name in different folders are not mixed.
    let candidates = evidences.count > 1 ? Array(evidences[1...]) : evidences
    for rule in DetectionRule.all {
      let found = (rule.isForWhole ? [evidences[0]] : candidates).filter(rule.holds)
      guard let first = found.first else { continue }
      switch rule.outcome {
      case .format(let format):
        guard found.count == 1 else {
          throw SensorError(
            .unsupported,
            "The zip holds \(found.count) recordings (\(found.map(\.files.folderName).joined(separator: ", "))); unpack it and give one folder.",
            at: .init(file: files.path))
        }
        return (format, first.files)
      case .known(let what):
        throw SensorError(
          .unsupported, "This is \(what); it is not read. What can be read: \(FormatReader.summary).",
          at: .init(file: files.path))
      }
    }
    throw unknown(evidences[0])
  }

  private static func emptiness(_ files: RecordingFiles) -> String {
    let folders = files.innerFolders
    guard !folders.isEmpty else { return "It is empty" }
    let more = folders.count > 8 ? " and \(folders.count - 8) more" : ""
    return "It holds only folders (\(folders.prefix(8).joined(separator: ", "))\(more)): name one of them"
  }

  private static func unknown(_ evidence: DetectionEvidence) -> SensorError {
    let files = evidence.files
    let found =
      if files.kind != .file {
        files.members.isEmpty ? emptiness(files) : "It holds \(files.listing)"
      } else if evidence.head.isEmpty {
        "The file is empty"
      } else if evidence.head.starts(with: [0xFF, 0xFE]) || evidence.head.starts(with: [0xFE, 0xFF]) {
        "It is UTF-16 text; save it as UTF-8"
      } else if evidence.head.contains(0) {
        "It is binary data"
      } else if String(validating: evidence.head.prefix { $0 != 0x0A }, as: UTF8.self) == nil {
        "Its first line is not UTF-8 text; save or export it as UTF-8"
      } else {
        "It begins \(String(evidence.header.prefix(400)).debugDescription)"
      }
    let isTable = files.kind == .file && found.hasPrefix("It begins")
    let hint =
      isTable
      ? " If it is a table, say what its columns are, to start with: \(MappedFormat.suggestion(for: files))." : ""
    return SensorError(
      .unsupported, "No recording was recognised here. \(found).\(hint) What can be read: \(FormatReader.summary).",
      at: .init(file: files.path))
  }
}

extension RecordingFiles {
  /// The first names and how many more: "a.txt, b.txt and 7 more".
  var listing: String {
    let names = members.prefix(8).map(\.name)
    let more = members.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  fileprivate var folderName: String {
    let folder = members.first?.folder ?? ""
    return folder.isEmpty ? "the top folder" : folder
  }
}
