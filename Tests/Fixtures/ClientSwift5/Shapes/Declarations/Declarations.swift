// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion

/// A group of the module's declarations, each named with its exact type: what does not fit does not compile.
@MainActor protocol Declarations {
  func checkAll()
  /// Those that are deprecated.
  func checkDeprecated()
}

@MainActor private var wrong = 0

extension Declarations {
  func checkDeprecated() {}

  func read<Root, Value>(_ root: Root, _ path: KeyPath<Root, Value>, as: Value.Type) { _ = root[keyPath: path] }

  /// A value that a declaration must have, such as the raw value of a case.
  func expect(_ condition: Bool, line: Int = #line) {
    guard !condition else { return }
    wrong += 1
    print("\(Self.self): line \(line) does not hold")
  }

  func hold() -> Bool {
    let before = wrong
    checkAll()
    checkDeprecated()
    return wrong == before
  }
}

@MainActor
func declarationShapes(_ runner: Runner) {
  runner.check("the declarations of the samples") { SampleDeclarations().hold() }
  runner.check("the declarations of the services") { ServiceDeclarations().hold() }
  runner.check("the declarations of headphones, batches, altimeter and water") { SensorServiceDeclarations().hold() }
}
