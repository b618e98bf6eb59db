// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

@Suite struct UnknownTableTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ variant: TableVariant) throws -> String {
    guard variant.isLatin1 else { return try folder.write(variant.file, variant.text) }
    return try folder.write(variant.file, variant.text.unicodeScalars.map { UInt8($0.value) })
  }

  @Test(arguments: TableVariant.all) func oneRecordingWrittenInManyWaysIsTheSameInSI(variant: TableVariant) throws {
    let path = try write(variant)
    let result = try read(path)
    #expect(result.recording.format == .table)
    let rows = SwingingDevice.rows
    try #require(result.accelerometer.count == rows.count)
    #expect(result.gyroscope.count == (variant.hasGyroscope ? rows.count : 0))
    #expect(result.magnetometer.count == (variant.hasMagnetometer ? rows.count : 0))
    let start = result.accelerometer[0].time
    func isNear(_ vector: Vector3<Device>, _ numbers: [Double], _ error: Double) -> Bool {
      zip([vector.x, vector.y, vector.z], numbers).allSatisfy { abs($0 - $1) < error }
    }
    let forces = zip(result.accelerometer, rows).first {
      abs(($0.time - start).seconds - $1.time) >= variant.timeError
        || !isNear($0.specificForce, $1.force, variant.error * 10)
    }
    let rates = zip(result.gyroscope, rows).first { !isNear($0.angularVelocity, $1.rate, variant.error) }
    let fields = zip(result.magnetometer, rows).first { !isNear($0.magneticField * 1e6, $1.field, 1e-3) }
    #expect(forces == nil && rates == nil && fields == nil)
    // What was assumed is said, as the options that read it the same way.
    let said = try #require(result.recording.assumptions.first)
    for words in variant.says { #expect(result.recording.assumptions.contains { $0.contains(words) }, "\(words)") }
    #expect(said.contains(variant.isReversed ? "--sign apple" : "--sign reaction"))
    let again = try read(path, options(said))
    #expect(again.recording.format == .mapped && again.recording.assumptions.isEmpty)
    #expect(again.samples == result.samples)
  }

  /// The options in a sentence.
  private func options(_ sentence: String) throws -> RecordingOptions {
    var text: [String: String] = [:]
    for part in sentence.split(separator: " --").map(String.init) {
      let words = part.split(separator: " ", maxSplits: 1)
      guard words.count == 2, ["map", "sign", "rate"].contains(words[0]) else { continue }
      text[String(words[0])] = words[1].filter { $0 != "\"" }.trimmingCharacters(in: ["."])
    }
    return try ReplayOptions(text).recording
  }

  @Test func thereAreFortyVariants() { #expect(TableVariant.all.count >= 40) }

  private func table(_ header: String, _ row: (SwingingDevice.Row) -> [Double]) throws -> String {
    let rows = SwingingDevice.rows.map { row($0).map { "\($0)" }.joined(separator: ",") + "\n" }
    return try folder.write("log.csv", header + "\n" + rows.joined())
  }

  @Test func aStatedSignAndRateStandBesideWhatIsUnderstood() throws {
    let path = try table("t,ax,ay,az") { [$0.time] + $0.g.map { -$0 } }
    var options = RecordingOptions()
    options.sign = .apple
    let result = try read(path, options)
    #expect(abs((try #require(result.accelerometer.first)).specificForce.z - standardGravity) < 0.1)
    #expect(!result.recording.assumptions.contains { $0.contains("is assumed") })
    options.rate = 50
    #expect(try read(path, options).accelerometer[1].time.nanoseconds == 20_000_000)
  }

  @Test func theOtherSignIsSaidWhereTheDeviceWouldLieOnItsFace() throws {
    let path = try table("t,ax,ay,az") { [$0.time] + $0.g.map { -$0 } }
    #expect(try read(path).recording.warnings.contains { $0.contains("--sign apple") })
  }

  @Test func aGyroscopeWhoseUnitNothingTellsIsRefusedWithBoth() throws {
    // A device that lies still.
    let still = SwingingDevice.rows[0..<90].map { row in
      ([row.time] + row.force + row.rate).map { "\($0)" }.joined(separator: ",") + "\n"
    }
    let path = try folder.write("log.csv", "time,AccX,AccY,AccZ,GyrX,GyrY,GyrZ\n" + still.joined())
    let message = try #require(failure(path)?.message)
    #expect(message.contains("gx=GyrX[rad/s]") && message.contains("gx=GyrX[deg/s]"), "\(message)")
    #expect(message.contains("--sign reaction"))
    // The names of a map are in SI, and that is said.
    let named = try folder.write("log.csv", "t,ax,ay,az,gx,gy,gz\n" + still.joined())
    #expect(try read(named).recording.assumptions.contains { $0.contains("is assumed (rad/s") })
  }

  @Test func aSlowSensorInTheLastColumnsIsRead() throws {
    let rows = (0..<2000).map { row in
      "\(Double(row) / 100),0,0,9.81,\(0.3 * sin(Double(row) / 30)),0,0," + (row % 40 == 0 ? "20,0,-40" : ",,")
    }
    let path = try folder.write("slow.csv", (["t,ax,ay,az,gx,gy,gz,mx,my,mz"] + rows).joined(separator: "\n"))
    var options = RecordingOptions()
    (options.map, options.sign) = (
      try ColumnMap("t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz mx=mx[uT] my=my mz=mz"), .reaction
    )
    let kinds = try Recording.open(path: path, options: options).info.kinds
    #expect(kinds.isSuperset(of: [.accelerometer, .gyroscope, .magnetometer]))
  }

  @Test func aNameThatContradictsGravityIsRefusedWithBoth() throws {
    let path = try table("t,acc_x_g,acc_y_g,acc_z_g") { [$0.time] + $0.force }
    let message = try #require(failure(path)?.message)
    #expect(message.contains("ax=acc_x_g[g]") && message.contains("ax=acc_x_g[m/s^2]"), "\(message)")
    let turning = try table("t,ax,ay,az,gyr_x_dps,gyr_y_dps,gyr_z_dps") { [$0.time] + $0.force + $0.rate }
    #expect(failure(turning)?.message.contains("gx=gyr_x_dps[rad/s]") == true)
  }

  @Test func severalDevicesAreRefusedWithAMapOfEach() throws {
    let path = try table("t,hip_acc_x,hip_acc_y,hip_acc_z,ankle_acc_x,ankle_acc_y,ankle_acc_z") {
      [$0.time] + $0.g + $0.g
    }
    let message = try #require(failure(path)?.message)
    #expect(message.contains("ax=hip_acc_x[g]") && message.contains("ax=ankle_acc_x[g]"), "\(message)")
  }

  @Test func rowsWithoutATimeNeedARate() throws {
    let counted = try table("sample,ax,ay,az") { [($0.time * 100).rounded()] + $0.g }
    #expect(failure(counted)?.message.contains("--rate HZ") == true)
    let lines = SwingingDevice.rows.map { row in
      "2024-05-01 10:00:0\(row.milliseconds / 1000)," + row.g.map { "\($0)" }.joined(separator: ",") + "\n"
    }
    let coarse = try #require(failure(folder.write("log.csv", "time,ax,ay,az\n" + lines.joined()))?.message)
    #expect(coarse.contains("about 100.0 in a second") && coarse.contains("--rate 100"), "\(coarse)")
  }

  @Test func anAccelerometerWithoutGravityIsRefused() throws {
    let path = try table("t,acc_x,acc_y,acc_z") { [$0.time] + $0.g.map { $0 * 0.1 } }
    #expect(failure(path)?.message.contains("in no usual unit that of gravity") == true)
  }

  @Test(arguments: [("acc", ""), ("acc", "(m/s^2)"), ("acc", "(g)"), ("linear_acceleration", "(m/s^2)")])
  func thatGravityHasBeenRemovedIsSaidWithWhatIsNeeded(name: String, unit: String) throws {
    let rows = (0..<1000).map { row in
      let phase = Double(row) / 50 * 2 * .pi * 1.9
      return "\(Double(row) / 50),\(sin(phase / 2)),0.1,\(3 * sin(phase) + 1.5 * sin(2 * phase + 1))\n"
    }
    let header = "time_s," + ["x", "y", "z"].map { "\(name)_\($0)\(unit)" }.joined(separator: ",")
    let path = try folder.write("log.csv", header + "\n" + rows.joined())
    // With a unit it is played, and the warning is that of any format.
    let isPlayed = name == "acc" && !unit.isEmpty
    let said = isPlayed ? try read(path).recording.warnings.first : failure(path)?.message
    #expect(said?.contains("ravity has been removed") == true, "\(said ?? "nothing")")
    #expect(said?.contains("gravity beside it (gravx") == true && said?.contains("gx=") == false)
  }

  @Test func gravityThatADeviceComputedIsNoAccelerometer() throws {
    let path = try table("t,x,y,z") { row in
      let length = row.force.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return [row.time] + row.force.map { $0 / length }
    }
    #expect(failure(path)?.message.contains("not a known recording format") == true)
  }

  @Test(arguments: [
    ("time_s,pressure_Pa,alt_m,temp_C\n20.3,100294.49,86.1,36.3\n20.4,100295,86,36\n", false, 100_294.49),
    ("time_s,Pressure (hPa)\n0,1013.25\n1,1013.5\n", false, 101_325),
    ("time_s,abs_pressure_Pa,device_depth_m\n0,118558,1.631\n1,120070,1.78\n5,150000,4.9\n", true, 118_558),
  ])
  func aTableOfPressuresAloneIsOfAirOrWater(text: String, isWater: Bool, first: Double) throws {
    let result = try read(folder.write("log.csv", text))
    #expect(result.recording.format == .table)
    #expect(result.recording.info.kinds == (isWater ? .waterPressure : .airPressure))
    #expect(result.recording.info.water == (isWater ? SensorInfo.Water() : nil))
    #expect(abs((try #require(result.pressure.first)).pressure - first) < 1e-6)
    #expect(result.recording.assumptions.contains { $0.contains("one of water") } == isWater)
  }

  /// Without header: a driver's status in front of the readings, counts of steps behind them.
  @Test(arguments: [false, true]) func aStatusAndCountersAreNoSensors(areCounts: Bool) throws {
    let rows = SwingingDevice.rows.enumerated().map { index, row in
      let counts = areCounts ? ",0,\(index / 90),\(index / 45)" : ""
      let status = areCounts ? "" : "\(index < 10 ? 0 : 3),"
      return "\(7_034_408_932_010 + row.milliseconds * 1_000_000),\(status)"
        + row.force.map { "\($0)" }.joined(separator: ",") + counts + "\n"
    }
    let result = try read(folder.write("walk.csv", rows.joined()))
    #expect(result.recording.info.kinds == .accelerometer)
    #expect(result.accelerometer.count == SwingingDevice.rows.count)
    #expect(result.accelerometer[1].time - result.accelerometer[0].time == .milliseconds(10))
    #expect(abs(result.accelerometer[0].specificForce.z - standardGravity) < 0.1)
  }

  @Test(arguments: [
    "t,price,volume\n1,2,3\n2,3,4\n", "x,y\n1,2\n3,4\n", "name,age,height,weight\na,1,2,3\nb,2,3,4\n",
    "0.5,0.25,-3,1\n0.6,1,2,2\n0.7,3,8,3\n",
  ])
  func whatIsNoTableOfMotionIsUnknown(text: String) throws {
    #expect(failure(try folder.write("log.csv", text))?.message.contains("not a known recording format") == true)
  }

  @Test func aGyroscopeThatTurnsAgainstGravityIsSaid() throws {
    let path = try table("t,ax,ay,az,gx,gy,gz") { [$0.time] + $0.force + $0.rate.map { -$0 } }
    #expect(try read(path).recording.assumptions.contains { $0.contains("turns against the gyroscope") })
  }

  @Test func damageIsCountedAsInAnyTable() throws {
    var lines = TableVariant.all[0].text.split(separator: "\n").map(String.init)
    lines[50] = "0.49,1,x,9,0,0,0"
    lines[60] = "0.59,1"
    let path = try folder.write("log.csv", lines.joined(separator: "\n") + "\n")
    #expect(failure(path)?.place?.line == 51)
    #expect(try read(path, .skipping).statistics.omitted == 2)
  }
}
