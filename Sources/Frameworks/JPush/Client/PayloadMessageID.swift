import Foundation
import PushModel

/// The `_j_msgid` of a payload: 64 bits, a number from the service, a string in what apps keep.
enum PayloadMessageID {
    static let key = "_j_msgid"

    /// Returns nil if it is missing, or not an integer.
    static func read(_ payload: [AnyHashable: Any]) -> Int64? {
        switch payload[key] {
        case let text as String: Int64(text)
        case let number as any BinaryInteger: Int64(exactly: number)
        case let number as NSNumber: read(number)
        default: nil
        }
    }

    static func read(_ payload: JSONObject) -> Int64? {
        payload[key]?.integer ?? payload[key]?.string.flatMap { Int64($0) }
    }

    private static func read(_ number: NSNumber) -> Int64? {
        // Reading the C string is safe: it is a constant of Foundation.
        switch unsafe String(cString: number.objCType) {
        case "f", "d", "c", "B": nil
        default: number.int64Value
        }
    }
}
