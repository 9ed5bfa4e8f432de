import Foundation
import PushModel

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

        var error: String? { json["error"]?.string }
    }

    func callAsFunction(_ method: String, _ path: String, _ body: String? = nil) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return Answer(status: status, json: (try? JSONValue(parsing: data))?.object ?? [:])
    }
}
