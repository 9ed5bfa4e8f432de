public import PushModel

/// The reason why a channel request failed.
public enum APNSChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// APNs would refuse it, so nothing was sent.
    case problem(APNSPushProblem)
    /// APNs refused it. The id identifies the request in Apple's logs.
    case refused(status: Int, APNSReason, requestID: String?)
    /// There was no answer, or an unintelligible one. The text describes it for a person.
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
