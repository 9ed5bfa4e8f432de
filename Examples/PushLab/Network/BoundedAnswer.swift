import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The incremental answer to one request.
///
/// `URLSession.data(for:)` stores everything it receives, and a URL in a payload may lead to anything. Here the
/// declared length and the received bytes are checked against the limit, and anything beyond it is not read.
final class BoundedAnswer: NSObject, URLSessionDataDelegate, Sendable {
    private let limit: Int
    private let hosts: AllowedHosts
    private let lock = NSLock()
    // Read and written under the lock.
    nonisolated(unsafe) private var data = Data()
    nonisolated(unsafe) private var continuation: CheckedContinuation<(Data, URLResponse), any Error>?
    nonisolated(unsafe) private var isCancelled = false

    init(limit: Int, hosts: AllowedHosts) {
        self.limit = limit
        self.hosts = hosts
    }

    /// - Returns: false if no caller waits for the answer any more.
    func begin(_ continuation: CheckedContinuation<(Data, URLResponse), any Error>) -> Bool {
        let isCancelled = lock.withLock {
            if !self.isCancelled { self.continuation = continuation }
            return self.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        return !isCancelled
    }

    func cancel() {
        lock.withLock { isCancelled = true }
        end(.failure(CancellationError()))
    }

    /// Ends the request; only the first call counts.
    private func end(_ result: Result<(Data, URLResponse), any Error>) {
        let continuation = lock.withLock {
            defer { self.continuation = nil }
            return self.continuation
        }
        continuation?.resume(with: result)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard hosts.allows(request.url) else {
            // First: the end of the request closes the session, after which Foundation traps on a late answer.
            completionHandler(nil)
            return end(.failure(AllowedHosts.Refused(host: request.url?.host ?? "")))
        }
        completionHandler(request)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard response.expectedContentLength <= limit else {
            completionHandler(.cancel)
            return end(.failure(BoundedFetch.TooLarge(limit: limit)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = lock.withLock {
            let isTooLarge = data.count > limit - self.data.count
            if !isTooLarge { self.data.append(data) }
            return isTooLarge
        }
        if isTooLarge { end(.failure(BoundedFetch.TooLarge(limit: limit))) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return end(.failure(error)) }
        guard let response = task.response else { return end(.failure(URLError(.badServerResponse))) }
        end(.success((lock.withLock { data }, response)))
    }
}
