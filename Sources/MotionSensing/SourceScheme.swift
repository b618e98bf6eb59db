// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A kind of motion source as a value: what stands before the colon of an address such as `iio:` or `replay:walk.csv`.
///
/// A product registers its schemes when it is linked (``SourceRegistry``); the host opens and lists them, and has none
/// of its own. A scheme of yours, in a package of yours:
///
/// ```swift
/// import MotionSensing
///
/// @section(".init_array") @used
/// private let registerDice: @convention(c) () -> Void = {
///   SourceRegistry.atStart {
///     SourceRegistry.add(
///       SourceScheme("dice", form: "dice:SIDES") { address, context throws(SensorError) in
///         try DiceSource(path: address.path, options: address.options)
///       })
///   }
/// }
/// ```
public struct SourceScheme: Sendable {
  /// What the host does when no source is named.
  public struct Automatic: Sendable {
    /// The role that the source then plays.
    public var role: SourceRole
    /// What there is none of when ``find`` gives nil, to continue "there is neither": "a game controller with motion
    /// sensors".
    public var subject: String
    /// The best source of this kind, or its address alone, which the host then opens; nil where there is none. Nothing
    /// may be sent to a device here.
    public var find: @Sendable (SourceContext) -> DiscoveredSource?

    /// A rule for one role.
    public init(
      _ role: SourceRole, subject: String, find: @escaping @Sendable (SourceContext) -> DiscoveredSource?
    ) {
      (self.role, self.subject, self.find) = (role, subject, find)
    }
  }

  /// Opens the source of an address, the options of the host taken out. Throws `.notFound` where it is not there, and
  /// `.invalidRequest` for an option that is not understood.
  public typealias Open = @Sendable (SourceURI, SourceContext) throws(SensorError) -> any SensorSource

  /// Before the colon, lower case: "iio". Or one whole address, such as "simulate:headphones", which this scheme opens
  /// instead of the one of its first word.
  public var name: String
  /// How its addresses look, for sentences: "iio:", "replay:PATH".
  public var form: String
  /// Its place among the schemes: where two could serve, and in lists, the lower one comes first. Default 1000; those
  /// of this package are below.
  public var rank: Int
  /// Live, the default: real sensors, which run in real time. On demand: recordings and simulations, whose addresses
  /// take the host's options `speed` and `gate`.
  public var pacing: SensorInfo.Pacing
  /// Whether a source can go on where it stopped (the host's option `resume`). Default: no.
  public var canResume: Bool
  /// Opens a source.
  public var open: Open
  /// The sources that are there, found without disturbing a device. Default: none.
  public var discover: @Sendable (SourceContext) -> [DiscoveredSource]
  /// Default nil: the host uses a source of this kind only by its address.
  public var automatic: Automatic?

  /// A scheme; everything but name, form and `open` has a default.
  public init(
    _ name: String, form: String, rank: Int = 1000, pacing: SensorInfo.Pacing = .live, canResume: Bool = false,
    discover: @escaping @Sendable (SourceContext) -> [DiscoveredSource] = { _ in [] }, automatic: Automatic? = nil,
    open: @escaping Open
  ) {
    (self.name, self.form, self.rank, self.pacing, self.canResume) = (name, form, rank, pacing, canResume)
    (self.discover, self.automatic, self.open) = (discover, automatic, open)
  }
}

/// What a source is used for.
public enum SourceRole: Sendable, Hashable {
  /// The sensors of the device itself (`MOTION_SOURCE`).
  case device
  /// The sensors of connected headphones (`MOTION_HEADPHONES`).
  case headphones
}

/// Where a scheme looks for its sources, and what it may use.
public struct SourceContext: Sendable {
  /// The folder that stands for `/`. Default: the system's own.
  public var root: SystemRoot
  /// What the source will be used for. Default: the device.
  public var role: SourceRole
  /// Called with one sentence for a person: what to do, and what is wrong while the source goes on. Default: nowhere.
  public var notice, warning: @Sendable (String) -> Void
  /// What the sources that were opened in one context have in common, such as a port on which they listen.
  public let shared: SharedResources

  /// A context; omit what a scheme does not need.
  public init(
    root: SystemRoot = SystemRoot(), role: SourceRole = .device, shared: SharedResources = SharedResources(),
    notice: @escaping @Sendable (String) -> Void = { _ in }, warning: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.root, self.role, self.shared) = (root, role, shared)
    (self.notice, self.warning) = (notice, warning)
  }
}

/// One value of each type, made at first use.
public final class SharedResources: Sendable {
  private let values = Lock<[ObjectIdentifier: any Sendable]>([:])

  /// Nothing yet.
  public init() {}

  /// The value of a type, made by `make` when it is asked for first.
  public func value<Value: Sendable>(_ type: Value.Type = Value.self, make: () -> Value) -> Value {
    values.withLock { values in
      if let value = values[ObjectIdentifier(type)] as? Value { return value }
      let value = make()
      values[ObjectIdentifier(type)] = value
      return value
    }
  }
}

/// A source that is there.
public struct DiscoveredSource: Sendable {
  /// What to write into `MOTION_SOURCE` or `MOTION_HEADPHONES`.
  public var address: String
  /// One line for a person.
  public var summary: String
  /// The source, not running; nil where it is named without being opened.
  public var source: (any SensorSource)?
  /// Why it cannot be opened; nil when it can.
  public var problem: SensorError?
  /// Whether this user may read it, as far as that is known without opening it. Default: yes.
  public var isReadable: Bool

  /// A source with its address; omit what is not known.
  public init(
    address: String, summary: String, source: (any SensorSource)? = nil, problem: SensorError? = nil,
    isReadable: Bool = true
  ) {
    (self.address, self.summary, self.source) = (address, summary, source)
    (self.problem, self.isReadable) = (problem, isReadable)
  }
}

/// The root of the file system in which the kernel's devices are found: the system's own, or a folder used instead,
/// such as the tree of a test.
public struct SystemRoot: Sendable, Hashable {
  /// Without a trailing slash. Empty, the default: the system's own `/`.
  public var path: String

  /// The root at a path, by default the system's own.
  public init(_ path: String = "") { self.path = path }

  /// The device nodes.
  package var nodes: String { path + "/dev" }
}
