import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoint for the size of an audience.
struct AudienceRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        let path = "posthorn/v1/audience"
        group.post(RouterPath(path)) { request, context in
            let app = try caller(context)
            return Response(json: Self.json(try await acceptor.count(try await request.bytes(), for: app)))
        }
        group.refuseMethods(besides: [.post], at: path, code: 1001)
    }

    private static func json(_ counts: AudienceCounts) -> JSONValue {
        func number(_ count: Int) -> JSONValue { .number(count) }
        return [
            "devices": number(counts.devices), "production": number(counts.production),
            "development": number(counts.development), "without_token": number(counts.withoutToken),
            "refused": number(counts.refused), "push_off": number(counts.stopped),
        ]
    }
}
