import Foundation

/// A key, a certificate or something else in PEM (RFC 7468), with the headers of old encrypted keys (RFC 1421).
///
/// The line breaks may be missing, be written as `\n`, as in settings and environment variables, or have any distance; a byte order mark and
/// other text may stand before and between blocks. Sources: APNSwift #141, novu #2341, node-apn #650, openssl #10112.
package struct PEMBlock: Hashable, Sendable {
    /// The words after `BEGIN`, such as `PRIVATE KEY`.
    package var label: String
    /// The lines of the header, such as `Proc-Type: 4,ENCRYPTED`.
    package var headers: [String]
    package var bytes: [UInt8]

    /// A block that cannot be read, as a clause.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    package init(label: String, headers: [String] = [], bytes: [UInt8]) {
        self.label = label
        self.headers = headers
        self.bytes = bytes
    }

    /// Reads all blocks of a text.
    ///
    /// - Throws: ``Problem`` if one is cut off or damaged.
    package static func blocks(in text: [UInt8]) throws(Problem) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var rest = text[...]
        while let begin = rest.firstRange(of: Array("-----BEGIN ".utf8)) {
            rest = rest[begin.upperBound...]
            guard let dashes = rest.firstRange(of: Array("-----".utf8)),
                rest[..<dashes.lowerBound].allSatisfy({ (0x20..<0x7F).contains($0) })
            else { throw Problem(description: "the line that begins with '-----BEGIN' is damaged") }
            let label = String(decoding: rest[..<dashes.lowerBound], as: UTF8.self)
            rest = rest[dashes.upperBound...]
            guard let end = rest.firstRange(of: Array("-----END \(label)-----".utf8)) else {
                throw Problem(description: "the line '-----END \(label)-----' is missing: the text was cut off")
            }
            blocks.append(try PEMBlock(label: label, content: rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return blocks
    }

    private init(label: String, content: ArraySlice<UInt8>) throws(Problem) {
        // The breaks of a text that went through a setting are a backslash and a letter.
        let lines = String(decoding: content, as: UTF8.self)
            .replacing(/\\+[rn]/, with: "\n")
            .split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let headers = lines.filter { $0.contains(":") }
        let digits = lines.filter { !$0.contains(":") }.joined().filter { !$0.isWhitespace }
        guard let bytes = Data(base64Encoded: digits), !bytes.isEmpty else {
            throw Problem(
                description: "the text after '-----BEGIN \(label)-----' is not base64: it is damaged or cut off"
            )
        }
        self.init(label: label, headers: headers, bytes: Array(bytes))
    }

    /// The block as every reader of PEM takes it: with lines of 64.
    package var text: String {
        let header = headers.isEmpty ? "" : headers.joined(separator: "\n") + "\n\n"
        let digits = Data(bytes).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(header)\(digits)\n-----END \(label)-----\n"
    }

    package var isPrivateKey: Bool { label.hasSuffix("PRIVATE KEY") }
    package var isEncrypted: Bool { label.hasPrefix("ENCRYPTED") || headers.contains { $0.hasSuffix("ENCRYPTED") } }
}

extension [UInt8] {
    /// The PEM blocks of a text as every reader takes them; the text itself if it has none or a damaged one.
    package var normalizedPEM: [UInt8] {
        guard let blocks = try? PEMBlock.blocks(in: self), !blocks.isEmpty else { return self }
        return Array(blocks.map(\.text).joined().utf8)
    }
}
