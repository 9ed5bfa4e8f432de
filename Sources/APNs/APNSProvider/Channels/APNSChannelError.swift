public import PushModel

/// Why a request about a channel came to nothing.
public enum APNSChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// APNs would refuse it, so nothing was sent.
    case problem(APNSPushProblem)
    /// APNs refused it. The id names the request in Apple's logs.
    case refused(status: Int, APNSReason, requestID: String?)
    /// There was no answer, or none that can be understood. The text says what happened, for a person.
    case failed(String)

    public var description: String {
        switch self {
        case .problem(let problem): problem.description
        case .refused(let status, let reason, let requestID):
            "APNs answered \(status) \(reason)" + (requestID.map { " to request \($0)." } ?? ".")
        case .failed(let text): text
        }
    }
}
