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
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
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
    private let calls = ServiceCalls()

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
        session = URLSession(configuration: configuration, delegate: calls, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(
        _ request: URLRequest,
        completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void
    ) {
        let task = session.dataTask(with: request)
        let end = SystemActivity.begin()
        calls.add(task) {
            end()
            completion($0)
        }
        task.resume()
    }
}

/// The calls under way of a session.
///
/// It is the session's delegate, because on Linux a call with a completion handler never ends if its answer is 401 with a
/// `WWW-Authenticate` header. Source: swift-corelibs-foundation, issue 5456, in Swift 6.3.
private final class ServiceCalls: NSObject, URLSessionDataDelegate {
    private struct Call {
        var completion: @Sendable (Result<ServiceAnswer, any Error>) -> Void
        var body = Data()
    }

    /// By the identifier of the task.
    private let calls = Guarded<[Int: Call]>([:])

    func add(_ task: URLSessionTask, _ completion: @escaping @Sendable (Result<ServiceAnswer, any Error>) -> Void) {
        calls.with { $0[task.taskIdentifier] = Call(completion: completion) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = calls.with { calls in
            calls[dataTask.taskIdentifier]?.body.append(data)
            return (calls[dataTask.taskIdentifier]?.body.count ?? 0) > URLSessionTransport.largestAnswer
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let call = calls.with({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard call.body.count <= URLSessionTransport.largestAnswer else {
            return call.completion(.failure(URLError(.dataLengthExceedsMaximum)))
        }
        let response = task.response as? HTTPURLResponse
        // A challenge that is not answered ends a call on Linux with an error beside the answer.
        guard let response, error == nil || response.statusCode == 401 else {
            return call.completion(.failure(error ?? URLError(.badServerResponse)))
        }
        let order = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        call.completion(.success(ServiceAnswer(status: response.statusCode, body: call.body, retryAfter: order)))
    }

    #if canImport(FoundationNetworking)
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #endif

    /// Refuses redirects.
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
