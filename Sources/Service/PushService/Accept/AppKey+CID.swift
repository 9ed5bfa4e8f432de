import Foundation
package import PushModel

extension AppKey {
    /// A new cid: `{appkey}-{uuid}`, in lower case.
    package func makeCID() -> String { "\(text)-\(UUID().uuidString.lowercased())" }

    /// - Throws: 1003 for what is not `{appkey}-{uuid}`.
    package func check(cid: String) throws(JPushError) {
        guard Self.uuid(inCID: cid, of: text) != nil else {
            throw .badValue("'cid' is '\(cid)'; expected this app's key, '-' and a UUID.")
        }
    }

    /// What a cid has behind the key of an app or a group; nil if it is none of that key.
    static func uuid(inCID cid: String, of key: String) -> UUID? {
        cid.hasPrefix(key + "-") ? UUID(uuidString: String(cid.dropFirst(key.count + 1))) : nil
    }
}
