// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Detects the format of a set of files, or reports what was found instead.
enum Detection {
  /// The format, and the files it is to be read from: those of one folder where a zip has several.
  static func detect(_ files: RecordingFiles) throws(SensorError) -> (format: RecordingFormat, files: RecordingFiles) {
    var headerBytes = InputLimits.headerBytes
    // A zip's folders first, so that files of the same name in different folders are not mixed.
    var candidates: [DetectionEvidence] = []
    for part in files.kind == .zip && !files.members.isEmpty ? files.byFolder : [files] {
      candidates.append(try DetectionEvidence(part, &headerBytes))
    }
    let whole = candidates.count == 1 ? candidates[0] : try DetectionEvidence(files, &headerBytes)
    for rule in DetectionRule.all {
      let found = (rule.isForWhole ? [whole] : candidates).filter(rule.holds)
      guard let first = found.first else { continue }
      switch rule.outcome {
      case .format(let format):
        guard found.count == 1 else {
          let folders = found.prefix(8).map(\.files.folderName).joined(separator: ", ")
          throw files.error(
            .unsupported,
            "The zip holds \(found.count) recordings (\(folders)\(found.count > 8 ? ", …" : "")); unpack it and give one folder."
          )
        }
        return (format, first.files)
      case .known(let what, let way):
        let file = "'\(files.path.replacing("'", with: "'\\''"))'"
        let end = way.isEmpty ? "not supported." : "not read as it is. \(way.replacing("FILE", with: file))"
        throw files.error(.unsupported, "This is \(what), which is \(end)\n\(list)")
      }
    }
    throw unknown(whole)
  }

  /// What to say of files in which no recording is found.
  static func unknown(_ files: RecordingFiles) throws(SensorError) -> SensorError {
    var headerBytes = InputLimits.headerBytes
    return unknown(try DetectionEvidence(files, &headerBytes))
  }

  private static let list = "“motionctl info --formats” lists the supported formats."

  private static func emptiness(_ files: RecordingFiles) -> String {
    let folders = files.innerFolders
    return folders.isEmpty ? "It is empty" : "It contains only folders (\(folders.listing)): name one of them"
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
        "It begins with \(String(evidence.header.prefix(100)).debugDescription)"
      }
    let isText = files.kind == .file && found.hasPrefix("It begins")
    let header = isText ? try? TableHeader(Array(evidence.header.utf8), file: files.path) : nil
    var lines = [
      "This is not a known recording format. \(found)"
        + (header.map { $0.names.count > 1 ? ", a table of \($0.names.count) columns." : "." } ?? ".")
    ]
    if isText {
      lines.append(
        "To read it as a table, begin with: \(MappedFormat.beginning(files)) (--rate HZ for t where it has no time; #2 is the second column)"
      )
    } else if files.kind == .folder,
      let table = files.members.first(where: { InferredFormat.isTable($0.plainName) })
    {
      lines[0] +=
        " Its tables are no sensors of one recording that are understood; --map names columns, pandas.merge_asof joins tables by their times. One by one:"
      lines.append("  motionctl info '\(table.place)'")
    }
    return files.error(.unsupported, (lines + [list]).joined(separator: "\n"))
  }
}

extension [String] {
  /// The first names and how many more: "a.txt, b.txt and 7 more".
  fileprivate var listing: String { prefix(8).joined(separator: ", ") + (count > 8 ? " and \(count - 8) more" : "") }
}

extension RecordingFiles {
  /// Of its files.
  var listing: String { members.map(\.name).listing }

  fileprivate var folderName: String {
    let folder = members.first?.folder ?? ""
    return folder.isEmpty ? "the top folder" : folder
  }
}

/// One rule that detects a recording's format by its content; the rules are tried in order (Documentation/Formats.md
/// 3).
///
/// File names are used only if a format has nothing else. Formats that are known but not supported have rules too, so
/// that errors name them.
struct DetectionRule: Sendable {
  enum Outcome: Sendable {
    case format(RecordingFormat)
    /// What it is, in words, and the way to convert it, with FILE for its path, where there is one; not read.
    case known(String, way: String = "")
  }

  let outcome: Outcome
  /// A zip is looked at as a whole, not folder by folder.
  var isForWhole = false
  let holds: @Sendable (DetectionEvidence) -> Bool

  init(
    _ outcome: Outcome, isForWhole: Bool = false, _ holds: @escaping @Sendable (DetectionEvidence) -> Bool
  ) {
    self.outcome = outcome
    self.isForWhole = isForWhole
    self.holds = holds
  }

  /// How what a Python package reads becomes a table.
  private static func pythonWay(_ package: String) -> String {
    "The Python package \(package) reads FILE; write a CSV with it."
  }

  /// How PyArrow turns a file of a table into a CSV.
  private static func tableWay(_ reader: String) -> String {
    "PyArrow turns it into a CSV: python3 -c \"import sys; from pyarrow import csv, feather, parquet; csv.write_csv(\(reader)(sys.argv[1]), 'walk.csv')\" FILE"
  }

  static let all: [DetectionRule] = [
    DetectionRule(.format(.mcap)) { $0.begins([0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]) },
    DetectionRule(.known("a Parquet file", way: tableWay("parquet.read_table"))) { $0.begins("PAR1".utf8) },
    DetectionRule(.known("an Arrow file", way: tableWay("feather.read_table"))) { $0.begins("ARROW1".utf8) },
    DetectionRule(.format(.phyphox), isForWhole: true) {
      $0.has("device.csv", in: "meta") || $0.has("time.csv", in: "meta")
    },
    DetectionRule(
      .known(
        "an Excel workbook",
        way:
          "Save it as CSV, or: libreoffice --headless --convert-to csv FILE (of its first sheet); apps such as phyphox export CSV themselves."
      ), isForWhole: true
    ) {
      $0.begins([0xD0, 0xCF, 0x11, 0xE0]) || $0.has("[Content_Types].xml")
    },
    DetectionRule(.format(.sensorLogger)) { $0.hasSensorLoggerFiles },
    DetectionRule(.format(.rosbag2), ROSBagFormat.isRosbag2),
    DetectionRule(.known("a bag of ROS 1", way: ROSBagFormat.conversion)) { $0.begins("#ROSBAG V".utf8) },
    DetectionRule(.known("a bag of ROS 2 in SQLite", way: ROSBagFormat.conversion)) {
      // SQLite keeps the text of the tables' declarations in its first page.
      $0.begins("SQLite format 3\0".utf8) && String(decoding: $0.head, as: UTF8.self).contains("CREATE TABLE topics")
    },
    DetectionRule(.known("a FIT file", way: pythonWay("fitdecode"))) {
      $0.head.dropFirst(8).starts(with: ".FIT".utf8)
    },
    DetectionRule(
      .known("a video or telemetry of a camera", way: pythonWay("gpmf"))
    ) { $0.head.dropFirst(4).starts(with: "ftyp".utf8) || $0.begins("DEVC".utf8) },
    DetectionRule(.known("a file in HDF5", way: pythonWay("h5py"))) { $0.isHDF5 && !$0.begins("MATLAB".utf8) },
    DetectionRule(.known("a MAT file of MATLAB (7.3, in HDF5)", way: pythonWay("h5py"))) {
      $0.begins("MATLAB 7.3 MAT-file".utf8)
    },
    DetectionRule(.known("a MAT file of MATLAB", way: pythonWay("scipy"))) { $0.begins("MATLAB 5.0 MAT-file".utf8) },
    DetectionRule(.known("compressed with Zstandard", way: "Unpack it: zstd -d FILE")) {
      $0.begins([0x28, 0xB5, 0x2F, 0xFD])
    },
    DetectionRule(
      .known(
        "a log of PX4 (ULog)",
        way: """
          Pyulog writes its sensors as a CSV, in axes whose z points down:
            pip install pyulog && ulog2csv -m sensor_combined -o . FILE
          then fuse …_sensor_combined_0.csv with --axes x,-y,-z.
          """)
    ) { $0.begins([0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35]) },
    DetectionRule(
      .known(
        "a C3D file",
        way: """
          Its analogue channels become a CSV, whose columns --map then names:
            pip install ezc3d && python3 -c "import sys, ezc3d, numpy; a = ezc3d.c3d(sys.argv[1]); p = a['parameters']['ANALOG']; r = p['RATE']['value'][0]; d = a['data']['analogs'][0].T; numpy.savetxt('walk.csv', numpy.column_stack([numpy.arange(len(d)) / r, d]), delimiter=',', comments='', header=','.join(['t'] + p['LABELS']['value'][:d.shape[1]]))" FILE
          """)
    ) { $0.head.count > 511 && $0.head[1] == 0x50 && $0.head[0] == 2 },
    DetectionRule(
      .known(
        "a recording of an AX3 or AX6 as WAV",
        way: """
          Its accelerometer becomes a CSV:
            python3 -c "import sys, re, wave, array; f = sys.argv[1]; w = wave.open(f); c, r = w.getnchannels(), w.getframerate(); d = array.array('h', w.readframes(w.getnframes())); s = int((re.search(rb'Scale-1: *([0-9]+)', open(f, 'rb').read(65536)) or [0, 8])[1]) / 32768; print('t_s,ax_g,ay_g,az_g'); [print(i / c / r, *[v * s for v in d[i:i + 3]], sep=',') for i in range(0, len(d), c)]" FILE > walk.csv
            motionctl steps walk.csv
          """)
    ) { $0.begins("RIFF".utf8) && $0.head.dropFirst(8).starts(with: "WAVE".utf8) },
    DetectionRule(
      .known(
        "a log of GnssLogger",
        way: """
          Its sensors become a table:
            (echo sensor,utc_ms,elapsed_ns,x,y,z; grep -E '^(Uncal)?(Accel|Gyro|Mag),' FILE | cut -d, -f1-6) > walk.csv
            motionctl fuse walk.csv
          """)
    ) { $0.header.hasPrefix("#") && String(decoding: $0.head, as: UTF8.self).contains("# Raw,") },
    DetectionRule(.known("an SQLite database")) { $0.begins("SQLite format 3\0".utf8) },
    DetectionRule(.known("a zip inside gzip, which must be unpacked once")) { $0.begins([0x50, 0x4B, 0x03, 0x04]) },
    DetectionRule(.known("a Gyroflow log")) {
      $0.header.hasPrefix("GYROFLOW IMU LOG") || $0.header.hasPrefix("CAMERA IMU LOG")
    },
    DetectionRule(.format(.ndjson)) { NDJSONFormat.isLine($0.header) },
    DetectionRule(
      .known(
        "the JSON export of Sensor Logger",
        way:
          "Export it as CSV in the app, or write its CSVs: python3 -c \"import sys, json, csv; d = {}; [d.setdefault(r.pop('sensor'), []).append(r) for r in json.load(open(sys.argv[1]))]; [((w := csv.DictWriter(open(n + '.csv', 'w'), r[0])).writeheader(), w.writerows(r)) for n, r in d.items()]\" FILE"
      )
    ) { $0.begins("[".utf8) && String(decoding: $0.head.prefix(4096), as: UTF8.self).contains("\"seconds_elapsed\"") },
    DetectionRule(.known("a JSON recording")) { $0.header.hasPrefix("[") || $0.header.hasPrefix("{") },
    DetectionRule(.format(.sensorLog)) {
      $0.header.contains("loggingTime(txt)") || $0.header.contains("motionTimestamp_sinceReboot(s)")
    },
    DetectionRule(.format(.sensorLogger)) { $0.header.isHeader(SensorLoggerFormat.headers) },
    DetectionRule(.format(.phyphox)) { $0.anyHeader(PhyphoxFormat.headers) },
    DetectionRule(.format(.tidy)) { $0.isTidy },
    DetectionRule(.format(.table)) { $0.mayBeTable },
  ]
}

/// What a rule may look at: the names of the files, and the first bytes where there is one file only.
struct DetectionEvidence: Sendable {
  let files: RecordingFiles
  /// The first 64 KiB of a single file, inflated.
  let head: [UInt8]
  /// Its first line, without a byte-order mark; "" when it is not text.
  let header: String
  /// The headers of the first 64 CSVs of a folder.
  private var tableHeaders: [String] = []

  /// `headerBytes`: what is left of ``InputLimits/headerBytes``, for all folders together.
  init(_ files: RecordingFiles, _ headerBytes: inout Int) throws(SensorError) {
    self.files = files
    guard files.kind == .file, let member = files.members.first else {
      (head, header) = ([], "")
      for member in files.members.lazy.filter({ $0.plainName.lowercased().hasSuffix(".csv") }).prefix(64) {
        guard headerBytes > 0, let line = try? files.firstLine(of: member) else { continue }
        headerBytes -= line.count
        tableHeaders.append(String(decoding: line, as: UTF8.self))
      }
      return
    }
    head = try files.open(member).bytes(limit: 64 << 10)
    let line = head.prefix { $0 != 0x0A }
    let text = String(decoding: line, as: UTF8.self)
    header = line.contains(0) ? "" : String(text.drop { $0 == "\u{FEFF}" || $0 == "\"" })
  }

  /// A single text, or a folder with tables.
  var mayBeTable: Bool {
    files.kind == .file
      ? !head.isEmpty && !head.contains(0) : files.members.contains { InferredFormat.isTable($0.plainName) }
  }

  func has(_ name: String) -> Bool { files.member(name) != nil && files.kind != .file }

  func has(_ name: String, in folder: String) -> Bool {
    files.members.contains { $0.plainName == name && ("/" + $0.folder).hasSuffix("/" + folder) }
  }

  func begins(_ bytes: some Sequence<UInt8>) -> Bool { head.starts(with: bytes) }

  /// The signature of HDF5 stands at byte 0, or behind a head of 512 bytes or a larger power of two.
  var isHDF5: Bool {
    [0, 512, 1024, 2048, 4096, 8192].contains {
      head.dropFirst($0).starts(with: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])
    }
  }

  /// Whether the header of the single file, or of one of the first 64 CSVs of a folder, is of some form.
  func anyHeader(_ beginnings: [String]) -> Bool {
    (files.kind == .file ? [header] : tableHeaders).contains { $0.isHeader(beginnings) }
  }

  /// A tidy CSV, or a folder with the columns file of a set of them.
  var isTidy: Bool {
    anyHeader(TidyFormat.headers) || files.kind == .file && hasColumnsFile
      || files.kind != .file && files.members.contains { $0.plainName.hasSuffix(TidyFormat.columnsSuffix) }
  }

  /// `<stem>.columns.csv` beside a single file.
  private var hasColumnsFile: Bool {
    guard let member = files.members.first, let stem = TidyFormat.stem(member.plainName) else { return false }
    return files.neighbour(stem + TidyFormat.columnsSuffix) != nil
  }

  /// `Metadata.csv`, or a CSV with the app's header; at most 64 files are opened.
  var hasSensorLoggerFiles: Bool {
    files.kind != .file && (has("Metadata.csv") || anyHeader(SensorLoggerFormat.headers))
  }
}

extension String {
  /// Whether it is a table's header that begins with one of these: with or without quotes, separated by any byte.
  func isHeader(_ beginnings: [String]) -> Bool {
    let plain = String(filter { $0 != "\"" && $0 != "\u{FEFF}" }.map { $0 == ";" || $0 == "\t" ? "," : $0 })
    return beginnings.contains(where: plain.hasPrefix)
  }
}
