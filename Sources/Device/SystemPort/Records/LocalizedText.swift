/// Fills the placeholders of a format of a strings file.
package enum LocalizedText {
    /// - Parameters:
    ///   - format: the format with `%@`, `%d` and `%2$@`; `%%` is a percent sign.
    ///   - arguments: one for each placeholder; a placeholder without one stays empty.
    /// - Returns: the text; `%%` stays unchanged, as display makes it one sign.
    package static func fill(_ format: String, with arguments: [String]) -> String {
        var result = ""
        var next = 0
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            let digits = rest.prefix(while: \.isNumber)
            let afterDigits = rest.dropFirst(digits.count)
            if let place = Int(digits), afterDigits.first == "$" {
                rest = afterDigits.dropFirst(2)
                result += arguments.indices.contains(place - 1) ? arguments[place - 1] : ""
            } else if rest.first == "@" || rest.first == "d" || rest.first == "u" {
                rest = rest.dropFirst()
                result += arguments.indices.contains(next) ? arguments[next] : ""
                next += 1
            } else if rest.first == "%" {
                // Unchanged: display makes it one sign.
                rest = rest.dropFirst()
                result += "%%"
            } else {
                result += "%"
            }
        }
        return result + rest
    }
}
