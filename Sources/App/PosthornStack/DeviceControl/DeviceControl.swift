package import DeviceLink
import DeviceLinkNIO
import Foundation
import NIOPosix
import PushClock
import PushModel
import ServiceLifecycle

/// The control endpoint of a running device: a WebSocket on the loopback, at a path that cannot be guessed.
///
/// While the device runs, its address is stored in a file named after the device, readable only by its owner.
package final class DeviceControl: LinkAcceptor, Service {
    /// A message on the endpoint.
    private struct Message: Codable {
        var order: DeviceOrder
        /// The bundle id of the app that the order is for; nil for the device's first app.
        var app: String?
    }

    /// The answer to a message.
    private enum Answer: Codable {
        case reply(DeviceOrderReply)
        /// The order is not carried out, for this reason.
        case refused(String)
    }

    private struct Order: Sendable {
        var message: Message
        var connection: any LinkConnection
    }

    private let name: String
    private let perform: @Sendable (DeviceOrder, _ app: String?) async throws -> DeviceOrderReply
    private let orders: AsyncStream<Order>
    private let incoming: AsyncStream<Order>.Continuation
    private let ready = Announcement<Void>()

    /// Creates the endpoint of the device with this name; only one device per name runs at a time. `perform` carries out an order, for
    /// the app if one is named.
    package init(
        name: String,
        perform: @escaping @Sendable (DeviceOrder, _ app: String?) async throws -> DeviceOrderReply
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
            do {
                let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
                incoming.yield(Order(message: message, connection: connection))
            } catch {
                connection.send(Self.text(of: .refused("The device does not know the order: \(error)")))
            }
        }
    }

    /// Returns when orders find the device.
    package func whenReady() async throws { try await ready.value }

    /// Opens the endpoint and answers orders, one after the other, until graceful shutdown.
    package func run() async throws {
        var random = SystemRandomNumberGenerator()
        let path = "/" + random.hexadecimalDigits(32)
        let listener = try await WebSocketListener.start(
            host: "127.0.0.1",
            port: 0,
            acceptors: [path: self],
            group: MultiThreadedEventLoopGroup.singleton
        )
        let file = try DeviceControlFile(name)
        try file.write("ws://127.0.0.1:\(listener.port)\(path)")
        ready.make(.success(()))
        for await order in orders.cancelOnGracefulShutdown() {
            do {
                // An order that waits for an app does not delay the shutdown.
                let reply = try await cancelWhenGracefulShutdown { [perform] in
                    try await perform(order.message.order, order.message.app)
                }
                order.connection.send(Self.text(of: .reply(reply)))
            } catch {
                order.connection.send(Self.text(of: .refused("\(error)")))
            }
        }
        file.remove()
        await listener.close()
    }

    private static func text(of answer: Answer) -> String {
        // An answer has only strings and a Bool, which JSON always has room for.
        (try? JSONEncoder().encode(answer)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Sends an order to the running device with this name, optionally for one of its apps.
    ///
    /// - Returns: the device's reply.
    /// - Throws: ``DeviceOrderProblem`` when there is no such device, or it cannot carry out the order.
    package static func send(
        _ order: DeviceOrder,
        for app: String? = nil,
        to name: String
    ) async throws -> DeviceOrderReply {
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
        link.send(String(decoding: try JSONEncoder().encode(Message(order: order, app: app)), as: UTF8.self))
        switch try JSONDecoder().decode(Answer.self, from: Data(try await answer.value.utf8)) {
        case .reply(let reply): return reply
        case .refused(let reason): throw DeviceOrderProblem(reason)
        }
    }
}
