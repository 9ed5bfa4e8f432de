import Foundation
import FoundationNetworking
import NIOHTTP1
package import PushModel
package import PushService

/// An HTTP client of a push service, like that of a backend.
package struct APIClient: Sendable {
    /// The base URL, without a trailing slash, and without a user and a password, which messages would repeat.
    package var url: String
    package var appKey: String
    package var masterSecret: String
    /// The path of a PEM file with the authorities to trust over HTTPS, instead of the system's.
    package var authorities: String?

    package init(url: String, appKey: String, masterSecret: String, authorities: String? = nil) {
        let address = url.withoutURLUser
        self.url = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.appKey = appKey
        self.masterSecret = masterSecret
        self.authorities = authorities
    }

    /// The maximum time for a call that the service carries out at once.
    package static let usualTimeout = Duration.seconds(30)

    /// Percent-encodes text for a path segment or a query value.
    package static func encoded(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }

    package struct Answer: Sendable {
        package var status: Int
        package var json: JSONValue
        package var bytes: [UInt8]
        /// The time from the first byte sent to the last byte received.
        package var duration: Duration
    }

    package func post(
        _ path: String,
        _ body: [UInt8],
        contentType: String = "application/json",
        timeout: Duration = usualTimeout
    ) async throws -> Answer {
        try await call("POST", path, body: body, contentType: contentType, timeout: timeout)
    }
    package func post(_ path: String, _ members: JSONMembers) async throws -> Answer {
        try await post(path, members.json.bytes)
    }
    package func put(_ path: String, _ members: JSONMembers) async throws -> Answer {
        try await call("PUT", path, body: members.json.bytes)
    }
    package func delete(_ path: String) async throws -> Answer { try await call("DELETE", path) }
    package func get(_ path: String) async throws -> Answer { try await call("GET", path) }

    /// Makes a call. With `isParsed` false, an answer of success has ``Answer/bytes`` alone.
    package func call(
        _ method: String,
        _ path: String,
        body: [UInt8]? = nil,
        contentType: String = "application/json",
        timeout: Duration = usualTimeout,
        isParsed: Bool = true
    ) async throws -> Answer {
        guard let address = URL(string: url + path) else { throw APIProblem("'\(url)' is not a URL.") }
        var request = URLRequest(url: address, timeoutInterval: timeout / .seconds(1))
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        let credentials = Data("\(appKey):\(masterSecret)".utf8).base64EncodedString()
        request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        let start = ContinuousClock.now
        let head: HTTPResponseHead
        let data: Data
        do {
            (head, data) = try await HTTPExchange(authorities: authorities).answer(to: request)
        } catch {
            guard ContinuousClock.now - start < timeout else {
                throw APIProblem("\(url) has not answered within \(timeout.components.seconds) seconds.")
            }
            throw APIProblem(
                "\(url) does not answer (\(error.localizedDescription)); is 'posthorn serve' running there?"
            )
        }
        let bytes = Array(data)
        let isLeft = head.status == .noContent || head.status == .ok && !isParsed
        guard let json = isLeft ? .null : try? JSONValue(parsing: bytes) else {
            throw APIProblem("\(url)\(path) did not answer with JSON; is that a Posthorn service?")
        }
        return Answer(
            status: Int(head.status.code),
            json: json,
            bytes: bytes,
            duration: ContinuousClock.now - start
        )
    }
}

/// The response to a push that was accepted.
package struct AcceptedPush: Decodable, Sendable {
    package let msgID: String
    package let warnings: [PushWarning]?
    /// The answer to a push that was only asked about.
    package let forecast: PushForecast?
}

package struct APIProblem: Error, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
}
