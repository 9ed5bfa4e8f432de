import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The service's answer to a request.
public struct ServiceAnswer: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The body.
    public var body: Data
    /// The seconds of `Retry-After`, if the answer has it.
    public var retryAfter: TimeInterval?

    /// Creates an answer.
    public init(status: Int, body: Data, retryAfter: TimeInterval? = nil) {
        (self.status, self.body, self.retryAfter) = (status, body, retryAfter)
    }
}

/// Carries requests to the service.
public protocol ServiceTransport: Sendable {
    /// Sends a request, and calls `completion` once, on any thread.
    func send(_ request: URLRequest, completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void)
}

/// The transport over `URLSession`.
///
/// It follows no redirect, because the request carries the device's secret, and keeps neither cookies nor a cache. App
/// Transport Security applies.
public final class URLSessionTransport: ServiceTransport {
    /// The largest answer that is read: five custom messages with much room.
    static let largestAnswer = 1 << 20

    private let session: URLSession

    /// Creates a transport.
    ///
    /// - Parameter timeout: the limit of one request in seconds. The diagnosis takes up to 30.
    public init(timeout: TimeInterval = 60) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCache = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(
        _ request: URLRequest,
        completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void
    ) {
        let task = session.dataTask(with: request) { data, response, error in
            guard let response = response as? HTTPURLResponse else {
                return completion(.failure(error ?? URLError(.badServerResponse)))
            }
            let body = data ?? Data()
            guard body.count <= Self.largestAnswer else {
                return completion(.failure(URLError(.dataLengthExceedsMaximum)))
            }
            let order = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
            completion(.success(ServiceAnswer(status: response.statusCode, body: body, retryAfter: order)))
        }
        task.resume()
    }
}

/// Refuses redirects.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
