// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import NetworkSources

/// Signs and axes of a browser, found in its data.
struct BrowserSignsTests {
  /// The signs after some readings of a phone.
  private static func signs(_ phone: inout BrowserPhone, after count: Int) -> BrowserSigns {
    var signs = BrowserSigns()
    for _ in 0..<count { signs.update(phone.next()) }
    return signs
  }

  @Test(arguments: [(1.0, BrowserSigns.Acceleration.reaction), (-1, .gravity)])
  func theOrientationTellsTheSignInEightReadings(sign: Double, expected: BrowserSigns.Acceleration) {
    var phone = BrowserPhone(sign: sign)
    #expect(Self.signs(&phone, after: 7).acceleration == .unknown)
    phone = BrowserPhone(sign: sign)
    #expect(Self.signs(&phone, after: 8).acceleration == expected)
  }

  @Test(arguments: [1.0, -1])
  func bothSignsGiveThisPackagesOwn(sign: Double) throws {
    var phone = BrowserPhone(sign: sign, isRounded: false, rate: Vector3(x: 0.3, y: -0.2, z: 0.1))
    let signs = Self.signs(&phone, after: 20)
    let (rate, force) = try #require(signs.inertial(phone.next()))
    #expect((rate - phone.truth.rate).length < 1e-12)
    #expect((force - phone.truth.force).length < 1e-12)
  }

  @Test func withoutOrientationTheFaceUpTestDecides() {
    var phone = BrowserPhone(sign: -1, hasOrientation: false)
    phone.attitude = .identity
    var signs = Self.signs(&phone, after: 600)
    #expect(signs.acceleration == .unknown)
    #expect(signs.inertial(phone.next()) == nil)
    signs.lieFaceUp(phone.next())
    #expect(signs.acceleration == .gravity)
    #expect(signs.changes == 0)
  }

  @Test func aPhoneOnItsSideIsNotFaceUp() {
    var phone = BrowserPhone(hasOrientation: false)
    phone.attitude = Rotation(rotationVector: Vector3<Device>(x: 0, y: 1.5, z: 0))
    var signs = BrowserSigns()
    signs.lieFaceUp(phone.next())
    #expect(signs.acceleration == .unknown)
  }

  @Test(arguments: [BrowserSigns.RateOrder.xyz, .zxy], [1.0, -1])
  func turningTellsTheOrderOfTheRates(order: BrowserSigns.RateOrder, sign: Double) throws {
    for axis in [Vector3<Device>(x: 1.5, y: 0, z: 0), Vector3(x: 0, y: 1.5, z: 0), Vector3(x: 1, y: -0.5, z: 0.8)] {
      var phone = BrowserPhone(sign: sign, order: order, rate: axis)
      let signs = Self.signs(&phone, after: 180)
      #expect(signs.rateOrder == order)
      #expect(signs.changes == (order == .xyz ? 0 : 1))
      let (rate, _) = try #require(signs.inertial(phone.next()))
      #expect((rate - axis).length < 0.1 * .pi / 180)
    }
  }

  @Test func aBrowserWithoutOrientationShowsItsOrderByGravity() {
    var phone = BrowserPhone(order: .zxy, hasOrientation: false, rate: Vector3(x: 1.2, y: 0.7, z: 0))
    #expect(Self.signs(&phone, after: 180).rateOrder == .zxy)
  }

  @Test func aQuietPhoneKeepsTheOrderWhateverItsBias() {
    var phone = BrowserPhone()
    var signs = BrowserSigns()
    for _ in 0..<3600 {
      var reading = phone.next()
      reading.alpha += 1.5
      signs.update(reading)
    }
    #expect(signs.rateOrder == .xyz)
    #expect(signs.changes == 0)
  }

  @Test func whatDataContradictIsChangedAndCounted() {
    var phone = BrowserPhone()
    var signs = Self.signs(&phone, after: 100)
    phone.sign = -1
    for _ in 0..<100 { signs.update(phone.next()) }
    #expect(signs.acceleration == .gravity)
    #expect(signs.changes == 1)
  }

  @Test func upOfTheOrientationIsTheThirdRowOfItsRotation() throws {
    // Upright, face to the person; lying on its left side's edge; face up.
    for (beta, gamma, expected) in [
      (90.0, 0.0, Vector3<Device>(x: 0, y: 1, z: 0)), (0, -90, Vector3(x: 1, y: 0, z: 0)),
      (0, 0, Vector3(x: 0, y: 0, z: 1)),
    ] {
      let up = try #require(BrowserReading.up(beta: beta, gamma: gamma))
      #expect((up - expected).length < 1e-12)
    }
    #expect(BrowserReading.up(beta: .nan, gamma: 0) == nil)
  }
}
