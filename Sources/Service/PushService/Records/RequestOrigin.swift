/// The request that a push came with, to follow the push from the caller's log to its journey.
package struct RequestOrigin: Hashable, Sendable {
    /// The request's id: the caller's `X-Request-Id`, or a new one.
    package var requestID: String
    /// The place of the request in a distributed trace, in the form that the tracing backend carries between processes; empty
    /// without a backend.
    package var trace: [String: String]

    package init(requestID: String, trace: [String: String] = [:]) {
        self.requestID = requestID
        self.trace = trace
    }

    /// The origin of the request that the current task handles; nil outside requests, such as for the firing of a schedule.
    @TaskLocal package static var current: RequestOrigin?
}
