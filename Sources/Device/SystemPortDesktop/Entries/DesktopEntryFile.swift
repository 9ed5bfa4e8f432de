/// The contents of a `.desktop` file. Source: Desktop Entry Specification 1.5.
package struct DesktopEntryFile: Hashable, Sendable {
    private var values: [String: String] = [:]

    /// - Parameter text: the file; lines that are no keys are skipped, and so are other groups than `Desktop Entry`.
    package init(_ text: String) {
        var isEntry = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("[") { isEntry = line.hasPrefix("[Desktop Entry]") }
            guard isEntry, !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") else { continue }
            let key = String(line[..<sign].filter { $0 != " " })
            let value = line[line.index(after: sign)...].drop { $0 == " " }
            if values[key] == nil { values[key] = Self.unescape(value) }
        }
    }

    /// Returns the value of a key; nil if there is none.
    package subscript(_ key: String) -> String? { values[key] }

    /// Looks a key up with a locale: `lang_COUNTRY@MODIFIER` first, then with fewer parts, then without.
    ///
    /// - Parameters:
    ///   - key: the name of the key.
    ///   - locale: as the variable `LC_MESSAGES` has it, with or without an encoding; empty for none.
    /// - Returns: the value; nil if there is none.
    package func text(_ key: String, locale: String) -> String? {
        let modifier = locale.split(separator: "@").dropFirst().first.map { "@\($0)" } ?? ""
        let place = locale.prefix { $0 != "." && $0 != "@" }
        let language = place.prefix { $0 != "_" }
        for name in ["\(place)\(modifier)", "\(place)", "\(language)\(modifier)", "\(language)"] where !name.isEmpty {
            if let value = values["\(key)[\(name)]"] { return value }
        }
        return values[key]
    }

    /// Whether the entry is that of an app.
    package var isApplication: Bool { values["Type"] == "Application" && values["Hidden"] != "true" }

    /// The program and its arguments, without the field codes for files and URLs: there are none.
    package var command: [String] {
        guard let line = values["Exec"] else { return [] }
        return Self.words(of: line).flatMap { word -> [String] in
            switch word {
            case "%f", "%F", "%u", "%U", "%d", "%D", "%n", "%N", "%v", "%m", "%k": []
            case "%i": values["Icon"].map { ["--icon", $0] } ?? []
            case "%c": values["Name"].map { [$0] } ?? []
            default: [word.replacing("%%", with: "%")]
            }
        }
    }

    /// Splits a command line at spaces outside of double quotes, within which a backslash quotes the next character.
    static func words(of line: String) -> [String] {
        var words = [String]()
        var word = ""
        var isQuoted = false
        var isEscaped = false
        var hasWord = false
        for character in line {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\"" {
                isQuoted.toggle()
                hasWord = true
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == " ", !isQuoted {
                if hasWord { words.append(word) }
                word = ""
                hasWord = false
            } else {
                word.append(character)
                hasWord = true
            }
        }
        return hasWord ? words + [word] : words
    }

    /// Source: Desktop Entry Specification, "Possible value types": `\s`, `\n`, `\t`, `\r` and `\\`.
    private static func unescape(_ value: Substring) -> String {
        var result = ""
        var isEscaped = false
        let codes: [Character: Character] = ["s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"]
        for character in value {
            if isEscaped {
                if let plain = codes[character] { result.append(plain) } else { result += "\\\(character)" }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }
}
