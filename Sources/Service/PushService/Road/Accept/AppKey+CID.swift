import Foundation
package import PushModel

extension AppKey {
    /// Returns a new cid: `{appkey}-{uuid}`, in lower case.
    package func makeCID() -> String { "\(text)-\(UUID().uuidString.lowercased())" }

    /// Checks a cid from a request.
    ///
    /// - Throws: 1003 if it is not `{appkey}-{uuid}`.
    package func check(cid: String) throws(JPushError) {
        guard Self.isCID(cid, of: text) else {
            throw .badValue("'cid' is '\(cid)'; expected this app's key, '-' and a UUID.")
        }
    }

    /// Whether a cid belongs to the key of an app or a group.
    static func isCID(_ cid: String, of key: String) -> Bool {
        guard cid.utf8.count == key.utf8.count + 37, cid.hasPrefix(key) else { return false }
        let rest = cid.utf8Span.span.extracting(droppingFirst: key.utf8.count)
        return rest[0] == UInt8(ascii: "-") && APNSID(rest.extracting(droppingFirst: 1)) != nil
    }
}
