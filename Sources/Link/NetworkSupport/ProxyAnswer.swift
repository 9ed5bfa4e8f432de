import PushModel

/// The head of a proxy's answer to CONNECT.
///
/// A line may end with a line feed alone. Source: RFC 9112, section 2.2.
struct ProxyAnswer {
    /// The maximum length of a reason or of a list of schemes in a message, in scalars.
    private static let mostShown = 120
    private static let lineFeed = UInt8(ascii: "\n")

    let status: Int
    /// The text behind the status, for people.
    private let reason: String
    /// The ways of authentication that the proxy takes.
    private var schemes: [String] = []

    /// Removes the first head and the empty line after it; nil if it has not come as a whole.
    static func takeHead(of bytes: inout [UInt8]) -> [UInt8]? {
        var start = 0
        while let end = bytes[start...].firstIndex(of: lineFeed) {
            let line = bytes[start..<end]
            start = end + 1
            guard line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) else { continue }
            let head = Array(bytes[..<line.startIndex])
            bytes.removeFirst(start)
            return head
        }
        return nil
    }

    /// Reads a head; nil if it is not one of HTTP/1.
    init?(_ head: [UInt8]) {
        let lines = head.split(separator: Self.lineFeed).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        self.status = status
        reason = words.count > 2 ? String(words[2]) : ""
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "proxy-authenticate" else { continue }
            schemes += Self.schemes(in: parts[1])
        }
    }

    /// Returns the schemes of a field like `Negotiate, Basic realm="a, b"`: the words that no parameter is.
    ///
    /// Source: RFC 9110, section 11.6.1.
    private static func schemes(in value: Substring) -> [String] {
        let outsideQuotes = value.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        return outsideQuotes.split(separator: ",").compactMap { challenge in
            challenge.split(separator: " ").first.flatMap { $0.contains("=") ? nil : String($0) }
        }
    }

    /// Whether the final answer follows.
    var isInterim: Bool { (100..<200).contains(status) && status != 101 }
    var isSuccess: Bool { (200..<300).contains(status) }

    /// The end of a sentence that says how the proxy has refused the tunnel.
    var refusal: String {
        guard status == 407 else {
            return reason.isEmpty ? "answered \(status)" : "answered \(status) \(shown(reason))"
        }
        guard !schemes.isEmpty else { return "answered 407" }
        let isBasic = schemes.contains { $0.lowercased() == "basic" }
        let end = isBasic ? "give a user and a password that it accepts" : "only Basic is supported here"
        return "answered 407 and asks for \(shown(schemes.joined(separator: ", "))); \(end)"
    }

    private func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(Self.mostShown)).printed }
}
