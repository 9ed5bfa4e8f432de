package import Foundation
import NIOCore
import NIOHTTP1
import PushLabNetwork

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// What the sample app on an emulated phone fetches with: HTTP and HTTPS to anywhere but the machine that plays the phone, and the
/// links that machine is on.
///
/// Whoever may push to a phone names the URL. What listens on the machine itself, or tells machines about themselves at
/// 169.254.169.254, trusts those who can connect to it. What is looked at is the address of each connection, before it is opened: a
/// name may lead anywhere, and elsewhere the next time; so may a redirection.
package struct PhoneNetwork: Sendable {
    /// Redirections that are followed.
    private static let hops = 5

    private let refuses: @Sendable (SocketAddress) -> Bool

    /// * `reachesMachine`: whether it does fetch from there.
    package init(reachesMachine: Bool = false) {
        self.init(refusing: { reachesMachine ? false : $0.isOfThisMachine })
    }

    init(refusing refuses: @escaping @Sendable (SocketAddress) -> Bool) { self.refuses = refuses }

    /// - Throws: ``MachineAddressRefused``; `BoundedFetch.TooLarge`.
    package func fetch(_ request: URLRequest, _ limit: Int) async throws -> (Data, URLResponse) {
        var exchange = HTTPExchange()
        exchange.limit = limit
        exchange.refuses = refuses
        var request = request
        for _ in 0...Self.hops {
            guard let url = request.url else { break }
            let (head, body) = try await exchange.answer(to: request)
            if (300..<400).contains(Int(head.status.code)), head.status != .notModified,
                let place = head.headers.first(name: "location"),
                let next = URL(string: place, relativeTo: url)?.absoluteURL
            {
                guard ["http", "https"].contains(next.scheme?.lowercased()) else { throw URLError(.unsupportedURL) }
                request.url = next
                continue
            }
            let fields = Dictionary(head.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: Int(head.status.code),
                    httpVersion: "HTTP/1.1",
                    headerFields: fields
                )
            else { throw URLError(.badServerResponse) }
            return (body, response)
        }
        throw URLError(.httpTooManyRedirects)
    }
}

extension SocketAddress {
    /// Whether it is of the machine itself, or of one of its links: 127.0.0.0/8, 0.0.0.0/8, 169.254.0.0/16, ::1, ::, fe80::/10, and
    /// what stands for those in IPv6.
    var isOfThisMachine: Bool {
        // Where `sockaddr_in` and `sockaddr_in6` have the address.
        switch self {
        case .v4(let address):
            Self.isOwn(ipv4: unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[4..<8]) })
        case .v6(let address):
            Self.isOwn(ipv6: unsafe withUnsafeBytes(of: address.address) { unsafe Array($0[8..<24]) })
        case .unixDomainSocket: true
        }
    }

    private static func isOwn(ipv4 bytes: [UInt8]) -> Bool {
        bytes[0] == 127 || bytes[0] == 0 || (bytes[0] == 169 && bytes[1] == 254)
    }

    private static func isOwn(ipv6 bytes: [UInt8]) -> Bool {
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return true }
        // Addresses of IPv4 as they are written in IPv6: mapped, compatible (::1 and :: with them), and translated.
        let prefixes: [[UInt8]] = [
            Array(repeating: 0, count: 10) + [0xFF, 0xFF], Array(repeating: 0, count: 12),
            [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8),
        ]
        return prefixes.contains { bytes.starts(with: $0) } && isOwn(ipv4: Array(bytes.suffix(4)))
    }
}

/// A connection that was not opened.
package struct MachineAddressRefused: Error, CustomStringConvertible, LocalizedError {
    package var address: String
    package var host: String

    package var description: String {
        "'\(host)' is at \(address), an address of this machine or its links, from which an emulated device fetches nothing unless it "
            + "is told to (--fetch-from-machine)"
    }

    package var errorDescription: String? { description }
}
