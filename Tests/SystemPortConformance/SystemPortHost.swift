public import SystemPort

/// An engine under test, with one app whose process the suite starts and ends.
///
/// Each clause gets a host of its own, on which the app has never run: nothing is stored, pending, delivered or permitted.
public protocol SystemPortHost: Sendable {
    /// The optional abilities of this host; clauses that need others are skipped.
    var abilities: Set<HostAbility> { get }

    /// Starts a process of the app, in the foreground or in the background. In the foreground the app answers that it wants
    /// notifications as banners and in the list.
    ///
    /// - Parameter endpoint: makes the app's end for the port of the process. The host passes the events of the system to it.
    /// - Returns: the port of the process.
    /// - Throws: when the process cannot be started.
    func launch(_ endpoint: @escaping @Sendable (any SystemPort) -> any AppEndpoint) async throws -> any SystemPort

    /// Ends the process that ``launch(_:)`` has started, with ``HostAbility/relaunch``.
    ///
    /// - Throws: when the process cannot be ended.
    func terminate() async throws

    /// Sets how the user answers requests for permission from now on, with ``HostAbility/permission``.
    ///
    /// - Parameter isAllowed: whether the user allows.
    /// - Throws: when the answer cannot be set.
    func setPermission(_ isAllowed: Bool) async throws

    /// Advances the device's clock and returns when everything that is due has happened, with ``HostAbility/time``.
    ///
    /// - Parameter time: 0 or more.
    /// - Throws: when the clock cannot be advanced.
    func advance(by time: Duration) async throws

    /// Taps a delivered notification as the user does, with ``HostAbility/tap``.
    ///
    /// - Parameter identifier: the identifier of the request.
    /// - Throws: when no such notification is on the screen.
    func tap(_ identifier: String) async throws
}

/// A thing that not every host can do.
public enum HostAbility: String, Hashable, Sendable, CaseIterable {
    /// The app's process can be ended and started again.
    case relaunch
    /// The user's answer to a request for permission can be chosen. Without it requests are allowed.
    case permission
    /// The device's clock can be advanced.
    case time
    /// Delivered notifications can be tapped.
    case tap
}

// A host overrides the methods of the abilities that it lists.
extension SystemPortHost {
    /// Throws ``ConformanceFailure``: the host lacks the ability.
    public func terminate() async throws { throw missing(.relaunch) }

    /// Throws ``ConformanceFailure``: the host lacks the ability.
    public func setPermission(_ isAllowed: Bool) async throws { throw missing(.permission) }

    /// Throws ``ConformanceFailure``: the host lacks the ability.
    public func advance(by time: Duration) async throws { throw missing(.time) }

    /// Throws ``ConformanceFailure``: the host lacks the ability.
    public func tap(_ identifier: String) async throws { throw missing(.tap) }

    private func missing(_ ability: HostAbility) -> ConformanceFailure {
        ConformanceFailure("The host says that it has '\(ability.rawValue)', and does not implement the method for it.")
    }
}

/// A promise of the port that an engine does not keep.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence with what was found and what was expected.
    public var description: String

    init(_ description: String) { self.description = description }
}
