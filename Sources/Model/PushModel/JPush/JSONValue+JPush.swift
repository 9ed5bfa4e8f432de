// Integers and booleans as callers of JPush write them. The PHP class that many projects have copied sends its numbers as strings
// and its booleans as 0 and 1; other languages make a fraction of a whole number.

extension JSONValue {
    /// The integer in a member of JPush's JSON: `600`, `600.0` or `"600"`; nil for anything else.
    package var jpushInteger: Int64? {
        switch self {
        case .integer(let value): return value
        case .double, .decimal:
            // Beyond 2^53 a Double is not the number that was written.
            guard let double, double.magnitude <= 9_007_199_254_740_992 else { return nil }
            return Int64(exactly: double)
        case .string(let text):
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return Int64(text)
        case .null, .bool, .array, .object: return nil
        }
    }

    /// The boolean in a member of JPush's JSON: `true`, `1`, `"true"` or `"1"`, and likewise false; nil for anything else.
    package var jpushBool: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default:
            switch jpushInteger {
            case 1: true
            case 0: false
            default: nil
            }
        }
    }
}
