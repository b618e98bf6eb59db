// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

// What a page calls in WebAssembly. All state is one value at an address that the page gives, so that nothing is
// allocated: `__heap_base`, with `attitude_size()` free bytes. Scripts/build-wasm.sh compiles it, with the file of
// `BrowserSigns`.

/// The state of a page: first what it reads, then the filter.
struct AttitudePage {
  /// w, x, y, z (device to east-north-up, the azimuth arbitrary), tilt deviation in rad, rest 0 or 1, sign 0…2, rate
  /// order 0…1.
  var output = SIMD8<Double>(1, 0, 0, 0, .pi, 0, 0, 0)
  var signs = BrowserSigns()
  var filter = OrientationFilter(usesMagnetometer: false)

  /// True once there is an attitude.
  mutating func update(_ reading: BrowserReading) -> Bool {
    signs.update(reading)
    output[6] = Double(signs.acceleration.rawValue)
    output[7] = Double(signs.rateOrder.rawValue)
    guard let (rate, force) = signs.inertial(reading), abs(reading.time) < 9e12 else { return false }
    let time = Int64(reading.time * 1e6)
    filter.update(angularVelocity: rate, atNanoseconds: time)
    filter.update(specificForce: force, atNanoseconds: time)
    guard let attitude = filter.attitude else { return false }
    let rest: Double = filter.isAtRest ? 1 : 0
    (output[0], output[1], output[2], output[3]) = (attitude.w, attitude.x, attitude.y, attitude.z)
    (output[4], output[5]) = (filter.inclinationStandardDeviation, rest)
    return true
  }
}

#if arch(wasm32)
@_expose(wasm, "attitude_size") @_cdecl("attitude_size")
public func attitudeSize() -> Int32 { Int32(MemoryLayout<AttitudePage>.size) }

@_expose(wasm, "attitude_start") @_cdecl("attitude_start")
public func attitudeStart(_ state: UnsafeMutableRawPointer) {
  state.initializeMemory(as: AttitudePage.self, to: AttitudePage())
}

/// A reading as the browser gives it (ms, m/s², °/s), and the angles of the latest `deviceorientation` event or NaN;
/// `faceUp`: not 0 when the user says that the screen points up. Not 0 once there is an attitude.
@_expose(wasm, "attitude_update") @_cdecl("attitude_update")
public func attitudeUpdate(
  _ state: UnsafeMutableRawPointer, _ time: Double, _ x: Double, _ y: Double, _ z: Double, _ alpha: Double,
  _ beta: Double, _ gamma: Double, _ orientationBeta: Double, _ orientationGamma: Double, _ faceUp: Int32
) -> Int32 {
  let page = state.assumingMemoryBound(to: AttitudePage.self)
  let reading = BrowserReading(
    time: time, acceleration: Vector3(x: x, y: y, z: z), alpha: alpha, beta: beta, gamma: gamma,
    up: BrowserReading.up(beta: orientationBeta, gamma: orientationGamma))
  if faceUp != 0 { page.pointee.signs.lieFaceUp(reading) }
  return page.pointee.update(reading) ? 1 : 0
}
#endif
