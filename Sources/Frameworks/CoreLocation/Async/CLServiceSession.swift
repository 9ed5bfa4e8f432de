import SystemPort

/// The access to the location that a part of an app needs (iOS 18 and later).
///
/// A session asks the user for it, and its ``diagnostics`` say what is missing. It ends with ``invalidate()``, or when nobody keeps it.
public final class CLServiceSession: Sendable {
    /// The access that the session needs.
    public enum AuthorizationRequirement: Sendable {
        /// The session asks for nothing.
        case none
        /// Permission to use the location while the app is in use.
        case whenInUse
        /// Permission to use the location at any time.
        case always
    }

    /// The reasons why a session does not have what it needs.
    public struct Diagnostic: Sendable {
        /// Whether the user has denied the app its location.
        public let authorizationDenied: Bool
        /// Whether the user turned off Location Services.
        public let authorizationDeniedGlobally: Bool
        /// Whether a restriction of the device denies it; always false here.
        public let authorizationRestricted: Bool
        /// Whether the user has not answered yet.
        public let authorizationRequestInProgress: Bool
        /// Whether the session needs access at any time, and has it only while the app is in use.
        public let alwaysAuthorizationDenied: Bool
        /// Whether the session needs exact locations and the user refused them.
        public let fullAccuracyDenied: Bool
        /// Always false: the emulated device lets a session begin in the background too.
        public let insufficientlyInUse: Bool
        /// Always false for a session itself; see ``CLLocationUpdate/serviceSessionRequired``.
        public let serviceSessionRequired: Bool

        init(_ access: AccessWatch.Access, _ requirement: AuthorizationRequirement) {
            let facts = access.facts
            authorizationDenied = facts.authorization == .denied
            authorizationDeniedGlobally = !facts.areServicesEnabled
            authorizationRestricted = facts.authorization == .restricted
            authorizationRequestInProgress = requirement != .none && facts.authorization == .notDetermined
            alwaysAuthorizationDenied = requirement == .always && facts.authorization == .whenInUse
            fullAccuracyDenied = access.isFullAccuracyDenied
            insufficientlyInUse = false
            serviceSessionRequired = false
        }
    }

    /// The diagnostics now and after each change, until the session ends.
    public final class Diagnostics: AsyncSequence, Sendable {
        public typealias Element = Diagnostic
        private let watch: AccessWatch
        private let requirement: AuthorizationRequirement

        init(_ watch: AccessWatch, _ requirement: AuthorizationRequirement) {
            self.watch = watch
            self.requirement = requirement
        }

        /// Gives the diagnostics one by one.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<AccessWatch.Access>.Iterator
            let requirement: AuthorizationRequirement

            public mutating func next() async throws -> Diagnostic? {
                await base.next().map { Diagnostic($0, requirement) }
            }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(base: watch.accesses().makeAsyncIterator(), requirement: requirement)
        }
    }

    private let watch: AccessWatch
    private let requirement: AuthorizationRequirement

    /// Begins a session, which asks the user for access if necessary.
    public convenience init(authorization: AuthorizationRequirement) { self.init(authorization, purposeKey: nil) }

    /// Begins a session that also asks the user for exact locations if the app gets approximate ones.
    ///
    /// - Parameters:
    ///   - authorization: the access that the session needs.
    ///   - fullAccuracyPurposeKey: a key of `NSLocationTemporaryUsageDescriptionDictionary` in the Info.plist.
    public convenience init(authorization: AuthorizationRequirement, fullAccuracyPurposeKey: String) {
        self.init(authorization, purposeKey: fullAccuracyPurposeKey)
    }

    private init(_ requirement: AuthorizationRequirement, purposeKey: String?) {
        let port = CurrentPort.find()
        self.requirement = requirement
        watch = AccessWatch(port: port, purposeKey: purposeKey)
        LocationSlot.of(port).countSession(1)
        watch.begin { manager in
            switch requirement {
            case .none: break
            case .whenInUse: manager.requestWhenInUseAuthorization()
            case .always: manager.requestAlwaysAuthorization()
            }
        }
    }

    /// The diagnostics of the session: the current one first, then each change.
    public var diagnostics: Diagnostics { Diagnostics(watch, requirement) }

    /// Ends the session, and its diagnostics.
    public func invalidate() {
        if watch.end() { LocationSlot.of(watch.port).countSession(-1) }
    }

    deinit { invalidate() }
}
