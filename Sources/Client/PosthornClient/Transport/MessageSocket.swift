import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An event of a link.
public enum SocketEvent: Hashable, Sendable {
    /// The link is open.
    case opened
    /// A text frame.
    case received(String)
    /// The link has ended, or could not be opened, for this reason. Nothing follows.
    case closed(String)
}

/// One link to the service.
public protocol MessageSocket: Sendable {
    /// Sends a text frame.
    func send(_ text: String)
    /// Sends a ping, to whose answer nobody listens: the traffic keeps the link alive.
    func ping()
    /// Closes the link.
    func close()
}

/// Opens links to the service.
public protocol MessageSocketOpener: Sendable {
    /// Opens a link; `event` is called on any thread, one call after the other.
    func open(_ url: URL, event: @escaping @Sendable (SocketEvent) -> Void) -> any MessageSocket
}

/// Links over `URLSessionWebSocketTask`.
public struct URLSessionSocketOpener: MessageSocketOpener {
    /// Creates an opener.
    public init() {}

    public func open(_ url: URL, event: @escaping @Sendable (SocketEvent) -> Void) -> any MessageSocket {
        URLSessionSocket(url, event)
    }
}

private final class URLSessionSocket: NSObject, MessageSocket, URLSessionWebSocketDelegate {
    /// The service pings every 30 seconds; a link without any sign of life is dead after this many.
    private static let patience: TimeInterval = 75

    private let task = Guarded<URLSessionWebSocketTask?>(nil)
    private let event: @Sendable (SocketEvent) -> Void
    private let isClosed = Guarded(false)

    init(_ url: URL, _ event: @escaping @Sendable (SocketEvent) -> Void) {
        self.event = event
        super.init()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.patience
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        let task = session.webSocketTask(with: url)
        self.task.with { $0 = task }
        task.resume()
        session.finishTasksAndInvalidate()
    }

    func send(_ text: String) {
        task.with { $0 }?.send(.string(text)) { [weak self] error in
            if let error { self?.end(error.localizedDescription) }
        }
    }

    func ping() { task.with { $0 }?.sendPing { _ in } }

    func close() { task.with { $0 }?.cancel(with: .goingAway, reason: nil) }

    private func receive() {
        task.with { $0 }?.receive { [weak self] result in
            guard let self else { return }
            let message: URLSessionWebSocketTask.Message
            switch result {
            case .success(let given): message = given
            case .failure(let error): return self.end(error.localizedDescription)
            }
            if case .string(let text) = message { self.event(.received(text)) }
            self.receive()
        }
    }

    private func end(_ reason: String) {
        if isClosed.isFirst() { event(.closed(reason)) }
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        event(.opened)
        receive()
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        end("the service has closed the link")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(error?.localizedDescription ?? "the link has ended")
    }
}
