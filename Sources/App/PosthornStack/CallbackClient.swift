import Foundation
import NIOHTTP1
package import NetworkSupport
package import PushService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Posts to callback addresses, which senders of pushes choose, and protects the network of the service from them.
///
/// The address of each connection is checked before it is opened, after the name was resolved: a name can stand for any address,
/// and for another one the next time. Only the public internet and the operator's own networks are reached. Redirects are not
/// followed, and the body of an answer is not read.
package struct CallbackClient: CallbackSender {
    private let networks: [IPRange]
    private let authorities: String?

    /// The time for an answer, in seconds; connecting has ten more.
    private static let timeout: TimeInterval = 10

    /// - Parameters:
    ///   - networks: the networks besides the public internet that may be called.
    ///   - authorities: the path of a PEM file with the authorities to trust; nil for the system's.
    package init(networks: [IPRange] = [], authorities: String? = nil) {
        (self.networks, self.authorities) = (networks, authorities)
    }

    package func post(
        _ body: [UInt8],
        fields: [(name: String, value: String)],
        to url: String
    ) async throws(CallbackFailure) {
        guard let address = URL(string: url) else { throw CallbackFailure("It is not a URL.", isFinal: true) }
        var request = URLRequest(url: address, timeoutInterval: Self.timeout)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Posthorn", forHTTPHeaderField: "User-Agent")
        for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        var exchange = HTTPExchange()
        exchange.authorities = authorities
        exchange.ignoresBody = true
        exchange.refuses = { [networks] address in
            !address.isPublic && !networks.contains { $0.contains(address) }
        }
        let status: UInt
        do { status = try await exchange.answer(to: request).head.status.code } catch let error
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
}

extension IPRange {
    /// The addresses by which this machine reaches itself.
    static let machine = ["127.0.0.0/8", "::1"].compactMap { IPRange($0) }
}
