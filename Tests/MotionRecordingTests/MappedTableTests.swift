// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

@Suite struct MappedTableTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func options(_ text: [String: String]) throws -> RecordingOptions { try ReplayOptions(text).recording }

  @Test func everyUnitBecomesSI() throws {
    let fixture = TableFixture.mapped
    let result = try read(folder.write("log.csv", fixture.text()), fixture.options)
    #expect(result.accelerometer[1].time.nanoseconds == 10_000_000)
    #expect((result.accelerometer[0].specificForce.z + 9.80665 * TableFixture.gravity[2]).magnitude < 1e-12)
    #expect((result.gyroscope[0].angularVelocity.y + .pi).magnitude < 1e-15)
    #expect((result.magnetometer[0].magneticField.x - 20.5e-6).magnitude < 1e-18)
    // 14.5 psi of 6894.757293168361 Pa; 68 °F is 20 °C.
    #expect((result.pressure[0].pressure - 99_973.9807509412).magnitude < 1e-6)
    #expect((try #require(result.pressure[0].temperature) - 20).magnitude < 1e-12)
  }

  @Test func axesAreTurnedWithTheirSigns() throws {
    let text = "t,ax,ay,az,gx,gy,gz\n0,1,2,3,4,5,6\n"
    let map = "t=t[s] ax=ax[m/s^2] ay=ay az=az gx=gx[rad/s] gy=gy gz=gz"
    let result = try read(
      folder.write("a.csv", text), options(["map": map, "sign": "reaction", "axes": "x,-z,y"]))
    #expect(result.accelerometer[0].specificForce == Vector3(x: 1, y: -3, z: 2))
    #expect(result.gyroscope[0].angularVelocity == Vector3(x: 4, y: -6, z: 5))
  }

  @Test func aMapSaysThatTheMagnetometerIsCalibrated() throws {
    let file = try folder.write("a.csv", "t,x,y,z\n0,1,2,3\n1,1,2,3\n")
    for (word, isCalibrated) in [("", false), (" calibrated=no", false), (" calibrated=yes", true)] {
      let result = try read(file, options(["map": "t=t[s] mx=x[uT] my=y mz=z" + word]))
      #expect(result.recording.info.channel(.magnetometer)?.isCalibrated == isCalibrated)
    }
    for map in ["t=t[s] mx=x[uT] my=y mz=z calibrated=perhaps", "t=t[s] calibrated=yes ax=x[g] ay=y az=z"] {
      #expect(throws: SensorError.self) { try read(file, options(["map": map, "sign": "apple"])) }
    }
  }

  @Test func thePressureOfADiveIsOneOfWater() throws {
    let text = "t_s,abs_pressure_Pa,device_depth_m,temperature_C\n0,118558,1.631,30\n1,120070,1.781,\n"
    let map = "t=t_s[s] pw=abs_pressure_Pa[Pa] temp=temperature_C[degC]"
    let result = try read(folder.write("dive.csv", text), options(["map": map]))
    #expect(result.recording.info.kinds == .waterPressure && result.recording.info.water == SensorInfo.Water())
    #expect(result.pressure.map(\.pressure) == [118_558, 120_070] && result.pressure.map(\.temperature) == [30, nil])
    #expect(result.pressure.allSatisfy { $0.medium == .water } && result.recording.info.deviceClass == .watch)
  }

  @Test func aTableWithoutHeaderOrTimesIsReadByNumberAndRate() throws {
    for text in ["1,2,3\n4,5,6\n", "1 2 3\n4 5 6\n", "1;2;3\n4;5;6\n"] {
      let result = try read(
        folder.write("a.txt", text),
        options(["map": "ax=#1[g] ay=#2 az=#3", "sign": "apple", "rate": "50"]))
      #expect(result.accelerometer.map(\.time.nanoseconds) == [0, 20_000_000])
      #expect(
        result.accelerometer[1].reading == Vector3(x: 4, y: 5, z: 6) && result.accelerometer[1].unit == .reversedGravity
      )
      #expect(result.recording.info.name.contains("row number"))
    }
  }

  @Test(arguments: [
    "t;x;y;z\n0,5;1,25;-2,5;3e-1\n1,5;4;5;6\n", "0,5;1,25;-2,5;3e-1\n1,5;4;5;6\n",
    "0,5\t1,25\t-2,5\t0.3\n1,5\t4\t5\t6\n",
  ])
  func aCommaSeparatesDecimalsWhereItSeparatesNoFields(text: String) throws {
    let result = try read(
      folder.write("a.csv", text), options(["map": "t=#1[s] ax=#2[g] ay=#3 az=#4", "sign": "apple"]))
    #expect(result.accelerometer.map(\.time.nanoseconds) == [500_000_000, 1_500_000_000])
    #expect(result.accelerometer[0].reading == Vector3(x: 1.25, y: -2.5, z: 0.3))
  }

  @Test(arguments: [
    ("ax", ["m/s^2", "m/s2", "m/s²", "mps2", "m/s/s", "m / s^2"], "m/s^2"), ("ax", ["g", "G"], "g"),
    ("gx", ["deg/s", "dps", "DPS", "°/s", "deg/sec"], "deg/s"), ("mx", ["uT", "µT", "\u{3BC}T", "ut"], "uT"),
    ("mx", ["nT", "nt"], "nT"), ("mx", ["G", "Gauss", "gs"], "G"), ("mx", ["mG"], "mG"), ("ax", ["mg"], "mg"),
    ("t", ["ms", "msec", "millis"], "ms"), ("t", ["us", "µs"], "us"), ("p", ["hPa", "hpa"], "hPa"),
    ("temp", ["degC", "°C", "C"], "degC"),
  ])
  func aUnitIsUnderstoodInTheWaysItIsWritten(target: String, names: [String], unit: String) throws {
    for name in names { #expect(ColumnMap.unit(name, of: target)?.name == unit, "\(name)") }
    #expect(ColumnMap.unit("furlong", of: target) == nil && ColumnMap.unit("", of: target) == nil)
  }

  @Test func aTimeThatASpreadsheetHasRoundedIsRefused() throws {
    let text = "t,x,y,z\n150000000000,1,2,3\n1.50E+11,1,2,3\n"
    let error = try #require(
      failure(folder.write("a.csv", text), options(["map": "t=t[ns] ax=x[g] ay=y az=z", "sign": "apple"])))
    #expect(error.place?.line == 3 && error.place?.column == "t" && error.message.contains("spreadsheet"))
  }

  @Test(arguments: [
    "0.000000000000000000e+00,2.000000000000000042e-02", "1.6294033514526062E12,1.6294033514726062E12",
    "9e+04,1e+05", "1.5E+11,1.50000001E+11",
  ])
  func aTimeWithAnExponentIsRead(times: String) throws {
    let rows = times.split(separator: ",").map { "\($0),1,2,3\n" }.joined()
    let result = try read(
      folder.write("a.csv", "t,x,y,z\n" + rows), options(["map": "t=t[ms] ax=x[g] ay=y az=z", "sign": "apple"]))
    let numbers = times.split(separator: ",").compactMap { Double($0) }
    let span = result.accelerometer[1].time - result.accelerometer[0].time
    #expect(abs(span.seconds - (numbers[1] - numbers[0]) / 1000) < 1e-6)
  }

  @Test func columnNamesMayHoldBlanksAndTheirUnit() throws {
    // The column's own unit may be written in another way than the map's.
    let other = try read(
      folder.write("b.csv", "Time [ms],AccX[m/s2],AccY [m/s²],az\n5,1,2,3\n"),
      options(["map": "t=Time[msec] ax=AccX[mps2] ay=AccY az=az", "sign": "reaction"]))
    #expect(other.accelerometer[0].reading == Vector3(x: 1, y: 2, z: 3))
    let text = "Time [ms],Acc X (g),AccY[g],az\n5,1,2,3\n"
    let result = try read(
      folder.write("a.csv", text),
      options(["map": "t=Time[ms]  ax=Acc X (g)[g] ay=AccY az=az", "sign": "reaction"]))
    #expect(result.accelerometer[0].reading == Vector3(x: 1, y: 2, z: 3))
    #expect(result.accelerometer[0].time.nanoseconds == 5_000_000)
  }

  @Test func gravityUserAccelerationAndAttitudeAreRecordedMotion() throws {
    let text = "t,q0,q1,q2,q3,wx,wy,wz,g1,g2,g3,u1,u2,u3\n0,1,0,0,0,0.1,0.2,0.3,0,0,-1,0.5,0.25,0.125\n"
    let map =
      "t=t[s] qw=q0 qx=q1 qy=q2 qz=q3 gx=wx[rad/s] gy=wy gz=wz gravx=g1[g] gravy=g2 gravz=g3 userx=u1[g] usery=u2 userz=u3"
    var options = try options(["map": map, "sign": "apple"])
    let path = try folder.write("a.csv", text)
    #expect(try read(path, options).accelerometer[0].reading == Vector3(x: 0.5, y: 0.25, z: -0.875))
    options.motion = .recorded
    let motion = try #require(try read(path, options).fused.first)
    #expect(motion.gravity == Vector3(x: 0, y: 0, z: -1) && motion.angularVelocity == Vector3(x: 0.1, y: 0.2, z: 0.3))
  }

  @Test(arguments: [
    ("", "empty"), ("AccX", "not of the form target=column"), ("t=Time", "gives t no unit"),
    ("t=Time[h]", "unit [h] of t is unknown"),
    ("t=a[s] t=b[s]", "twice"), ("ax=a[g] ay=b", "but not az"), ("t=[s]", "names no column"),
    ("t=#0[s]", "not a column number"),
    ("t=#9999[s]", "not a column number"), ("ax=a[g] ay=b[mg] az=c", "different units"),
    ("t=t[s] p=a[Pa] pw=b[Pa]", "two pressures"),
    ("gravx=a[g] gravy=b gravz=c", "together"), ("bx=a[g]", "not of the form target=column"),
  ])
  func aMapThatMakesNoSenseIsRefusedInASentence(map: String, message: String) throws {
    let error = #expect(throws: SensorError.self) { try ColumnMap(map) }
    #expect(error?.code == .invalidRequest && error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.message.last == "." || error?.message.last == "…")
  }

  @Test(arguments: ["x,y", "x,y,y", "x,y,-z", "y,x,z", "a,b,c", "x,y,z,x", "--x,y,z", ""])
  func axesThatAreNoneOrAMirrorImageAreRefused(axes: String) {
    #expect(throws: SensorError.self) { try ColumnAxes(axes) }
  }

  @Test func whatTheTableLacksIsNamed() throws {
    let path = try folder.write("a.csv", "t,x,y,z\n0,1,2,3\n")
    let whole = "t=t[s] ax=x[g] ay=y az=z"
    #expect(failure(path, try options(["map": whole]))?.message.contains("--sign reaction") == true)
    #expect(
      failure(path, try options(["map": "t=t[s] ax=X[g] ay=y az=z", "sign": "apple"]))?.message.contains("\"t\", \"x\"")
        == true)
    #expect(
      failure(path, try options(["map": "ax=x[g] ay=y az=z", "sign": "apple"]))?.message.contains("--rate HZ") == true)
    #expect(
      failure(path, try options(["map": whole, "sign": "apple", "rate": "10"]))?.message.contains("remove the rate")
        == true)
    #expect(
      failure(path, try options(["map": "t=#5[s] ax=x[g] ay=y az=z", "sign": "apple"]))?.message.contains(
        "the table has 4")
        == true)
    #expect(failure(path, try options(["map": "t=t[s] ax=x[g] ay=x az=z", "sign": "apple"]))?.place?.column == "x")
    let known = try folder.write("log2.csv", Fixture.sensorLog())
    // What a person states holds for every table; a format that is none refuses it.
    let stated = try read(known, options(["sign": "reaction", "axes": "x,-z,y", "rate": "10"])).accelerometer
    let plain = try read(known).accelerometer
    #expect(stated[0].specificForce.y == plain[0].specificForce.z && stated[1].time.nanoseconds == 100_000_000)
    let ours = try folder.write(
      "a.ndjson", #"{"topic":"/sensor/accelerometer","timestamp_ns":0,"x":1,"y":2,"z":3}"# + "\n")
    #expect(failure(ours, try options(["sign": "apple"]))?.code == .invalidRequest)
    #expect(
      failure(path, try options(["map": whole, "sign": "apple", "format": "tidy"]))?.message.contains("A map") == true)
  }

  @Test func anUnknownHeaderIsAnsweredWithAMapToStartFrom() throws {
    // Without a row nothing is understood.
    let header = "t,ax,ay,az,gx,gy,gz\n"
    let message = try #require(failure(folder.write("log.csv", header))?.message)
    #expect(message.contains("It begins with \"t,ax,ay,az"))
    let quoted = message.split(separator: "\"")
    let map = try #require(quoted.first { $0.hasPrefix("t=COLUMN") })
    #expect(message.contains("--map \"\(map)\" --sign reaction"), "\(message)")
    // And it works with names in its places.
    let path = try folder.write("log.csv", header + "0,0,0,1,0,0,0\n1,0,0,1,0,0,0\n")
    let whole = map.split(separator: " ").map { $0.replacing("COLUMN", with: $0.prefix { $0 != "=" }) }
    #expect(try read(path, options(["map": whole.joined(separator: " "), "sign": "reaction"])).gyroscope.count == 2)
  }
}

/// Real files of other people that no format describes, read through a map.
@Suite(
  .enabled(if: SharedData.has("cmdevicemotion_sage"), "needs shared/data/cmdevicemotion_sage (OPENCOREMOTION_DATA)"))
struct MappedRealDataTests {
  private static let motion =
    "t=t_s[s] qw=qw qx=qx qy=qy qz=qz gx=rx[rad/s] gy=ry gz=rz gravx=gx[g] gravy=gy gravz=gz userx=ux[g] usery=uy userz=uz"

  @Test(arguments: [("walk", 2991), ("balance", 3002), ("rest_tremor", 862), ("kinetic_tremor", 869)])
  func phonesMotionIsReadAndOnlyTheRightSignFits(name: String, count: Int) throws {
    let path = SharedData.folder + "/cmdevicemotion_sage/\(name)_data.csv.gz"
    var options = try ReplayOptions(["map": Self.motion, "sign": "apple", "motion": "recorded"]).recording
    let result = try read(path, options)
    #expect(result.fused.count == count && result.accelerometer.count == count && result.recording.warnings == [])
    options.sign = .reaction
    #expect(try Recording.open(path: path, options: options).warnings.contains { $0.contains("180.0° apart") })
  }

  @Test(.enabled(if: SharedData.has("steps_mobilised"), "needs shared/data/steps_mobilised (OPENCOREMOTION_DATA)"))
  func aLowerBackSensorIsRead() throws {
    let map =
      "t=t_s[s] ax=acc_x_g[g] ay=acc_y_g az=acc_z_g gx=gyr_x_dps[deg/s] gy=gyr_y_dps gz=gyr_z_dps mx=mag_x_uT[uT] my=mag_y_uT mz=mag_z_uT p=bar_hPa[hPa]"
    let result = try read(
      SharedData.folder + "/steps_mobilised/HA001_Test5_Trial2.csv.gz",
      ReplayOptions(["map": map, "sign": "reaction"]).recording)
    #expect(result.accelerometer.count == 1075 && result.pressure.count == 1075 && result.recording.warnings == [])
  }

  @Test(.enabled(if: SharedData.has("running_adept"), "needs shared/data/running_adept (OPENCOREMOTION_DATA)"))
  func aRunnersHipIsRead() throws {
    let recording = try Recording.open(
      path: SharedData.folder + "/running_adept/run_hip_ankle_100hz.csv.gz",
      options: ReplayOptions(["map": "t=t_s[s] ax=hip_x_g[g] ay=hip_y_g az=hip_z_g", "sign": "reaction"]).recording)
    #expect(recording.info.channel(.accelerometer)?.rates == [100])
  }

  @Test(.enabled(if: SharedData.has("steps_oxford"), "needs shared/data/steps_oxford (OPENCOREMOTION_DATA)"))
  func aTableWithoutAHeaderIsRead() throws {
    let result = try read(
      SharedData.folder + "/steps_oxford/user2_hand_1506421987098.csv.gz",
      ReplayOptions(["map": "t=#1[ns] ax=#2[m/s^2] ay=#3 az=#4", "sign": "reaction", "errors": "skip"]).recording)
    #expect(result.accelerometer.count > 1000)
  }
}
