package import NIOHTTP1

/// Who may open a link, judged by the request that asks for it.
package struct LinkAdmission: Sendable {
    /// Pages that may open links, as browsers name them in `Origin`: `https://console.example.com`. Any other client sends no `Origin`.
    package var origins: Set<String>
    package var hosts: HostRule
    /// What has to come as `Authorization: Bearer`; nil asks for nothing.
    package var token: String?

    package init(origins: Set<String> = [], hosts: HostRule = .any, token: String? = nil) {
        self.origins = origins
        self.hosts = hosts
        self.token = token
    }

    /// Why a link is not opened.
    package struct Refusal: Error {
        package var status: HTTPResponseStatus
        package var message: String
    }

    /// Nil for a request that is let in.
    package func refusal(of head: HTTPRequestHead) -> Refusal? {
        refusal(
            host: head.headers.first(name: "host"),
            origins: head.headers["origin"],
            authorization: head.headers.first(name: "authorization")
        )
    }

    /// The same of a request's headers.
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
