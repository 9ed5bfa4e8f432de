import Foundation
import PushClock
package import PushModel

extension PushAcceptor {
    /// Accepts a push for every app of a group with a single write. When this returns, it is on disk.
    ///
    /// An app that cannot accept it, for example because it has no matching devices, has an error in the answer and does not affect
    /// others.
    ///
    /// - Throws: ``JPushError`` if the push itself is invalid.
    package func accept(_ body: [UInt8], for group: AppGroup, file: FileAudience) async throws -> GroupPush {
        var request = try PushRequest(parsing: body, file: file)
        guard request.options.overriddenMessage == nil else {
            throw JPushError.badValue("'options.override_msg_id' has no meaning in a group push; leave it out.")
        }
        let apps = try await registry.apps(group.apps)
        let now = clock.date
        let cidsSince = cidsSince(now)
        let cid = request.cid
        if let cid {
            try Self.check(cid: cid, of: group, apps)
            if let first = try await store.groupPush(ofCID: cid, of: group.id, since: cidsSince) { return first }
        }
        // The cid belongs to the group; the messages of its apps have none.
        request.cid = nil
        var answer: JSONObject = [:]
        var push = GroupPush(
            id: GroupPush.makeID(),
            group: group.id,
            cid: cid,
            acceptedAt: now,
            answer: .null,
            messages: [:]
        )
        answer["group_msgid"] = .string(push.id)
        var prepared: [PreparedPush] = []
        for app in apps {
            do {
                try app.check(request, body)
                let item = try await admit(request, body, for: app, from: .group(group), at: now)
                prepared.append(item)
                push.messages[app.id] = item.message.id
                answer[app.key.text] = item.result.json
            } catch let error as JPushError {
                var error = error
                error.messageID = nil
                answer[app.key.text] = error.json
            }
        }
        push.answer = .object(answer)
        do {
            if let first = try await store.accept(push, prepared, cidsSince: cidsSince) {
                await returnBroadcasts(prepared)
                return first
            }
        } catch {
            await returnBroadcasts(prepared, after: error)
            throw error
        }
        metrics.accepted(prepared)
        for item in prepared { complete(item) }
        if prepared.contains(where: { $0.custom != nil }) { router.readLog() }
        return push
    }

    /// Checks a cid. Groups have no endpoint that creates cids, so the keys of the group and of its apps are all allowed (our
    /// choice).
    private static func check(cid: String, of group: AppGroup, _ apps: [App]) throws(JPushError) {
        let keys = [group.key.text] + apps.map(\.key.text)
        guard keys.contains(where: { AppKey.isCID(cid, of: $0) }) else {
            throw .badValue("'cid' is '\(cid)'; expected the key of the group or of one of its apps, '-' and a UUID.")
        }
    }
}

extension GroupPush {
    /// Returns a random id of 20 lower-case letters and digits.
    fileprivate static func makeID() -> String {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuv")
        var random = SystemRandomNumberGenerator()
        return String((0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    }
}
