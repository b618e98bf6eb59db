// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing

/// `motionctl convert`: a recording in one format in, the same recording in another out.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a recording in another format.",
    discussion: """
      The format follows from the name of the output: .mcap (the canonical recording), .ndjson, .tum (trajectory), .gcsv (Gyroflow), \
      .sto (OpenSense), .arrow, .parquet (with PyArrow); a .csv needs --to sensorlog or --to tidy (a table a topic, out.sensor.gyroscope.csv …, and \
      out.columns.csv with the units). The output appears when it is whole; what is there already stays unless --force is given.

      TUM and OpenSense hold attitudes: of raw recordings these are computed on the way, and it is said so. --fuse puts the \
      computed motion beside the raw samples in the other formats. An MCAP file can hold the same samples for other programs: \
      --with ros2, and --with foxglove for its 3D panel, which needs attitudes: they are computed where the recording has none.

      Examples:
        motionctl convert walk.zip walk.mcap
        motionctl convert walk.mcap walk.csv --to sensorlog
        motionctl convert walk.mcap walk.parquet
        motionctl convert walk.csv walk.mcap --with ros2 --with foxglove
        motionctl convert walk.mcap bag.mcap --profile ros2 --fuse
        motionctl convert walk.mcap walk.tum --frame magnetic
        motionctl convert clip.mcap clip.gcsv --video-start 12.48 --orientation xzY
        motionctl convert --segments left.csv=femur_l,right.csv=femur_r,hip.csv=pelvis gait.sto --rate 100 --frame magnetic
        motionctl convert walk.csv - --to ndjson | head
      """)

  @Argument(
    help:
      "A recording (file, folder or address), then the file to write; - is standard input (of a file, <) and output.")
  var paths: [String]

  @Option(help: "The format to write (default: by the name of the output).")
  var to: ConvertFormat?

  @Option(help: ArgumentHelp("The format to read (default: by content).", valueName: "format"))
  var from: String?

  @Flag(help: "Write over what is there.")
  var force = false

  @Flag(help: "Use the rest of a recording that has malformed lines; they are counted.")
  var skipErrors = false

  @Option(help: "Motion computed from the raw sensors, or as the phone recorded it.")
  var motion: FuseCommand.Motion = .computed

  @Flag(help: "Write the computed motion beside the raw samples.")
  var fuse = false

  @Option(help: ReferenceFrame.help)
  var frame: ReferenceFrame?

  @Option(help: LocationArgument.help)
  var location: LocationArgument?

  @Option(
    help: ArgumentHelp(
      "gcsv: the first frame of the video, in seconds from the first sample (default: 0).", valueName: "seconds"))
  var videoStart: Double?

  @Option(help: "gcsv: the log's axis that becomes each axis of the camera, lower case = negated (default: XYZ).")
  var orientation: String?

  @Option(
    help: ArgumentHelp("sto: which recording was on which body of the model.", valueName: "recording=body,…"))
  var segments: String?

  @Option(
    help: ArgumentHelp(
      "sto: rows a second (default: 100). Otherwise the sample rate of a table that has no times.", valueName: "hertz"))
  var rate: Double?

  @Option(
    help:
      "sensorlog: the text in the column deviceID (default: opencoremotion). arrow and parquet: a column device_id of this."
  )
  var deviceID: String?

  @Option(help: "mcap: compress its chunks; zstd and lz4 need the system's library (default: none).")
  var compress: RecordingCompression?

  @Option(
    help:
      "mcap: besides, motion (as --fuse), ros2 (the same samples as ROS 2 messages), foxglove (the motion as transforms). May be repeated."
  )
  var with: [RecordingCompanion] = []

  @Option(help: "mcap: ros2 writes ROS 2 messages alone, as the bag of another recorder.")
  var profile: RecordingProfile?

  @Option(help: "The columns of an unknown table: \"t=Time[ms] ax=AccX[g] … gx=GyrX[deg/s] …\".")
  var map: String?

  @Option(help: "The accelerometer's sign in an unknown table: apple (-1 g on z, face up) or reaction (+1 g).")
  var sign: String?

  @Option(parsing: .unconditional, help: "Where the device's x, y and z come from in an unknown table, such as x,-z,y.")
  var axes: String?

  func validate() throws {
    guard let output = paths.last, paths.count > 1 || segments != nil else {
      throw ValidationError("Name a recording and the file to write.")
    }
    guard let format = to ?? ConvertFormat(path: output) else {
      throw ValidationError(
        output.lowercased().hasSuffix(".csv")
          ? "A .csv can be --to sensorlog or --to tidy: say which."
          : "The name \(output) does not say the format: say --to mcap, ndjson, tum, gcsv, sto, arrow, parquet, sensorlog or tidy."
      )
    }
    if segments != nil, format != .sto { throw ValidationError("--segments is for OpenSense tables (.sto).") }
    if format == .sto {
      guard segments != nil, paths.count == 1 else {
        throw ValidationError(
          "An OpenSense table needs a body for each recording: convert --segments left.csv=femur_l,hip.csv=pelvis out.sto"
        )
      }
    } else if paths.count != 2 {
      throw ValidationError("Name one recording and the file to write.")
    }
    if videoStart != nil || orientation != nil, format != .gcsv {
      throw ValidationError("--video-start and --orientation are for Gyroflow logs (.gcsv).")
    }
    if let videoStart, !(videoStart.isFinite && abs(videoStart) < 1e8) {
      throw ValidationError("--video-start takes seconds.")
    }
    if compress != nil, format != .mcap { throw ValidationError("--compress is for MCAP.") }
    if !with.isEmpty || profile != nil, format != .mcap { throw ValidationError("--with and --profile are for MCAP.") }
    try RecordingViews.check(with, profile)
    if fuse, [.gcsv, .arrow, .parquet].contains(format) || format.needsMotion {
      throw ValidationError(
        "--fuse is for formats that hold samples and motion side by side: mcap, ndjson, tidy and sensorlog.")
    }
    if format == .tidy, output == "-" {
      throw ValidationError("Tidy CSV is several files: name one to begin their names with.")
    }
  }

  /// As ``validate()`` has found it.
  var format: ConvertFormat { to ?? ConvertFormat(path: paths.last ?? "") ?? .ndjson }

  /// Whether computed motion is asked for.
  var wantsMotion: Bool { fuse || with.contains(.motion) }

  func run() throws {
    if let segments {
      try ConvertSegments(self, segments).run()
    } else {
      try ConvertRun(self, input: paths[0], output: paths[1]).run()
    }
  }

  /// The name of standard input, which can be read only if a file has been redirected there.
  private static func standardInput() throws -> String {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(
        "Recordings are read more than once, so they cannot come through a pipe: write the recording to a file first, or redirect one to standard input with <. (An Arrow stream of raw readings goes through motionctl fuse --in arrow.)"
      )
    }
    return "/dev/stdin"
  }

  /// Opens a recording with the options that belong to reading.
  func open(_ path: String) throws -> (selection: SourceSelection, recording: Recording) {
    var options: [String: String] = [:]
    if skipErrors { options["errors"] = "skip" }
    if motion == .recorded { options["motion"] = "recorded" }
    options["format"] = from
    options["map"] = map
    options["sign"] = sign
    options["axes"] = axes
    if let rate, format != .sto { options["rate"] = Text.decimal(rate, places: 9) }
    let selection = try SourceSelection.open(
      path == "-" ? Self.standardInput() : path, recordingOptions: options)
    guard let recording = (selection.entry.source as? ReplaySource)?.recording else {
      throw CommandFailure(
        "\(path) is no recording, or has a calibration over it: convert takes recordings as they are.")
    }
    return (selection, recording)
  }
}

/// What `motionctl convert` writes.
enum ConvertFormat: String, CaseIterable, ExpressibleByArgument {
  case mcap, ndjson, tum, gcsv, sto, arrow, parquet, sensorlog, tidy

  /// As people call it.
  var title: String {
    switch self {
    case .mcap: "MCAP"
    case .ndjson: "NDJSON"
    case .tum: "TUM trajectory"
    case .gcsv: "Gyroflow log"
    case .sto: "OpenSense table"
    case .arrow: "Arrow IPC stream"
    case .parquet: "Parquet"
    case .sensorlog: "SensorLog's layout"
    case .tidy: "tidy CSV"
    }
  }

  /// What a row of it is, for counting.
  var noun: String {
    switch self {
    case .mcap: "item"
    case .ndjson: "line"
    case .tum: "pose"
    case .gcsv, .sto, .arrow, .parquet, .sensorlog, .tidy: "row"
    }
  }

  /// It holds attitudes and nothing else, so raw recordings are fused on the way.
  var needsMotion: Bool { self == .tum || self == .sto }

  /// By the name of the output; nil when it does not say (`.csv` has two forms).
  init?(path: String) {
    let name = path.lowercased()
    let endings: [(String, ConvertFormat)] = [
      (".mcap", .mcap), (".ndjson", .ndjson), (".jsonl", .ndjson), (".tum", .tum), (".gcsv", .gcsv), (".sto", .sto),
      (".arrow", .arrow), (".arrows", .arrow), (".parquet", .parquet),
    ]
    guard let found = endings.first(where: { name.hasSuffix($0.0) }) else { return nil }
    self = found.1
  }
}
