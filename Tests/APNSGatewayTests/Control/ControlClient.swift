import Foundation
import PushModel
import Synchronization
import TestSupport

@testable import APNSGateway

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to a control endpoint.
struct ControlClient: Sendable {
    var port: Int
    var headers: [String: String] = [:]

    struct Answer: Sendable {
        var status: Int
        var json: JSONObject
        /// The authentication that the endpoint asks for.
        var challenge: String?

        var error: String? { json["error"]?.string }
    }

    func callAsFunction(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let head = response as? HTTPURLResponse
        return Answer(
            status: head?.statusCode ?? 0,
            json: (try? JSONValue(parsing: data))?.object ?? [:],
            challenge: head?.value(forHTTPHeaderField: "WWW-Authenticate")
        )
    }
}

extension FaultyGateway {
    /// Runs a gateway with its control endpoint for the time of `body`.
    static func withControl(
        _ world: World,
        token: String? = nil,
        pages: (any ControlPages)? = nil,
        _ body: @Sendable (FaultyGateway, ControlClient) async throws -> Void
    ) async throws {
        var configuration = GatewayServer.Configuration()
        let box = PortBox()
        configuration.control = GatewayServer.Control(token: token, pages: pages) { box.set($0) }
        try await FaultyGateway.with(world, configuration: configuration) { setting in
            try await eventually("the port is known") { box.port != 0 }
            try await body(setting, ControlClient(port: box.port))
        }
    }
}

/// A port that is known later.
private final class PortBox: Sendable {
    private let value = Atomic(0)
    var port: Int { value.load(ordering: .relaxed) }
    func set(_ port: Int) { value.store(port, ordering: .relaxed) }
}
