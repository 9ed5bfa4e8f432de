import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushModel

extension Response {
    init(_ status: HTTPResponse.Status = .ok, json: JSONObject) {
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(json).bytes))
        )
    }

    /// An answer with one list.
    init(_ name: String, _ list: [JSONObject]) { self.init(json: [name: .array(list.map { .object($0) })]) }
}

extension Request {
    /// The largest body in bytes.
    private static let bodyLimit = 1 << 20

    /// The parameters of the query string, in which a space is `%20` or, as in forms, `+`.
    var parameters: [(name: String, value: String)] {
        (uri.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                $0.replacing("+", with: " ").removingPercentEncoding ?? String($0)
            }
            return (parts[0], parts.count == 2 ? parts[1] : "")
        }
    }

    /// The body as JSON.
    func json() async throws -> JSONValue {
        let body = try await body.collect(upTo: Self.bodyLimit)
        do { return try JSONValue(parsing: body.readableBytesView) } catch {
            throw ControlRefusal.bad("The body is not JSON: \(error)")
        }
    }
}
