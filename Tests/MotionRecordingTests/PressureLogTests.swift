// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import Testing

/// Dive logs and barometer logs: Documentation/Formats.md 4.9. The texts are made up in the form of the real ones.
@Suite struct PressureLogTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let garmin = """
    t_s,abs_pressure_Pa,device_depth_m,temperature_C
    0,118558,1.631,30
    1,120070,1.781,30
    5,121877,1.961,29

    """
  static let suunto = """
    # surface_pressure_Pa=102359.8 events=[(-8.0, {'DiveState': 'Diving'})]
    t_s,abs_pressure_Pa,temperature_C,device_depth_m,internal_temp_C,internal_pressure_Pa
    0.00,116946,9.84,,,
    1.00,117364,9.83,1.52,12.1,101000
    2.50,118000,,,,

    """
  static let seabear = """
    /* A log
     */
    //SEABEAR DIVING TECHNOLOGY
    //Surface pressure: 0.971 bar
    //Log interval: 2 s

    Depth;Temperature
    1;1
    0;1

    1.0;25
    2.5;
    10.0;24

    """
  static let sensus = """
    1,SU-1,0000000000,2011,3,27,11,25,29,0,1214,287,67
    1,SU-1,0000000000,2011,3,27,11,25,29,10,1507,287,69

    """

  private func pressures(_ text: String, _ options: RecordingOptions = .init()) throws -> (ReadResult, [PressureSample])
  {
    let result = try read(folder.write("log.csv", text), options)
    return (
      result,
      result.samples.compactMap { if case .pressure(let sample) = $0 { sample } else { nil } }
    )
  }

  @Test func aLogWithoutASurfacePressureSaysSo() throws {
    let (result, samples) = try pressures(Self.garmin)
    #expect(result.recording.format == .diveLog && result.recording.info.kinds == .waterPressure)
    #expect(result.recording.info.name.contains("no surface pressure"))
    #expect(result.recording.info.water == SensorInfo.Water())
    #expect(samples.map(\.pressure) == [118_558, 120_070, 121_877])
    #expect(samples.map(\.time.seconds) == [0, 1, 5] && samples.map(\.temperature) == [30, 30, 29])
    #expect(samples.allSatisfy { $0.medium == .water })
    #expect(result.recording.duration == .seconds(5))
  }

  @Test func aSurfacePressureInTheFirstLineIsRead() throws {
    let (result, samples) = try pressures(Self.suunto)
    #expect(result.recording.format == .diveLog)
    #expect(result.recording.info.water == SensorInfo.Water(surfacePressure: 102_359.8))
    #expect(samples.map(\.pressure) == [116_946, 117_364, 118_000])
    #expect(samples.map(\.temperature) == [9.84, 9.83, nil] && samples.last?.time.seconds == 2.5)
  }

  @Test func depthsBecomePressuresAgain() throws {
    var options = RecordingOptions()
    options.waterDensity = 1000
    let (result, samples) = try pressures(Self.seabear, options)
    #expect(result.recording.format == .seabear)
    #expect(result.recording.info.water == SensorInfo.Water(surfacePressure: 97_100, density: 1000))
    #expect(samples.map(\.time.seconds) == [0, 2, 4] && samples.map(\.temperature) == [25, 25, 24])
    #expect(zip(samples, [1, 2.5, 10]).allSatisfy { abs($0.pressure - 97_100 - $1 * 9806.65) < 1e-6 })
  }

  @Test func aSensusCountsInMillibarAndKelvin() throws {
    let (result, samples) = try pressures(Self.sensus)
    #expect(result.recording.format == .sensus && result.recording.info.water?.surfacePressure == nil)
    #expect(samples.map(\.pressure) == [121_400, 150_700] && samples.map(\.time.seconds) == [0, 10])
    #expect(abs((samples.first?.temperature ?? 0) - 14.52) < 1e-9)
  }

  /// A second dive in the file is another recording: the person says which.
  @Test func ofSeveralDivesInASensusOneIsChosen() throws {
    let second = (0..<3).map { "7,SU-1,0000000000,2011,3,27,13,0,0,\($0 * 10),\(1100 + $0),287,67\n" }.joined()
    let path = try folder.write("two.csv", Self.sensus + second)
    let unsaid = try #require(failure(path))
    #expect(unsaid.code == .invalidRequest && unsaid.message.contains("2 dives (1, 7)"), "\(unsaid)")
    #expect(unsaid.message.contains("?dive=1"))

    var options = RecordingOptions()
    options.dive = 7
    let (result, samples) = try pressures(Self.sensus + second, options)
    #expect(samples.map(\.pressure) == [110_000, 110_100, 110_200] && samples.map(\.time.seconds) == [0, 10, 20])
    #expect(result.recording.duration == .seconds(20) && result.recording.info.name.contains("dive 7 of 2"))
    options.dive = 1
    let (first, early) = try pressures(Self.sensus + second, options)
    #expect(early.map(\.pressure) == [121_400, 150_700] && first.recording.duration == .seconds(10))

    options.dive = 3
    let missing = #expect(throws: SensorError.self) { try Recording.open(path: path, options: options) }
    #expect(missing?.code == .notFound && missing?.message.contains("it has 1, 7.") == true)
    // Within a dive time still goes forward.
    options.dive = 7
    let back = Self.sensus + second + "7,SU-1,0000000000,2011,3,27,13,0,0,5,1100,287,67\n"
    #expect(throws: SensorError.self) { try pressures(back, options) }
  }

  @Test func aDiveIsChosenInASensusOnly() throws {
    #expect(try ReplayOptions(["dive": "7"]).recording.dive == 7)
    #expect(throws: SensorError.self) { try ReplayOptions(["dive": "first"]) }
    var options = RecordingOptions()
    options.dive = 1
    let path = try folder.write("log.csv", Self.garmin)
    let error = #expect(throws: SensorError.self) { try Recording.open(path: path, options: options) }
    #expect(error?.code == .invalidRequest && error?.message.contains("remove it") == true)
  }

  @Test func aBarometerIsAir() throws {
    let (result, samples) = try pressures("t_s,pressure_Pa,alt_m,temp_C\n20.328,100294.49,86.150,36.37\n")
    #expect(result.recording.format == .barometerLog && result.recording.info.kinds == .airPressure)
    #expect(samples.first?.medium == .air && samples.first?.temperature == 36.37 && result.recording.info.water == nil)
  }

  @Test(arguments: [
    ("# surface_pressure_Pa=deep\nt_s,abs_pressure_Pa\n0,1\n", "surface pressure"),
    ("# surface_pressure_Pa=5\nt_s,abs_pressure_Pa\n0,1\n", "surface pressure"),
    ("# surface_pressure_Pa=101325\na,b\n0,1\n", "abs_pressure_Pa"),
    ("t_s,abs_pressure_Pa\n0,nan\n", "finite"), ("t_s,abs_pressure_Pa\n0,wet\n", "number"),
    ("//SEABEAR DIVING TECHNOLOGY\n//Log interval: 0 s\nDepth;Temperature\n1;1\n0;1\n\n1;1\n", "Log interval"),
    ("//SEABEAR DIVING TECHNOLOGY\n//Log interval: 1 s\n//Surface pressure: 9 bar\nDepth;Temperature\n", "surface"),
    ("//SEABEAR DIVING TECHNOLOGY\n//Log interval: 1 s\nDepth;Temperature\n1;1\n0;1\n\n1;2;3\n", "depth"),
    ("//SEABEAR DIVING TECHNOLOGY\n//Log interval: 1 s\nDepth;Temperature\n1;1\n0;1\n\nnan;\n", "depth"),
  ])
  func damageIsSaidInASentence(text: String, word: String) throws {
    let error = try #require(failure(try folder.write("log.csv", text)))
    #expect(error.message.contains(word) && error.message.hasSuffix("."), "\(error)")
  }

  @Test func recordedMotionIsNotInThem() throws {
    for text in [Self.garmin, Self.suunto, Self.seabear, Self.sensus] {
      #expect(failure(try folder.write("log.csv", text), .recorded)?.code == .unsupported)
    }
  }

  @Test func theWaterOfAReplayIsAnOption() throws {
    #expect(try ReplayOptions(["water": "fresh"]).recording.waterDensity == 1000)
    #expect(try ReplayOptions(["water": "1015"]).recording.waterDensity == 1015)
    #expect(abs(try ReplayOptions([:]).recording.waterDensity - 1019.716) < 0.001)
    for text in ["heavy", "0", "nan", ""] {
      #expect(throws: SensorError.self) { try ReplayOptions(["water": text]) }
    }
  }
}
