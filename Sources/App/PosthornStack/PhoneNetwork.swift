package import Foundation
package import FoundationNetworking
import NIOHTTP1
import PushModel

/// The network of the sample app on an emulated phone: HTTP and HTTPS to anywhere but the machine that runs the phone, and the
/// links that machine is on.
///
/// The sender of a push chooses the URL. Services on the machine itself, and the metadata service at 169.254.169.254, trust any
/// client that can connect. So the address of each connection is checked before it is opened: a name can resolve to any address,
/// and to another one the next time, and so can a redirect.
package struct PhoneNetwork: Sendable {
    /// The maximum number of redirects.
    private static let hops = 5

    private let refuses: @Sendable (IPAddress) -> Bool

    /// Creates a network; with `reachesMachine`, it also fetches from the machine and its links.
    package init(reachesMachine: Bool = false) { self.init(refusing: { reachesMachine ? false : $0.isOfThisMachine }) }

    init(refusing refuses: @escaping @Sendable (IPAddress) -> Bool) { self.refuses = refuses }

    /// Fetches at most `limit` bytes. Throws ``MachineAddressRefused`` or `HTTPExchange.TooLarge`.
    package func fetch(_ request: URLRequest, _ limit: Int) async throws -> (Data, URLResponse) {
        var exchange = HTTPExchange()
        exchange.limit = limit
        exchange.refuses = refuses
        var request = request
        for _ in 0...Self.hops {
            guard let url = request.url else { break }
            let (head, body): (HTTPResponseHead, Data)
            do { (head, body) = try await exchange.answer(to: request) } catch let error as HTTPExchange.AddressRefused
            {
                throw MachineAddressRefused(address: error.address, host: error.host)
            }
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

/// A connection that an emulated device did not open.
package struct MachineAddressRefused: Error, CustomStringConvertible, LocalizedError {
    package var address: String
    package var host: String

    package var description: String {
        "'\(host)' is at \(address), an address of this machine or its links, from which an emulated device fetches only "
            + "with --fetch-from-machine"
    }

    package var errorDescription: String? { description }
}
