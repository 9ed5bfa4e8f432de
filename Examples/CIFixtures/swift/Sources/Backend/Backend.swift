import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// The code under test: it pushes with AsyncHTTPClient, tries again when the service is unavailable, and forgets dead tokens.
public actor Backend {
    public private(set) var tokens: Set<String>
    private let url: String
    private let topic: String
    private let authorization: String
    private let client: HTTPClient

    /// Creates a backend.
    ///
    /// - Parameters:
    ///   - url: https://api.push.apple.com in production.
    ///   - ca: the path of the authority to trust; nil for those of the system.
    ///   - topic: the app's bundle id.
    ///   - authorization: the provider token as a `bearer` value, which is good for an hour.
    ///   - tokens: the device tokens.
    public init(url: String, ca: String?, topic: String, authorization: String, tokens: Set<String>) {
        self.url = url
        self.topic = topic
        self.authorization = authorization
        self.tokens = tokens
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        if let ca { configuration.tlsConfiguration?.trustRoots = .file(ca) }
        client = HTTPClient(configuration: configuration)
    }

    /// Sends a text to all tokens, and returns the answer of each.
    public func notify(
        _ text: String,
        headers: [String: String] = [:],
        limit: TimeAmount = .seconds(5)
    ) async throws -> [String: String] {
        var answers: [String: String] = [:]
        for token in tokens { answers[token] = try await send(text, to: token, headers: headers, limit: limit) }
        return answers
    }

    public func shutdown() async throws { try await client.shutdown() }

    private func send(
        _ text: String,
        to token: String,
        headers: [String: String],
        limit: TimeAmount
    ) async throws -> String {
        var request = HTTPClientRequest(url: "\(url)/3/device/\(token)")
        request.method = .POST
        request.headers.add(contentsOf: [
            "authorization": authorization, "apns-topic": topic, "apns-push-type": "alert",
        ])
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        let payload = try JSONEncoder().encode(["aps": ["alert": text]])
        for pause in [10, 20, nil] as [Int?] {
            request.body = .bytes(ByteBuffer(bytes: payload))
            let response = try await client.execute(request, timeout: limit)
            let body = try await response.body.collect(upTo: 4096)
            if response.status == .serviceUnavailable, let pause {
                try await Task.sleep(for: .milliseconds(pause))
                continue
            }
            if response.status == .gone { tokens.remove(token) }
            let reason = try? JSONDecoder().decode([String: JSONText].self, from: Data(body.readableBytesView))[
                "reason"
            ]
            return reason.map { "\(response.status.code) \($0.text)" } ?? "\(response.status.code)"
        }
        return "503"
    }

    /// A text or a number as text: the body of a 410 has both.
    private struct JSONText: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
        }
    }
}
