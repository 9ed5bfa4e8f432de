/// Reads a multipart body from one boundary to the next.
struct MultipartReader {
    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private let body: [UInt8]
    /// Two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let isWhole: Bool
    private var at = 0
    private var hasEnded = false

    /// `isWhole`: whether the end of the body may replace the last boundary.
    init(body: [UInt8], boundary: String, isWhole: Bool) {
        self.body = body
        self.isWhole = isWhole
        delimiter = Array("--\(boundary)".utf8)
    }

    /// Skips to after the first boundary; the text before it is ignored.
    mutating func skipPreamble() throws(MultipartProblem) { if !takeDelimiter(at: 0) { _ = try takeContent() } }

    /// Returns the next part; nil after the last.
    mutating func next() throws(MultipartProblem) -> MultipartForm.Part? {
        guard !hasEnded else { return nil }
        let header = try takeHeader()
        guard let disposition = header["content-disposition"].map(HeaderParameters.init),
            disposition.value.lowercased() == "form-data", let name = disposition["name"]
        else { throw MultipartProblem("a part has no 'Content-Disposition: form-data; name=\"…\"'") }
        let encoding = header["content-transfer-encoding"]?.lowercased() ?? "binary"
        guard ["7bit", "8bit", "binary"].contains(encoding) else {
            throw MultipartProblem("the part '\(name)' is encoded as '\(encoding)'; expected no encoding")
        }
        let content = try takeContent(orRest: isWhole)
        return MultipartForm.Part(name: name, fileName: disposition["filename"], content: content)
    }

    /// Reads the fields of a part's header, by their names in lower case.
    private mutating func takeHeader() throws(MultipartProblem) -> [String: String] {
        var fields: [String: String] = [:]
        let limit = at + MultipartForm.headerLimit
        while true {
            guard let end = find(Self.lineEnd, from: at), end <= limit else {
                throw MultipartProblem(
                    "the header of a part does not end, or has more than \(MultipartForm.headerLimit) bytes"
                )
            }
            defer { at = end + Self.lineEnd.count }
            guard end > at else { return fields }
            guard let line = String(validating: body[at..<end], as: UTF8.self)?.unicodeScalars,
                let colon = line.firstIndex(of: ":")
            else { throw MultipartProblem("the header of a part holds a line that is no 'Name: value' in UTF-8") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            fields[String(line[..<colon]).lowercased()] = String(value)
        }
    }

    /// Reads up to the next boundary, without the line ending that belongs to it.
    ///
    /// With `orRest`, reads to the end of the body if there is no boundary.
    private mutating func takeContent(orRest: Bool = false) throws(MultipartProblem) -> ArraySlice<UInt8> {
        let start = at
        // The content may be empty: its boundary then begins with the line ending of the header.
        var from = max(start - Self.lineEnd.count, 0)
        while let end = find(Self.lineEnd, from: from) {
            let next = end + Self.lineEnd.count
            if takeDelimiter(at: next) { return body[min(start, end)..<end] }
            from = next
        }
        guard !orRest else {
            hasEnded = true
            return body[start...]
        }
        throw MultipartProblem("the body does not end with its boundary; was it cut off?")
    }

    /// Skips a boundary at this position: it ends its line, or is followed by two hyphens after the last part.
    ///
    /// Anything else is content that looks like a boundary.
    private mutating func takeDelimiter(at place: Int) -> Bool {
        guard body[place...].starts(with: delimiter) else { return false }
        var end = place + delimiter.count
        if body[end...].starts(with: "--".utf8) {
            hasEnded = true
            return true
        }
        while end < body.count, [0x20, 0x09].contains(body[end]) { end += 1 }
        guard body[end...].starts(with: Self.lineEnd) else { return false }
        at = end + Self.lineEnd.count
        return true
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        var place = start
        while let next = body[place...].firstIndex(of: pattern[0]) {
            if body[next...].starts(with: pattern) { return next }
            place = next + 1
        }
        return nil
    }
}
