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
    }

    /// Foundation's own; nothing is kept but what the app keeps.
    public static let network: Function = { request, limit in
        let answer = BoundedAnswer(limit: limit)
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
