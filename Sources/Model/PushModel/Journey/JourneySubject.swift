/// The subject of a journey.
public enum JourneySubject: Hashable, Sendable {
    /// A push, by its apns-id in lower case; its journey continues in the service.
    case push(apnsID: String)
    /// A local notification: known to its device alone.
    case local(device: String, app: String, request: String)
}
