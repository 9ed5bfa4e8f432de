import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NetworkSupport
import PushModel
import PushService

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: 413 for a body larger than ``PushAPI/bodyLimit``.
    func bytes() async throws -> [UInt8] {
        do { return Array(buffer: try await body.collect(upTo: PushAPI.bodyLimit)) } catch is NIOTooManyBytesError {
            throw HTTPError(.contentTooLarge)
        }
    }

    /// Reads the body of a push request.
    ///
    /// - Throws: 1003 for a body encrypted with a key of the hosted service's vendor.
    func push() async throws -> [UInt8] {
        guard headers[.encryptType] == nil else {
            throw JPushError.badValue(
                "Encrypted pushes cannot be served; send the push as it is, without 'X-Encrypt-Type'."
            )
        }
        return try await bytes()
    }

    /// Returns the query parameter `platform`; all platforms without one.
    func platforms() throws(JPushError) -> Set<Platform> { try Set(list: parameter("platform")) }

    /// Returns a decoded query parameter.
    func parameter(_ name: Substring) -> String? { uri.queryParameters[name].map { String($0) } }

    /// Returns a number from the query; nil if the parameter is missing or empty.
    func number(_ name: Substring, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = parameter(name), !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw JPushError.badValue("'\(name)' is '\(text)'; expected \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// Returns a flag from the query; false if the parameter is missing or empty.
    func flag(_ name: Substring) throws(JPushError) -> Bool {
        switch parameter(name) {
        case nil, "", "false": return false
        case "true": return true
        case let text?: throw JPushError.badValue("'\(name)' is '\(text)'; expected true or false.")
        }
    }
}

extension ProxyRule {
    /// Returns the network of the client that sent a request; nil if unknown.
    func network(of request: Request, _ context: APIContext) -> String? {
        network(of: context.peer, forwarded: request.headers[values: .xForwardedFor])
    }
}

extension MultipartForm {
    /// Reads the body of a request.
    ///
    /// - Throws: an error with the value found and the one expected.
    init(_ body: [UInt8], of request: Request) throws(MultipartProblem) {
        let isWhole = request.headers[.contentLength].flatMap { Int($0) } == body.count
        try self.init(body, contentType: request.headers[.contentType], isWhole: isWhole)
    }
}

extension APIContext {
    /// Returns a decoded path segment of the device family; `+` and unencoded octets stay unchanged.
    ///
    /// - Throws: 7002 if it does not decode to UTF-8.
    func segment(_ name: String) throws -> String {
        let raw = try parameters.require(name)
        guard let text = raw.removingPercentEncoding else {
            throw JPushError.badDeviceParameter("'\(raw)' in the path is not UTF-8 in percent-encoding.")
        }
        return text
    }
}

/// A path of the API with the methods that it has; every other method gets 405 and an `Allow` header.
struct APIResource {
    let group: RouterGroup<APIContext>
    let path: RouterPath

    /// Answers a method of an authenticated app.
    @discardableResult
    func on(
        _ method: HTTPRequest.Method,
        _ answer: @escaping @Sendable (Request, APIContext, App) async throws -> Response
    ) -> APIResource { on(method, by: caller, answer) }

    /// Answers a method of an authenticated caller.
    @discardableResult
    func on<Caller>(
        _ method: HTTPRequest.Method,
        by caller: @escaping @Sendable (APIContext) throws -> Caller,
        _ answer: @escaping @Sendable (Request, APIContext, Caller) async throws -> Response
    ) -> APIResource {
        group.on(path, method: method) { try await answer($0, $1, try caller($1)) }
        return self
    }
}

extension RouterGroup<APIContext> {
    /// Adds a resource, whose methods follow. The code of the error for other methods, from the family, is our choice.
    func resource(_ path: String, _ methods: [HTTPRequest.Method], code: Int = 1001) -> APIResource {
        refuseMethods(besides: methods, at: path, code: code)
        return APIResource(group: self, path: RouterPath(path))
    }

    /// Adds a resource with one method.
    func add(
        _ method: HTTPRequest.Method,
        at path: String,
        code: Int = 1001,
        _ answer: @escaping @Sendable (Request, APIContext, App) async throws -> Response
    ) { resource(path, [method], code: code).on(method, answer) }
}

extension RouterMethods where Context == APIContext {
    /// Answers every other method with 405 and an `Allow` header; the error code, from the family, is our choice.
    ///
    /// `texts`: messages for some methods instead of the usual one.
    func refuseMethods(
        besides allowed: [HTTPRequest.Method],
        at path: String,
        code: Int = 1001,
        texts: [HTTPRequest.Method: String] = [:]
    ) {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        let known = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "QUERY"]
        for method in known.compactMap({ HTTPRequest.Method($0) }) where !allowed.contains(method) {
            on(RouterPath(path), method: method) { _, _ -> Response in
                let message = texts[method] ?? "\(method) is not allowed here; expected \(names)."
                var response = Response(JPushError(status: 405, code: code, message: message))
                response.headers[.allow] = names
                return response
            }
        }
    }
}
