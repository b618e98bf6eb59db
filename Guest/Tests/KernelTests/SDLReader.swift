// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// SDL as Debian has it, loaded when it is needed: a program that knows nothing of us reads a controller with it.
///
/// `test.sh` puts the library beside the tests. Constants and the layout of events are those of SDL 2.26's headers
/// (SDL_events.h, SDL_sensor.h).
final class SDLReader {
  /// SDL_SENSOR_ACCEL, m/s², and SDL_SENSOR_GYRO, rad/s.
  enum Sensor: Int32, CaseIterable { case accelerometer = 1, gyroscope = 2 }

  /// SDL_ControllerSensorEvent.
  struct Event {
    var controller: Int32
    var sensor: Sensor
    /// x right, y up, z to the player.
    var values: SIMD3<Double>
    /// The controller's own time, s.
    var time: Double
    /// When the program had it, s of CLOCK_MONOTONIC.
    var arrival: Double
  }

  private typealias Controller = OpaquePointer
  private let library: UnsafeMutableRawPointer
  private let poll: @convention(c) (UnsafeMutableRawPointer?) -> Int32
  private let identify: @convention(c) (Controller?) -> Int32
  private let joystick: @convention(c) (Controller?) -> OpaquePointer?
  /// By SDL's number, and the name that SDL gives each.
  private(set) var controllers: [Int32: String] = [:]
  private(set) var removed: [Int32] = []

  /// Starts SDL, opens every controller that there is, and switches on its gyroscope and accelerometer.
  init() throws {
    guard let library = dlopen("libSDL2-2.0.so.0", RTLD_NOW) else {
      throw Guest.Failure(description: String(cString: dlerror()))
    }
    self.library = library
    func function<T>(_ name: String, _ type: T.Type) throws -> T {
      guard let symbol = dlsym(library, name) else { throw Guest.Failure(description: "SDL has no \(name).") }
      return unsafeBitCast(symbol, to: type)
    }
    poll = try function("SDL_PollEvent", (@convention(c) (UnsafeMutableRawPointer?) -> Int32).self)
    joystick = try function(
      "SDL_GameControllerGetJoystick", (@convention(c) (Controller?) -> OpaquePointer?).self)
    identify = try function("SDL_JoystickInstanceID", (@convention(c) (OpaquePointer?) -> Int32).self)
    let begin = try function("SDL_InitSubSystem", (@convention(c) (UInt32) -> Int32).self)
    let count = try function("SDL_NumJoysticks", (@convention(c) () -> Int32).self)
    let open = try function("SDL_GameControllerOpen", (@convention(c) (Int32) -> Controller?).self)
    let name = try function(
      "SDL_GameControllerName", (@convention(c) (Controller?) -> UnsafePointer<CChar>?).self)
    let enable = try function(
      "SDL_GameControllerSetSensorEnabled", (@convention(c) (Controller?, Int32, Int32) -> Int32).self)
    // SDL_INIT_GAMECONTROLLER
    guard begin(0x2000) == 0 else { throw Guest.Failure(description: "SDL does not start.") }
    for index in 0..<count() {
      guard let controller = open(index),
        Sensor.allCases.allSatisfy({ enable(controller, $0.rawValue, 1) == 0 })
      else { continue }
      controllers[identify(joystick(controller))] = name(controller).map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    if let quit = dlsym(library, "SDL_QuitSubSystem") {
      unsafeBitCast(quit, to: (@convention(c) (UInt32) -> Void).self)(0x2000)
    }
  }

  /// Looks for events four times a millisecond, for at most so long or until one says that it is enough.
  func read(for seconds: Double, until isEnough: (SDLReader) -> Bool = { _ in false }) -> [Event] {
    let end = Guest.now + seconds
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { bytes in
      while Guest.now < end, !isEnough(self) {
        while poll(bytes.baseAddress) != 0 {
          let arrival = Guest.now
          func number(_ offset: Int) -> Int32 { bytes.load(fromByteOffset: offset, as: Int32.self) }
          switch number(0) {
          // SDL_CONTROLLERSENSORUPDATE
          case 0x659:
            guard let sensor = Sensor(rawValue: number(12)) else { continue }
            func value(_ axis: Int) -> Double { Double(bytes.load(fromByteOffset: 16 + 4 * axis, as: Float.self)) }
            events.append(
              Event(
                controller: number(8), sensor: sensor, values: SIMD3(value(0), value(1), value(2)),
                time: Double(bytes.load(fromByteOffset: 32, as: UInt64.self)) / 1e6, arrival: arrival))
          // SDL_CONTROLLERDEVICEREMOVED
          case 0x654: removed.append(number(8))
          default: break
          }
        }
        usleep(250)
      }
    }
    return events
  }
}
