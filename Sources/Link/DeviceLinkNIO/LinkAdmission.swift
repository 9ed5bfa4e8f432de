package import NIOHTTP1
package import NetworkSupport

/// The rules for opening a link, applied to the HTTP request.
package struct LinkAdmission: Sendable {
    /// Pages that may open links, as in the browser's `Origin`: `https://console.example.com`. Other clients send no
    /// `Origin`.
    package var origins: Set<String>
    package var hosts: HostRule
    /// The token required as `Authorization: Bearer`; nil requires none.
    package var token: String?

    package init(origins: Set<String> = [], hosts: HostRule = .any, token: String? = nil) {
        self.origins = origins
        self.hosts = hosts
        self.token = token
    }

    /// The reason for not opening a link.
    package struct Refusal: Error {
        package var status: HTTPResponseStatus
        package var message: String
    }

    /// Returns nil for a request that is admitted.
    package func refusal(of head: HTTPRequestHead) -> Refusal? {
        refusal(
            host: head.headers.first(name: "host"),
            origins: head.headers["origin"],
            authorization: head.headers.first(name: "authorization")
        )
    }

    /// Checks the same from a request's headers.
    package func refusal(host: String?, origins given: [String], authorization: String?) -> Refusal? {
        guard hosts.admits(host) else { return Refusal(status: .misdirectedRequest, message: HostRule.problem(host)) }
        for origin in given where !origins.contains(origin) {
            let expected =
                origins.isEmpty
                ? "links are not for web pages" : "expected one of \(origins.sorted().joined(separator: ", "))"
            return Refusal(status: .forbidden, message: "The origin '\(origin)' may not open a link; \(expected).")
        }
        guard let token else { return nil }
        guard BearerToken.isIn(authorization, token) else {
            let message =
                "The header 'authorization' is missing or wrong; expected 'Bearer' and the token of this port."
            return Refusal(status: .unauthorized, message: message)
        }
        return nil
    }
}

extension HTTPParserError {
    /// The reason why the other end does not speak HTTP/1.1, in words; the parser has none for some errors.
    package var words: String {
        switch self {
        case .unknown: "a line without CR LF at its end, or a Transfer-Encoding other than chunked"
        case .invalidConstant: "'HTTP/1.1' is not where it must be; one end may speak TLS"
        case .paused: "it is HTTP/2, which this end does not speak"
        default: debugDescription
        }
    }
}
