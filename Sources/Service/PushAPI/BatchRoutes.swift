import Hummingbird
import PushModel
import PushService

/// Multiple pushes in one request, each to one device or alias: `/v3/push/batch/regid/single`, `/v3/push/batch/alias/single`.
///
/// Source: JPush REST API v3, "Batch single push API".
struct BatchRoutes: Sendable {
    let acceptor: PushAcceptor

    func add(to group: RouterGroup<APIContext>) {
        for (name, kind) in [("regid", TargetKind.registrationID), ("alias", .alias)] {
            group.add(.post, at: "v3/push/batch/\(name)/single") { request, _, app in
                let batch = try PushBatch(parsing: try await request.push(), to: kind)
                let results = try await acceptor.accept(batch, for: app)
                return Response(json: Self.answer(to: batch, results, warns: !request.refusesUnknownMembers))
            }
        }
    }

    /// Returns the results by cid: `{"msg_id":…}`, with `warnings` if there are any, or `{"error":…}` with a `msg_id` next to it for 1011.
    static func answer(to batch: PushBatch, _ results: [Result<PushResult, JPushError>], warns: Bool) -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(results.count * 100)
        let mayWarn = warns && PushWarning.mayConcern(batch.text[...])
        for place in results.indices {
            json.append(UInt8(ascii: place == 0 ? "{" : ","))
            JSONValue.string(batch.entries[place].cid).write(to: &json)
            json.append(UInt8(ascii: ":"))
            switch results[place] {
            case .success(let push):
                json.append(contentsOf: #"{"msg_id":""#.utf8)
                json.appendDecimal(push.messageID.number)
                json.append(UInt8(ascii: "\""))
                if mayWarn || warns && batch.entries[place].hasIgnored {
                    add(PushWarning.all(in: batch.text[batch.entries[place].range]), to: &json)
                }
                json.append(UInt8(ascii: "}"))
            case .failure(let error): error.json.write(to: &json)
            }
        }
        json.append(UInt8(ascii: "}"))
        return json
    }

    private static func add(_ warnings: [PushWarning], to json: inout [UInt8]) {
        guard !warnings.isEmpty else { return }
        json.append(contentsOf: #","warnings":"#.utf8)
        JSONValue.array(warnings.map(\.json)).write(to: &json)
    }
}
