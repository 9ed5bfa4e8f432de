import Hummingbird
import PushModel
import PushService

/// The push family: `/v3/push` and `/v3/push/validate`.
struct PushRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        group.post("v3/push") { request, context in
            Response(json: try await acceptor.accept(try await body(of: request), for: try caller(context)).json)
        }
        group.post("v3/push/validate") { request, context in
            Response(json: try await acceptor.validate(try await body(of: request), for: try caller(context)).json)
        }
        for path in ["v3/push", "v3/push/validate"] { group.refuseMethods(besides: [.post], at: path, code: 1001) }
    }

    private func body(of request: Request) async throws -> [UInt8] {
        guard request.headers[.encryptType] == nil else {
            throw JPushError.badValue(
                "Encrypted pushes cannot be served; send the push as it is, without 'X-Encrypt-Type'."
            )
        }
        return try await request.bytes()
    }
}
