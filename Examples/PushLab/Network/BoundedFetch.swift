import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Downloads with a size limit: a URL in a payload may lead to anything.
public enum BoundedFetch {
    /// Sends a request, and reads the answer up to a limit in bytes.
    ///
    /// Throws ``TooLarge`` for a longer one, and an error when there is no answer.
    public typealias Function = @Sendable (_ request: URLRequest, _ limit: Int) async throws -> (Data, URLResponse)

    /// The answer exceeds the limit.
    public struct TooLarge: LocalizedError, Hashable {
        /// The limit in bytes.
        public var limit: Int

        public init(limit: Int) { self.limit = limit }

        public var errorDescription: String? { "is larger than \(limit) bytes" }
    }

    /// Returns a function that uses Foundation's session, without a cache.
    ///
    /// Throws ``AllowedHosts/Refused`` for any other host, including the target of a redirect.
    public static func network(from hosts: AllowedHosts) -> Function {
        { request, limit in try await fetch(request, limit, hosts) }
    }

    private static func fetch(
        _ request: URLRequest,
        _ limit: Int,
        _ hosts: AllowedHosts
    ) async throws -> (Data, URLResponse) {
        guard hosts.allows(request.url) else { throw AllowedHosts.Refused(host: request.url?.host ?? "") }
        let answer = BoundedAnswer(limit: limit, hosts: hosts)
        let session = URLSession(configuration: .ephemeral, delegate: answer, delegateQueue: nil)
        // Also cancels a transfer in progress.
        defer { session.invalidateAndCancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if answer.begin(continuation) { session.dataTask(with: request).resume() }
            }
        } onCancel: {
            answer.cancel()
        }
    }
}
