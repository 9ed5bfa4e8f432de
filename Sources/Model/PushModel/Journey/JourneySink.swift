/// What a journey is about.
public enum JourneySubject: Hashable, Sendable {
    /// A push, by its apns-id in lower case: its journey goes on in the service.
    case push(apnsID: String)
    /// A local notification: known to its device alone.
    case local(device: String, app: String, request: String)
}

/// Where service, gateway and device report what happened to a push.
///
/// `record` may be called from any thread, returns at once and keeps the order of calls from one thread.
public protocol JourneySink: Sendable {
    func record(_ event: JourneyEvent, of subject: JourneySubject)
}
