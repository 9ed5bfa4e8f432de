package import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOPosix
import PushModel
import ServiceLifecycle

/// The control endpoint of a running device: a WebSocket on the loopback, at a path that cannot be guessed.
///
/// While the device runs, its address is stored in a file named after the device, readable only by its owner.
package final class DeviceControl: LinkAcceptor, Service {
    private struct Order: Sendable {
        var words: [String]
        var connection: any LinkConnection
    }

    private let name: String
    private let perform: @Sendable (DeviceOrder, _ app: String?) async throws -> String
    private let orders: AsyncStream<Order>
    private let incoming: AsyncStream<Order>.Continuation

    /// - `name`: the device's name; only one device per name runs at a time.
    /// - `perform`: carries out an order, for the app if one is named, and returns a description of the result.
    package init(
        name: String,
        perform: @escaping @Sendable (DeviceOrder, _ app: String?) async throws -> String
    ) {
        self.name = name
        self.perform = perform
        (orders, incoming) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1000))
    }

    package func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        // The path is the secret.
        connection.admit()
        return { [incoming] event in
            guard case .received(let text) = event else { return }
            guard let words = (try? JSONValue(parsing: text))?.array?.compactMap(\.string) else {
                return connection.send(Self.answer(error: "An order is a JSON array of words."))
            }
            incoming.yield(Order(words: words, connection: connection))
        }
    }

    /// Opens the endpoint and answers orders, one after the other, until graceful shutdown.
    package func run() async throws {
        var random = SystemRandomNumberGenerator()
        let path =
            "/" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 16) }.joined()
        let listener = try await WebSocketListener.start(
            host: "127.0.0.1",
            port: 0,
            acceptors: [path: self],
            group: MultiThreadedEventLoopGroup.singleton
        )
        let file = try DeviceControlFile(name)
        try file.write("ws://127.0.0.1:\(listener.port)\(path)")
        for await order in orders.cancelOnGracefulShutdown() {
            do {
                let (words, app) = Self.split(order.words)
                // An order that waits for an app does not delay the shutdown.
                let text = try await cancelWhenGracefulShutdown { [perform] in
                    try await perform(try DeviceOrder(words), app)
                }
                order.connection.send(JSONValue.object(["text": .string(text)]).text)
            } catch {
                order.connection.send(Self.answer(error: "\(error)"))
            }
        }
        file.remove()
        await listener.close()
    }

    /// The first word of an order for a specific app, before the app's bundle id.
    private static let appWord = "--app"

    private static func split(_ words: [String]) -> (words: [String], app: String?) {
        guard words.first == appWord, words.count > 1 else { return (words, nil) }
        return (Array(words.dropFirst(2)), words[1])
    }

    private static func answer(error: String) -> String { JSONValue.object(["error": .string(error)]).text }

    /// Sends an order to the running device with this name, optionally for one of its apps.
    ///
    /// Returns the device's response.
    /// - Throws: ``DeviceOrderProblem`` when there is no such device, or it cannot carry out the order.
    package static func send(_ order: DeviceOrder, for app: String? = nil, to name: String) async throws -> String {
        let url = try DeviceControlFile(name).read()
        let opened = Announcement<Void>()
        let answer = Announcement<String>()
        let dialer = WebSocketDialer(group: MultiThreadedEventLoopGroup.singleton)
        let link = dialer.open(url) { event in
            switch event {
            case .opened: opened.make(.success(()))
            case .received(let text): answer.make(.success(text))
            case .closed(let reason):
                let problem = DeviceOrderProblem("The device '\(name)' does not answer: \(reason)")
                opened.make(.failure(problem))
                answer.make(.failure(problem))
            }
        }
        defer { link.close() }
        try await opened.value
        let words = (app.map { [appWord, $0] } ?? []) + order.words
        link.send(JSONValue.array(words.map { .string($0) }).text)
        let object = try JSONValue(parsing: try await answer.value).object
        if let error = object?["error"]?.string { throw DeviceOrderProblem(error) }
        return object?["text"]?.string ?? ""
    }
}
