/// A single request, for callers that send few: method, path, header fields and one small body.
package struct APNSRequest: Sendable {
    package var method: String
    package var path: String
    /// The fields without the pseudo-headers, names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The length of the body, even if it was too long to keep.
    package var bodyBytes: Int
    /// The stream on which the request arrived; 0 if there was none.
    package var streamID = 0

    package init(method: String, path: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        bodyBytes = body.count
    }
}

/// The answer to an ``APNSRequest``.
package struct APNSAnswer: Sendable {
    package var status: Int
    /// The fields without the pseudo-header, names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension APNSRequest {
    /// Creates a request from a received message; bytes that are not UTF-8 are replaced.
    package init(_ message: HTTP2Message) {
        let fields = message.fields.texts
        method = message.text(of: .method) ?? ""
        path = message.text(of: .path) ?? ""
        headers = fields.filter { !$0.name.hasPrefix(":") }
        body = message.body
        bodyBytes = message.bodyBytes
    }
}

extension HTTP2Answer {
    package init(_ answer: APNSAnswer) {
        self.init(status: answer.status, body: answer.body)
        for (name, value) in answer.headers {
            let name = FieldCatalog.shared.name(name)
            add(name, Array(value.utf8), indexing: name == .contentType ? .whole : .name)
        }
    }
}

extension HTTP2Message {
    /// Creates a message as if the request had been received.
    package convenience init(_ request: APNSRequest) {
        self.init()
        let pseudo = [(":method", request.method), (":scheme", "https"), (":path", request.path)]
        for (name, value) in pseudo + request.headers.map({ ($0.name, $0.value) }) {
            let name = Array(name.utf8)
            let value = Array(value.utf8)
            let nameStart = fields.append(name.span)
            let valueStart = fields.append(value.span)
            fields.add(
                FieldCatalog.shared.look(name.span),
                nameSize: name.count,
                nameStart: nameStart,
                valueStart: valueStart,
                valueCount: value.count,
                isValueValid: true
            )
        }
        body = request.body
        bodyBytes = request.bodyBytes
    }
}

extension APNSAnswer {
    /// Creates an answer as it will be received.
    package init(_ answer: HTTP2Answer, to request: HTTP2Message) {
        self.init(status: answer.status, headers: [], body: answer.body)
        for index in 0..<answer.count {
            guard let field = answer.fields[index] else { break }
            var value: [UInt8] = []
            switch field.value {
            case .own(let range): value = Array(answer.octets[range])
            case .ofRequest(let range): value = Array(request.octets[range])
            case .uuid(let high, let low): value.appendUUID(high, low)
            }
            let text = String(decoding: value, as: UTF8.self)
            headers.append((name: FieldCatalog.shared.text(of: field.name), value: text))
        }
    }
}
