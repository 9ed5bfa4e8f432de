import Foundation
package import PushModel

extension AppKey {
    /// A new cid: `{appkey}-{uuid}`, in lower case.
    package func makeCID() -> String { "\(text)-\(UUID().uuidString.lowercased())" }

    /// - Throws: 1003 for what is not `{appkey}-{uuid}`.
    package func check(cid: String) throws(JPushError) {
        let prefix = text + "-"
        guard cid.hasPrefix(prefix), UUID(uuidString: String(cid.dropFirst(prefix.count))) != nil else {
            throw .badValue("'cid' is '\(cid)'; expected this app's key, '-' and a UUID.")
        }
    }
}
