// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What is linked into this program: the schemes of sources.
///
/// A product adds its own before `main`, by a pointer in the section of the executable that the dynamic linker runs
/// (`.init_array`; System V ABI, chapter 5): so linking it is enough. At that moment the Swift runtime may not have
/// registered all images; therefore ``atStart(_:)`` only stores a function, which runs when the registry is first read.
///
/// One of two places with global state (the other is the process's host): it only grows, and holds no state of any
/// source.
public enum SourceRegistry {
  private struct Content {
    var pending: [@convention(c) () -> Void] = []
    var schemes: [SourceScheme] = []
  }

  private static let content = Lock(Content())
  /// Held while the stored functions run, so that no reader gets an incomplete registry.
  private static let starting = Lock(())

  /// Stores a function that adds schemes; it runs once, when the registry is first read.
  public static func atStart(_ register: @escaping @convention(c) () -> Void) {
    content.withLock { $0.pending.append(register) }
  }

  /// Adds a scheme. One of the same name that was added earlier is replaced.
  public static func add(_ scheme: SourceScheme) {
    content.withLock { content in
      content.schemes.removeAll { $0.name == scheme.name }
      content.schemes.append(scheme)
      content.schemes.sort { ($0.rank, $0.name) < ($1.rank, $1.name) }
    }
  }

  /// All schemes, by rank.
  public static var schemes: [SourceScheme] { current.schemes }

  /// The scheme of a name; nil = no linked product has it.
  public static func scheme(_ name: String) -> SourceScheme? { schemes.first { $0.name == name } }

  private static var current: Content {
    starting.withLock { _ in
      let pending = content.withLock { exchange(&$0.pending, with: []) }
      for register in pending { register() }
    }
    return content.withLock { $0 }
  }
}
