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
}

extension Request {
    /// The largest body in bytes.
    private static let bodyLimit = 1 << 20

    /// The parameters of the query string.
    var parameters: [(name: String, value: String)] {
        uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    /// The body as JSON.
    func json() async throws -> JSONValue {
        let body = try await body.collect(upTo: Self.bodyLimit)
        do { return try JSONValue(parsing: body.readableBytesView) } catch {
            throw ControlRefusal.bad("The body is not JSON: \(error)")
        }
    }
}
