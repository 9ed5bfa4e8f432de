import Foundation
package import PushModel

extension AppKey {
    /// A new cid: `{appkey}-{uuid}`, in lower case.
    package func makeCID() -> String { "\(text)-\(UUID().uuidString.lowercased())" }

    /// - Throws: 1003 for what is not `{appkey}-{uuid}`.
    package func check(cid: String) throws(JPushError) {
        guard Self.isCID(cid, of: text) else {
            throw .badValue("'cid' is '\(cid)'; expected this app's key, '-' and a UUID.")
        }
    }

    /// Whether a cid is one of the key of an app or a group.
    static func isCID(_ cid: String, of key: String) -> Bool {
        let (cid, key) = (cid.utf8, key.utf8)
        guard cid.count == key.count + 37, cid.starts(with: key) else { return false }
        let rest = cid.dropFirst(key.count)
        return rest.first == UInt8(ascii: "-") && rest.dropFirst().isUUID
    }
}

extension Substring.UTF8View {
    /// 32 hexadecimal digits with `-` behind the 8th, 12th, 16th and 20th.
    fileprivate var isUUID: Bool {
        var place = 0
        for octet in self {
            let isRight =
                switch place {
                case 8, 13, 18, 23: octet == UInt8(ascii: "-")
                default: octet.isHexDigit
                }
            guard isRight else { return false }
            place += 1
        }
        return place == 36
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
