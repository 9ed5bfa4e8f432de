import Foundation

/// The usage in help and errors, whose lines ArgumentParser does not fit to the window.
enum UsageLines {
    /// The width of the window: COLUMNS, or that of the terminal, or 80 where there is none.
    static var columns: Int {
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        // Rows, columns and two sizes in pixels.
        var size = [UInt16](repeating: 0, count: 4)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] where unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 {
            if size[1] > 0 { return Int(size[1]) }
        }
        return 80
    }

    /// Breaks the lines of the usage that are wider than the window; other lines stay as they are.
    static func fitted(_ text: String, to columns: Int) -> String {
        var isUsage = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let begins = line.lowercased().hasPrefix("usage: ")
            isUsage = begins || isUsage && line.hasPrefix(indent)
            return isUsage && line.count > columns ? broken(String(line), to: columns) : [String(line)]
        }
        return lines.joined(separator: "\n")
    }

    /// The indentation of the usage's second line and those after it.
    private static let indent = String(repeating: " ", count: "usage: ".count)

    /// The end of a line in a shell that goes on in the next.
    private static let continuation = " \\"

    /// An example of a shell continues with a backslash, a synopsis without.
    private static func broken(_ line: String, to columns: Int) -> [String] {
        let end = line.contains("<") || line.contains("[") ? "" : continuation
        var lines: [String] = []
        var current = ""
        for part in parts(of: line) {
            let next = current.isEmpty ? part : current + " " + part
            if !current.isEmpty, next.count + end.count > columns {
                lines.append(current + end)
                current = indent + "    " + part
            } else {
                current = next
            }
        }
        return lines + [line.hasSuffix(continuation) ? current + continuation : current]
    }

    /// The words of a line, those in brackets or quotes as one, and an option with its value.
    private static func parts(of line: String) -> [String] {
        var parts: [String] = []
        let start = line.prefix { $0 == " " }
        let words = line.hasSuffix(continuation) ? line.dropLast(continuation.count) : line[...]
        for word in words.split(separator: " ") {
            if let last = parts.last, isOpen(last) || takesValue(last) && !word.hasPrefix("-") && !word.hasPrefix("[") {
                parts[parts.count - 1] += " " + word
            } else {
                parts.append(String(word))
            }
        }
        if let first = parts.first { parts[0] = start + first }
        return parts
    }

    private static func takesValue(_ part: String) -> Bool { part.hasPrefix("-") && !part.contains(" ") }

    private static func isOpen(_ text: String) -> Bool {
        func count(_ character: Character) -> Int { text.count { $0 == character } }
        guard count("'").isMultiple(of: 2) else { return true }
        return count("[") != count("]") || !count("\"").isMultiple(of: 2)
    }
}
