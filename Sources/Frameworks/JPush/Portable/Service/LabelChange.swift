#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

/// A change of tags and alias together, as in the calls before SDK 3.0.6.
struct LabelChange {
    /// The tags; nil leaves them unchanged, an empty set clears them.
    var tags: Set<String>?
    /// The alias; nil leaves it unchanged, an empty one clears it.
    var alias: String?

    /// The client result code, or 0.
    private var code: Int {
        if tags == nil, alias == nil { return ResultCode.nothingToSet }
        if let tags, case let code = TagRules.oldCode(tags: tags), code != 0 { return code }
        return alias.map { TagRules.oldCode(alias: $0) } ?? 0
    }

    private var requests: [DeviceOperation] {
        let tagRequest = tags.map { $0.isEmpty ? DeviceOperation.cleanTags : .setTags($0.sorted()) }
        let aliasRequest = alias.map { $0.isEmpty ? DeviceOperation.deleteAlias : .setAlias($0) }
        return [tagRequest, aliasRequest].compactMap { $0 }
    }

    /// Sends the change and calls `done` once, on the main thread, with 0 or the first other code.
    func send(with client: PushCore, _ done: @escaping (Int) -> Void) {
        let code = code
        guard code == 0 else { return client.onMain { done(code) } }
        let requests = requests
        // Changed on the main thread only.
        var missing = requests.count
        var first = 0
        for request in requests {
            client.request(request) { reply in
                missing -= 1
                if first == 0 { first = reply.code }
                if missing == 0 { done(first) }
            }
        }
    }

    func sendInBackground(with client: PushCore) {
        let code = code
        guard code == 0 else { return client.warn("tags-set: code \(code), \(ResultCode.text(code)).") }
        for request in requests { client.send(request) }
    }
}

#endif
