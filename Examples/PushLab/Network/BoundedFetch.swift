import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetching no more than is wanted: a URL in a payload may lead to anything.
public enum BoundedFetch {
    /// Sends a request, and reads the answer up to a limit in bytes.
    ///
    /// Throws ``TooLarge`` for a longer one, and when no answer comes.
    public typealias Function = @Sendable (_ request: URLRequest, _ limit: Int) async throws -> (Data, URLResponse)

    /// An answer is longer than was wanted.
    public struct TooLarge: Error, Hashable {
        /// In bytes.
        public var limit: Int

        public init(limit: Int) { self.limit = limit }
    }

    /// Foundation's own; nothing is kept but what the app keeps.
    ///
    /// Throws ``AllowedHosts/Refused`` for another host, also one that an answer leads to.
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
        // Also ends what is still on its way.
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
