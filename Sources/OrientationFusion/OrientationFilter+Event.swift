// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension OrientationFilter {
  /// Takes in what happened: the same as the method for it.
  public mutating func update(_ event: OrientationEvent) {
    switch event {
    case .angularVelocity(let rate, let time): update(angularVelocity: rate, atNanoseconds: time)
    case .specificForce(let force, let time): update(specificForce: force, atNanoseconds: time)
    case .magneticField(let field, let deviation, let time):
      update(magneticField: field, hardIronDeviation: deviation, atNanoseconds: time)
    case .forgottenHeading: forgetHeading()
    }
  }
}
