/// The subject of a journey.
public enum JourneySubject: Hashable, Sendable {
    /// A push, by its apns-id in lower case; its journey continues in the service.
    case push(apnsID: String)
    /// A local notification: known to its device alone.
    case local(device: String, app: String, request: String)
}

/// The receiver of journey events from service, gateway and device.
///
/// `record` may be called from any thread, returns at once and keeps the order of calls from one thread.
public protocol JourneySink: Sendable {
    /// Takes an event of a push or local notification; called on any thread, in the order of the events of a subject.
    func record(_ event: JourneyEvent, of subject: JourneySubject)
}
