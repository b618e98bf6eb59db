// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The names of an app's life and what Linux can answer about it. There is no app object with windows, scenes or a
/// delegate, and no notification is posted: nothing suspends a Linux process.
@preconcurrency @MainActor
open class UIApplication: NSObject {
  /// Whether an app is in front.
  public enum State: Int, Sendable {
    /// In front, as a Linux process is counted.
    case active = 0
    /// Between the two.
    case inactive = 1
    /// Behind.
    case background = 2
  }

  /// The keys of the launch options.
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String

    /// A key by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Started for a location; never set.
    public static let location = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocationKey")
  }

  /// The keys for `open(_:options:completionHandler:)`.
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    /// Its name.
    public let rawValue: String

    /// A key by its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// This process.
  public static let shared = UIApplication()

  /// Never posted.
  public nonisolated static let didFinishLaunchingNotification = Notification.Name(
    "UIApplicationDidFinishLaunchingNotification")
  /// Never posted.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Never posted.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Never posted.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Never posted.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Never posted.
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
  /// Never posted.
  public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
    "UIApplicationDidReceiveMemoryWarningNotification")
  /// An address that nothing opens.
  public nonisolated static let openSettingsURLString = "app-settings:"

  /// Always `active`.
  open var applicationState: State { .active }
  /// Always `unknown`.
  open var statusBarOrientation: UIInterfaceOrientation { .unknown }
  /// Stays false: no display is kept on.
  open var isIdleTimerDisabled: Bool {
    get { false }
    set {}
  }
  /// Seconds: without end, because nothing suspends the process.
  open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

  /// Always `invalid`: there is no task to begin, and the handler is never called.
  open func beginBackgroundTask(expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil)
    -> UIBackgroundTaskIdentifier
  {
    .invalid
  }
  /// Always `invalid`: there is no task to begin, and the handler is never called.
  open func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    .invalid
  }
  /// Nothing has begun that would end.
  open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  /// Always false.
  open func canOpenURL(_ url: URL) -> Bool { false }
  /// Opens nothing and calls the handler with false.
  open func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {
    completion?(false)
  }
}

/// A task that goes on behind.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// Its number.
  public let rawValue: Int

  /// A task by its number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// None.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
