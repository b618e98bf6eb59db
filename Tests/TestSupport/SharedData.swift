// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Real recordings outside the repository: `$OPENCOREMOTION_DATA`, else `shared/data` beside the checkout.
package enum SharedData {
  package static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["OPENCOREMOTION_DATA"] { return path }
    return package.deletingLastPathComponent().appendingPathComponent("shared/data").path
  }()

  /// The root of the checkout.
  package static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  package static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
  package static func path(_ name: String) -> String { folder + "/" + name }
}
