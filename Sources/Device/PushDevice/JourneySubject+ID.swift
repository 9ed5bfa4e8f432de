public import PushModel

extension JourneySubject {
    /// The apns-id of a push; `app/request` for a local notification.
    public var id: String {
        switch self {
        case .push(let apnsID): apnsID
        case .local(_, let app, let request): "\(app)/\(request)"
        }
    }
}
