/// A call to the service, as a value.
enum ServiceCall: Hashable, Sendable {
    indirect case register(DeviceValues)
    indirect case update(DeviceValues, from: DeviceValues?)
    case operation(number: Int, DeviceOperation)
    case receipts([Receipt])
    case messages(after: Int64?)
    case unregister
}

extension ServiceCall {
    /// The name for the log.
    var name: String {
        switch self {
        case .register: "The registration"
        case .update: "The change of the device's values"
        case .operation(_, let operation): "The operation '\(String(describing: operation).prefix { $0 != "(" })'"
        case .receipts: "The report of receipts"
        case .messages: "The fetch of custom messages"
        case .unregister: "The end of the registration"
        }
    }
}

/// The outcome of a call.
enum CallOutcome: Hashable, Sendable {
    case registered(Registration, hasToken: Bool)
    /// The digest is that of the token which the service has; nil without one, or from an older service. The sequence is the number of the
    /// last operation that it has carried out.
    case updated(
        hasToken: Bool,
        isPushOn: Bool,
        tokenDigest: String? = nil,
        sequence: Int64? = nil,
        orders: [TakeBack] = []
    )
    case answered(DeviceAnswer)
    case received([CustomMessage], position: Int64?)
    /// The call has no answer of its own.
    case done
    /// The service refuses the call, and will again.
    case refused(PosthornError)
    /// The call may succeed later.
    case failed(PosthornError, retryAfter: Double?)

    /// The name for the debug panel.
    var name: String {
        switch self {
        case .refused(let error): "refused, \(error)"
        case .failed(let error, _): "failed, \(error)"
        default: "done"
        }
    }
}
