import Hummingbird
import PushModel
import PushService

/// Posthorn's own endpoints for audiences: their size, and segments.
struct AudienceRoutes: Sendable {
    let acceptor: PushAcceptor
    let segments: SegmentController

    func add(to group: RouterGroup<APIContext>) {
        let path = "posthorn/v1/audience"
        group.post(RouterPath(path)) { request, context in
            let app = try caller(context)
            return Response(json: Self.json(try await acceptor.count(try await request.bytes(), for: app)))
        }
        group.refuseMethods(besides: [.post], at: path, code: 1001)
        addSegments(to: group)
    }

    private func addSegments(to group: RouterGroup<APIContext>) {
        let path = "posthorn/v1/segments"
        group.get(RouterPath(path)) { _, context in
            let app = try caller(context).id
            return Response(json: ["segments": .array(segments.segments(of: app).map { json($0, of: app) })])
        }
        group.refuseMethods(besides: [.get], at: path, code: 1001)
        let one = "\(path)/:segment"
        group.get(RouterPath(one)) { _, context in
            let app = try caller(context).id
            return Response(json: json(try segments.segment(try context.segment("segment"), of: app), of: app))
        }
        group.put(RouterPath(one)) { request, context in
            let app = try caller(context).id
            let segment = try await segments.set(try context.segment("segment"), try await request.bytes(), of: app)
            return Response(json: json(segment, of: app))
        }
        group.delete(RouterPath(one)) { _, context in
            try await segments.delete(try context.segment("segment"), of: try caller(context).id)
            return Response.done
        }
        group.refuseMethods(besides: [.get, .put, .delete], at: one, code: 1001)
    }

    private func json(_ segment: Segment, of app: App.ID) -> JSONValue {
        ["name": .string(segment.name), "rule": segment.rule, "counts": Self.json(segments.counts(segment, of: app))]
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
