package import Foundation
import NIOCore
import NIOHTTP1
import PushLabNetwork

#if canImport(FoundationNetworking)
package import FoundationNetworking
#endif

/// The network of the sample app on an emulated phone: HTTP and HTTPS to anywhere but the machine that runs the phone, and the
/// links that machine is on.
///
/// The sender of a push chooses the URL. Services on the machine itself, and the metadata service at 169.254.169.254, trust any
/// client that can connect. So the address of each connection is checked before it is opened: a name can resolve to any address,
/// and to another one the next time, and so can a redirect.
package struct PhoneNetwork: Sendable {
    /// The maximum number of redirects.
    private static let hops = 5

    private let refuses: @Sendable (SocketAddress) -> Bool

    /// Creates a network; with `reachesMachine`, it also fetches from the machine and its links.
    package init(reachesMachine: Bool = false) {
        self.init(refusing: { reachesMachine ? false : $0.isOfThisMachine })
    }

    init(refusing refuses: @escaping @Sendable (SocketAddress) -> Bool) { self.refuses = refuses }

    /// Fetches at most `limit` bytes. Throws ``MachineAddressRefused`` or `BoundedFetch.TooLarge`.
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
    /// Whether the address belongs to the machine itself or to one of its links: 127.0.0.0/8, 0.0.0.0/8, 169.254.0.0/16, ::1, ::,
    /// fe80::/10, and the IPv6 forms of these IPv4 addresses.
    var isOfThisMachine: Bool {
        // The offset of the address in `sockaddr_in` and `sockaddr_in6`.
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
        // The IPv6 forms of IPv4 addresses: mapped, compatible (including ::1 and ::), and translated.
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
        "'\(host)' is at \(address), an address of this machine or its links, from which an emulated device fetches only "
            + "with --fetch-from-machine"
    }

    package var errorDescription: String? { description }
}
