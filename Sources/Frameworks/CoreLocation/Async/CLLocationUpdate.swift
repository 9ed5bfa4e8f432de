import Foundation
import SystemPort

/// A location, or the reason why there is none (iOS 17 and later).
public struct CLLocationUpdate: Sendable {
    /// The location; nil if there is none now.
    public let location: CLLocation?
    /// Always false: an emulated device does not stop the updates of a device that rests.
    public let stationary: Bool
    /// Whether the app gets approximate locations.
    public let accuracyLimited: Bool
    /// Whether the user denied the app its location.
    public let authorizationDenied: Bool
    /// Whether the user turned off Location Services.
    public let authorizationDeniedGlobally: Bool
    /// Whether a restriction of the device denies the location; always false here.
    public let authorizationRestricted: Bool
    /// Whether the user has not answered yet.
    public let authorizationRequestInProgress: Bool
    /// Whether the device does not know its location.
    public let locationUnavailable: Bool
    /// Whether the app needs a ``CLServiceSession`` and has none: its Info.plist has `NSLocationRequireExplicitServiceSession` (iOS 18).
    public let serviceSessionRequired: Bool

    /// Whether the device has stopped moving; always false here.
    @available(iOS, introduced: 17.0, deprecated: 18.0, renamed: "stationary")
    public var isStationary: Bool { stationary }

    init(_ location: CLLocation?, _ port: any SystemPort, isUnavailable: Bool = false) {
        let facts = port.facts.location
        self.location = location
        stationary = false
        accuracyLimited = facts.isReduced
        authorizationDenied = facts.authorization == .denied
        authorizationDeniedGlobally = !facts.areServicesEnabled
        authorizationRestricted = facts.authorization == .restricted
        authorizationRequestInProgress = facts.authorization == .notDetermined
        locationUnavailable = isUnavailable
        serviceSessionRequired = AccessRequest.lacksSession(on: port)
    }

    /// The movement that the app expects; it changes nothing on an emulated device.
    public enum LiveConfiguration: Sendable {
        /// The kind of movement that is expected; without effect here.
        case `default`, automotiveNavigation, otherNavigation, fitness, airborne
        /// A vessel (iOS 27); without effect here.
        case maritime
    }

    /// Returns the locations from now on, as `startUpdatingLocation()` reports them, until the iteration ends.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(port: CurrentPort.find())
    }

    /// Locations as they are reported.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = CLLocationUpdate
        let port: any SystemPort

        /// Gives the updates one by one; each device has its own.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<CLLocationUpdate>.Iterator

            public mutating func next() async throws -> CLLocationUpdate? { await base.next() }
        }

        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream<CLLocationUpdate>.makeStream()
            let source = LiveSource(port: port, continuation)
            continuation.onTermination = { _ in source.stop() }
            source.start()
            return Iterator(base: stream.makeAsyncIterator())
        }
    }
}

/// Feeds a stream from a manager of its own. `@unchecked Sendable`: what it holds does not change, and a manager's calls lock.
private final class LiveSource: NSObject, FrameworkDelegate, @unchecked Sendable {
    private let port: any SystemPort
    private let manager = CLLocationManager()
    private let continuation: AsyncStream<CLLocationUpdate>.Continuation

    init(port: any SystemPort, _ continuation: AsyncStream<CLLocationUpdate>.Continuation) {
        self.port = port
        self.continuation = continuation
    }

    func start() {
        CurrentPort.with(port) {
            manager.delegate = self
            AccessRequest.implicit(of: manager, on: port)
            manager.startUpdatingLocation()
        }
    }

    func stop() { CurrentPort.with(port) { manager.stopUpdatingLocation() } }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations { continuation.yield(CLLocationUpdate(location, port)) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        let isUnavailable = (error as? CLError)?.code == .locationUnknown
        continuation.yield(CLLocationUpdate(nil, port, isUnavailable: isUnavailable))
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        if !port.facts.location.authorization.isGranted { continuation.yield(CLLocationUpdate(nil, port)) }
    }
}
