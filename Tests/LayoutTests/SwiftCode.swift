/// A source text as the rules about layout read it: without comments and the contents of strings.
struct SwiftCode: Sendable {
    /// The lines. A string has its quotation marks, and blanks between them.
    let lines: [Substring]
    /// The types that the text declares outside of others, unless they are private.
    let types: [String]

    init(_ text: String) {
        let code = Self.blanked(Array(text.utf8))
        lines = String(decoding: code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        types = Self.types(in: lines)
    }

    private static func types(in lines: [Substring]) -> [String] {
        let kinds = ["struct ", "class ", "enum ", "actor ", "protocol "]
        let declaration =
            #/(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|open|final|indirect|nonisolated)\s+)*(?:struct|class|enum|actor|protocol)\s+(\w+)/#
        return lines.compactMap { line in
            // The pattern is slow, and few lines declare a type.
            guard let first = line.utf8.first, isInWord(first) || first == UInt8(ascii: "@"),
                kinds.contains(where: line.contains)
            else { return nil }
            return line.prefixMatch(of: declaration).map { String($0.1) }
        }
    }

    /// The words that may be names of types: those that begin with a capital letter.
    var names: Set<String> {
        var names: Set<String> = []
        for line in lines {
            for word in line.utf8.split(whereSeparator: { !Self.isInWord($0) }) where word.count > 1 {
                if let first = word.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) {
                    names.insert(String(Substring(word)))
                }
            }
        }
        return names
    }

    /// The lines that assign several values as a tuple.
    var tupleAssignments: [Substring] {
        let assignment =
            #/(?:^|[{;])\s*(?:(?:private|package|public|static|let|var)\s+)*\([^=]*,[^=]*\)(?:: \(.*\))? = \(/#
        return lines.filter { $0.contains(") = (") && $0.contains(assignment) }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    // MARK: - Comments and strings

    private static let lineComment = Array("//".utf8)
    private static let opening = Array("/*".utf8)
    private static let closing = Array("*/".utf8)

    private static func blanked(_ text: [UInt8]) -> [UInt8] {
        var code = text
        var place = 0
        while place < text.count {
            let end: Int
            var kept = 0
            switch text[place] {
            case UInt8(ascii: "/") where has(lineComment, in: text, at: place): end = endOfLine(in: text, from: place)
            case UInt8(ascii: "/") where has(opening, in: text, at: place): end = endOfComment(in: text, from: place)
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                guard let closing = endOfString(in: text, from: place) else { fallthrough }
                end = closing
                kept = 1
            default:
                place += 1
                continue
            }
            for index in place + kept..<max(end - kept, place + kept) where text[index] != UInt8(ascii: "\n") {
                code[index] = UInt8(ascii: " ")
            }
            place = end
        }
        return code
    }

    private static func has(_ word: [UInt8], in text: [UInt8], at place: Int) -> Bool {
        guard place + word.count <= text.count else { return false }
        for index in word.indices where text[place + index] != word[index] { return false }
        return true
    }

    private static func endOfLine(in text: [UInt8], from start: Int) -> Int {
        text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    }

    private static func endOfComment(in text: [UInt8], from start: Int) -> Int {
        var depth = 0
        var place = start
        repeat {
            if has(opening, in: text, at: place) {
                depth += 1
                place += 2
            } else if has(closing, in: text, at: place) {
                depth -= 1
                place += 2
            } else {
                place += 1
            }
        } while depth > 0 && place < text.count
        return min(place, text.count)
    }

    /// Returns the place after a string literal; nil if there is none. A string of one line ends with its line at the latest.
    private static func endOfString(in text: [UInt8], from start: Int) -> Int? {
        let quotation = UInt8(ascii: "\"")
        let hashes = text[start...].prefix { $0 == UInt8(ascii: "#") }
        var place = start + hashes.count
        guard place < text.count, text[place] == quotation else { return nil }
        let isOfSeveralLines = has([quotation, quotation, quotation], in: text, at: place)
        let ending = Array(repeating: quotation, count: isOfSeveralLines ? 3 : 1) + hashes
        let escape = [UInt8(ascii: "\\")] + hashes
        place += isOfSeveralLines ? 3 : 1
        while place < text.count {
            if has(ending, in: text, at: place) { return place + ending.count }
            if has(escape, in: text, at: place) {
                place += escape.count
                let isInterpolation = place < text.count && text[place] == UInt8(ascii: "(")
                place = isInterpolation ? endOfInterpolation(in: text, from: place) : place + 1
            } else if text[place] == UInt8(ascii: "\n"), !isOfSeveralLines {
                return place
            } else {
                place += 1
            }
        }
        return text.count
    }

    /// Returns the place after the parenthesis that closes the one at `start`.
    private static func endOfInterpolation(in text: [UInt8], from start: Int) -> Int {
        var depth = 0
        var place = start
        repeat {
            if text[place] == UInt8(ascii: "\""), let end = endOfString(in: text, from: place) {
                place = end
                continue
            }
            if text[place] == UInt8(ascii: "(") { depth += 1 }
            if text[place] == UInt8(ascii: ")") { depth -= 1 }
            place += 1
        } while depth > 0 && place < text.count
        return place
    }
}
