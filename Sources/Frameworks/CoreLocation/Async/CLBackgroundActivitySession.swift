import SystemPort

/// Keeps an app in use while it is in the background (iOS 17 and later): with access while in use it goes on getting locations, and
/// events of its regions and monitors.
///
/// It is active for an app that may use the location, has the background mode `location`, and is in the foreground when it begins. It
/// ends with ``invalidate()``, or when nobody keeps it. If the app ends, it is launched for events; it then has to begin the session
/// again. Source: Apple, `CLBackgroundActivitySession`.
public final class CLBackgroundActivitySession: Sendable {
    /// The reasons why a session is not active.
    public struct Diagnostic: Sendable {
        /// Whether the user has denied the app its location.
        public let authorizationDenied: Bool
        /// Whether the user turned off Location Services.
        public let authorizationDeniedGlobally: Bool
        /// Whether a restriction of the device denies it; always false here.
        public let authorizationRestricted: Bool
        /// Whether the user has not answered yet.
        public let authorizationRequestInProgress: Bool
        /// Whether the session began in the background, or the app has no background mode `location`.
        public let insufficientlyInUse: Bool
        /// Always false; see ``CLLocationUpdate/serviceSessionRequired``.
        public let serviceSessionRequired: Bool

        init(_ facts: LocationFacts) {
            authorizationDenied = facts.authorization == .denied
            authorizationDeniedGlobally = !facts.areServicesEnabled
            authorizationRestricted = facts.authorization == .restricted
            authorizationRequestInProgress = facts.authorization == .notDetermined
            insufficientlyInUse = facts.authorization.isGranted && !facts.hasActivity
            serviceSessionRequired = false
        }
    }

    /// The diagnostics now and after each change, until the session ends.
    public final class Diagnostics: AsyncSequence, Sendable {
        public typealias Element = Diagnostic
        private let watch: AccessWatch

        init(_ watch: AccessWatch) { self.watch = watch }

        /// Gives the diagnostics one by one.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<AccessWatch.Access>.Iterator

            public mutating func next() async throws -> Diagnostic? { await base.next().map { Diagnostic($0.facts) } }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(base: watch.accesses().makeAsyncIterator()) }
    }

    private let watch: AccessWatch

    /// Begins a background activity, which lasts until ``invalidate()`` or the end of the object.
    public init() {
        watch = AccessWatch(port: CurrentPort.find())
        watch.begin { _ in }
        watch.port.call(.location(.startActivity)) { [watch] _ in watch.report() }
    }

    /// The diagnostics of the session: the current one first, then each change.
    public var diagnostics: Diagnostics { Diagnostics(watch) }

    /// Ends the session, and its diagnostics.
    public func invalidate() {
        if watch.end() { watch.port.call(.location(.endActivity)) }
    }

    deinit { invalidate() }
}
