import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOSSL
package import NetworkSupport
package import PushModel
package import PushService
import Synchronization

/// Posts to callback addresses, which senders of pushes choose, and protects the network of the service from them.
///
/// The address of each connection is checked before it is opened, after the name was resolved: a name can stand for any address,
/// and for another one the next time. Only the public internet and the operator's own networks are reached. A proxy resolves the
/// names itself, and has to keep these rules; then numeric addresses alone are checked here. Redirects are not followed. A
/// connection is used again for the same server until it has been idle for a while; the body of an answer is discarded, and one
/// that is large or slow ends its connection.
package final class CallbackClient: CallbackSender {
    private struct Idle: Sendable {
        var receiver: String
        var channel: any Channel
    }

    private let networks: [IPRange]
    private let authorities: String?
    private let proxy: HTTPProxy?
    /// The connections between two requests, the one that was used last at the end.
    private let idle = Mutex<[Idle]>([])
    /// Created for the first address with HTTPS: reading the system's authorities takes long.
    private let tls = Mutex<NIOSSLContext?>(nil)

    /// The time for an answer, in seconds; connecting has ten more.
    private static let timeout: TimeInterval = 10
    /// The maximum number of idle connections.
    private static let mostIdle = 64

    /// - Parameters:
    ///   - networks: the networks besides the public internet that may be called.
    ///   - authorities: the path of a PEM file with the authorities to trust; nil for the system's.
    ///   - proxy: the proxy to the receivers, which resolves their names; nil for direct connections.
    package init(networks: [IPRange] = [], authorities: String? = nil, proxy: HTTPProxy? = nil) {
        self.networks = networks
        self.authorities = authorities
        self.proxy = proxy
    }

    package func post(
        _ body: [UInt8],
        fields: [(name: String, value: String)],
        to url: String
    ) async throws(CallbackFailure) {
        guard let address = URL(string: url), let host = URLHost(of: address) else {
            throw CallbackFailure("It is not a URL with a host.", isFinal: true)
        }
        var request = URLRequest(posting: body, to: address, timeout: Self.timeout)
        for (name, value) in [("User-Agent", "Posthorn"), ("Connection", "keep-alive")] + fields {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let head = HTTPExchange.head(of: request, address, host)
        let status: UInt
        do { status = try await answer(to: head, body, at: address, host).code } catch let error
            as HTTPExchange.AddressRefused
        {
            throw CallbackFailure(
                "'\(error.host)' is at \(error.address), which is not a public address; the setting callback.networks can allow it.",
                isFinal: true
            )
        } catch { throw CallbackFailure(error.localizedDescription) }
        switch status {
        case 200..<300: return
        case 300..<400: throw CallbackFailure("It answered \(status), a redirect, which is not followed.")
        default: throw CallbackFailure("It answered \(status).")
        }
    }

    private func answer(
        to head: HTTPRequestHead,
        _ body: [UInt8],
        at url: URL,
        _ host: URLHost
    ) async throws -> HTTPResponseStatus {
        let receiver = PushCallback.receiver(of: url.absoluteString)
        while let channel = takeIdle(receiver) {
            // A server may close a connection at the moment at which it is used again.
            do { return try await answer(to: head, body, on: channel, of: receiver) } catch is CallbackExchange
                .Unanswered
            {}
        }
        do {
            let channel = try await exchange(isSecure: url.scheme?.lowercased() == "https").connect(to: host, url) {
                try $0.pipeline.syncOperations.addHandler(CallbackHandler())
                return $0
            }
            return try await answer(to: head, body, on: channel, of: receiver)
        } catch { throw HTTPExchange.readable(error) }
    }

    private func answer(
        to head: HTTPRequestHead,
        _ body: [UInt8],
        on channel: any Channel,
        of receiver: String
    ) async throws -> HTTPResponseStatus {
        let promise = channel.eventLoop.makePromise(of: CallbackExchange.Answer.self)
        let exchange = CallbackExchange(
            head: head,
            body: ByteBuffer(bytes: body),
            limit: .seconds(Int64(Self.timeout)),
            answer: promise
        )
        // Fails only if the connection has ended before the handler got the request.
        channel.writeAndFlush(exchange).whenFailure { _ in promise.fail(CallbackExchange.Unanswered()) }
        let answer = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        if answer.isReusable { keep(Idle(receiver: receiver, channel: channel)) }
        return answer.status
    }

    private func exchange(isSecure: Bool) throws -> HTTPExchange {
        var exchange = HTTPExchange()
        exchange.authorities = authorities
        exchange.proxy = proxy
        exchange.refuses = { [networks] address in
            !address.isPublic && !networks.contains { $0.contains(address) }
        }
        guard isSecure else { return exchange }
        exchange.tls = try tls.withLock { known in
            let context = try known ?? exchange.tlsContext()
            known = context
            return context
        }
        return exchange
    }

    private func takeIdle(_ receiver: String) -> (any Channel)? {
        idle.withLock { idle in
            idle.removeAll { !$0.channel.isActive }
            return idle.lastIndex { $0.receiver == receiver }.map { idle.remove(at: $0).channel }
        }
    }

    private func keep(_ connection: Idle) {
        let oldest = idle.withLock { idle -> Idle? in
            idle.append(connection)
            return idle.count > Self.mostIdle ? idle.removeFirst() : nil
        }
        oldest?.channel.close(promise: nil)
    }
}

extension IPRange {
    /// The addresses by which this machine reaches itself.
    static let machine = ["127.0.0.0/8", "::1"].compactMap { IPRange($0) }
}
