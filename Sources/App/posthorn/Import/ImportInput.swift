import ArgumentParser
import Foundation
import PushModel

/// One row of a file of devices.
struct ImportRow {
    /// The number of its first line, counted from 1.
    var line: Int
    /// The row as it is in the file.
    var bytes: ArraySlice<UInt8>
    var device: Result<DeviceImport, DeviceImport.Problem>
    /// One remark for each value that is not imported with the device.
    var remarks: [String] = []
}

/// Reads the rows of a file of devices in order, from any position.
struct ImportInput {
    /// The size of the file in bytes, if known.
    let size: Int?
    let format: ImportFormat
    /// The first row of a CSV file as written, which names the columns.
    private(set) var header = ""
    private(set) var columns: [DeviceImport.Field?] = []
    /// The names of columns that are ignored, as they may be shown.
    private(set) var unusedColumns: [String] = []
    /// The octet between the fields of a CSV file.
    private(set) var separator = CSVReader.comma
    /// The numbers of rows of the export that are left out.
    private(set) var leftOut: [ImportSource.Omission: Int] = [:]
    /// The number of fields with a word for no value.
    private(set) var emptied = 0
    private let source: ImportSource?
    /// The bundle id of the app that gets the devices.
    private let bundleID: String
    private var names = ImportNames()
    /// The names of the columns, if the file is an export.
    private var columnNames: [String] = []
    private let handle: FileHandle
    private let name: String
    /// The readers, of which the one of the format is used.
    private var csv = CSVReader()
    private var lines = JSONLinesReader()
    /// The columns of fields in a CSV file, and the fields of the keys in JSON lines, of a file that is no export.
    private var places: [(column: Int, field: DeviceImport.Field)] = []
    private var keys = DeviceKeys { DeviceImport.Field(header: $0) }
    /// The fields of the row that is read, to be used again.
    private var row: [Range<Int>] = []
    private var isAtEnd = false

    private static let chunk = 1 << 20
    /// The words for no value that databases and programs write. Otherwise, many devices would share them as an alias.
    private static let nothing: Set<String> = [
        "NULL", "Null", "null", "(null)", "<null>", "\\N", "nil", "None", "none", "undefined", "NaN", "nan", "NA",
        "N/A", "#N/A",
    ]
    /// The number of octets of the longest one.
    private static let longest = nothing.reduce(0) { max($0, $1.utf8.count) }

    /// Opens the file and reads its header.
    ///
    /// - Throws: `ValidationError` when the file cannot be read, is of another format, or has no column for tokens.
    init(_ file: String, format: ImportFormat?, from source: ImportSource?, bundleID: String) throws {
        name = file
        self.source = source
        self.bundleID = bundleID
        let first: Data
        do {
            handle = file == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: file))
            size = file == "-" ? nil : Int(try handle.seekToEnd())
            if file != "-" { try handle.seek(toOffset: 0) }
            first = try handle.read(upToCount: Self.chunk) ?? Data()
        } catch { throw ValidationError(unreadable(file, error)) }
        try require(!first.isEmpty, "'\(file)' is empty; expected a header and rows, or JSON lines.")
        if let other = OtherFormat(beginning: first, of: file, from: source) {
            throw ValidationError(
                "'\(file)' is \(other.name); expected CSV with a header, or JSON lines. \(other.advice)"
            )
        }
        let text = first.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self.format = format ?? (text.first == UInt8(ascii: "{") ? .jsonLines : .csv)
        add(first)
        if self.format == .csv { try readHeader() }
    }

    /// Continues at a position from ``place``.
    mutating func seek(offset: Int, line: Int) throws {
        guard source == nil else {
            // The names that earlier rows have must be known.
            while place.offset < offset, try next() != nil {}
            return
        }
        try handle.seek(toOffset: UInt64(offset))
        isAtEnd = false
        csv = CSVReader(offset: offset, line: line)
        csv.separator = separator
        lines = JSONLinesReader(offset: offset, line: line)
    }

    /// The position of the next row.
    var place: (offset: Int, line: Int) { format == .csv ? (csv.offset, csv.line) : (lines.offset, lines.line) }

    /// The next row; nil at the end.
    mutating func next() throws -> ImportRow? {
        switch format {
        case .csv:
            while true {
                if let row = usualRow() { return row }
                guard let next = try nextRow() else { break }
                let members = Result { () throws(DeviceImport.Problem) in try object(next) }
                if let row = row(line: next.line, next.bytes, members) { return row }
            }
        case .jsonLines:
            while let next = try nextLine() {
                if let device = usualDevice(next) {
                    return ImportRow(line: next.line, bytes: next.bytes, device: .success(device))
                }
                let members = Result { () throws(DeviceImport.Problem) in try object(next) }
                if let row = row(line: next.line, next.bytes, members) { return row }
            }
        }
        return nil
    }

    /// Returns the next row of a CSV file, if it has a device of the usual form.
    private mutating func usualRow() -> ImportRow? {
        guard source == nil, let end = csv.find(&row), row.count == columns.count else { return nil }
        var fields = DeviceFields()
        for place in places { fields[place.field] = DeviceFields.Place(row[place.column], isText: true) }
        guard let device = usualDevice(fields, in: csv.buffer) else { return nil }
        let (line, bytes) = csv.take(to: end)
        return ImportRow(line: line, bytes: bytes, device: .success(device))
    }

    /// Returns the device of a line of JSON, if it has the usual form.
    private mutating func usualDevice(_ line: JSONLinesReader.Line) -> DeviceImport? {
        guard source == nil, !line.isTooLong else { return nil }
        var parser = JSONParser(bytes: Array(line.bytes))
        do {
            try parser.start()
            guard parser.isAtObject else { return nil }
            let fields = try parser.deviceFields(&keys)
            try parser.end()
            return usualDevice(fields, in: parser.bytes)
        } catch { return nil }
    }

    private func usualDevice(_ fields: DeviceFields, in octets: [UInt8]) -> DeviceImport? {
        for field in DeviceImport.Field.allCases {
            guard let place = fields[field], place.range.count <= Self.longest else { continue }
            guard !Self.nothing.contains(String(decoding: octets[place.range], as: UTF8.self)) else { return nil }
        }
        return DeviceImport(fields, in: octets)
    }

    private func field(_ column: String) -> DeviceImport.Field? {
        if let source { source.field(column) } else { DeviceImport.Field(header: column) }
    }

    private mutating func readHeader() throws {
        guard var row = try nextRow() else {
            throw ValidationError("'\(name)' is empty; expected a header and rows, or JSON lines.")
        }
        if row.line == 1, let declared = Self.declaredSeparator(row.bytes) {
            separator = declared
            csv.separator = declared
            return try readHeader()
        }
        header = String(decoding: row.bytes, as: UTF8.self)
        var fields = row.fields.map(field)
        if !fields.contains(.token), let other = otherHeader(row.bytes) {
            separator = other.separator
            row.fields = other.fields
            row.problem = nil
            fields = row.fields.map(field)
            csv.separator = separator
        }
        if let problem = row.problem { throw ValidationError("'\(name)', line \(row.line): \(problem)") }
        columns = fields
        columnNames = row.fields
        places = columns.enumerated().compactMap { column, field in field.map { (column, $0) } }
        let names = (source?.fields.keys.sorted() ?? DeviceImport.Field.allCases.map(\.rawValue)).joined(
            separator: ", "
        )
        guard columns.contains(.token) else {
            let found = row.fields.prefix(20).map(Self.shown).joined(separator: ",")
            let token = source?.tokenColumn ?? DeviceImport.Field.token.rawValue
            throw ValidationError(
                "'\(name)' has no column '\(token)'; its header is '\(found)', expected some of \(names)."
            )
        }
        for field in DeviceImport.Field.allCases {
            let same = zip(row.fields, columns).filter { $0.1 == field }.map { "'\($0.0)'" }
            try require(
                same.count < 2,
                "'\(name)' has the columns \(same.joined(separator: ", ")), which mean the same; expected one of them."
            )
        }
        let unused = zip(row.fields, columns).filter { column, field in
            field == nil && column != RejectedRows.column && source?.reads(column) != true
        }.map(\.0)
        unusedColumns = unused.prefix(20).map(Self.shown)
        if unused.count > 20 { unusedColumns.append("and \(unused.count - 20) more") }
    }

    /// Returns the separator that the first line names for Excel, as `sep=;`; nil for another line.
    private static func declaredSeparator(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        let line = bytes.filter { $0 != UInt8(ascii: "\"") }
        guard line.count == 5, String(decoding: line.dropLast(), as: UTF8.self).lowercased() == "sep=" else {
            return nil
        }
        return line.last
    }

    /// Returns the names of columns if they are separated by semicolons, as Excel does in many countries, by tabs or by bars; nil
    /// otherwise.
    private func otherHeader(_ bytes: ArraySlice<UInt8>) -> (separator: UInt8, fields: [String])? {
        for separator in [CSVReader.comma, UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")] {
            var rows = CSVReader()
            rows.separator = separator
            rows.add(bytes)
            guard let row = rows.next(isEnd: true) else { continue }
            if row.fields.contains(where: { field($0) == .token }) { return (separator, row.fields) }
        }
        return nil
    }

    /// Returns the name of a column for a message. In a file without a header it is a value, perhaps a secret one.
    private static func shown(_ column: String) -> String {
        let digits = column.split { !$0.isHexDigit && !$0.isWhitespace }.map { $0.count(where: \.isHexDigit) }
        if digits.contains(where: { $0 >= 16 }) { return "(digits, as of a token)" }
        let words = column.split { !($0.isLetter || $0.isNumber || "+/=".contains($0)) }
        if words.contains(where: { $0.count >= 24 && $0.contains(where: \.isNumber) }) { return "(a token in base64)" }
        return column.count > 40 ? column.prefix(40) + "…" : column
    }

    private mutating func nextRow() throws -> CSVReader.Row? {
        while true {
            if let row = csv.next(isEnd: isAtEnd) { return row }
            guard !isAtEnd else { return nil }
            csv.add(try readOn())
        }
    }

    private mutating func nextLine() throws -> JSONLinesReader.Line? {
        while true {
            if let line = lines.next(isEnd: isAtEnd) { return line }
            guard !isAtEnd else { return nil }
            lines.add(try readOn())
        }
    }

    private mutating func readOn() throws -> Data {
        let data = try handle.read(upToCount: Self.chunk) ?? Data()
        isAtEnd = data.isEmpty
        return data
    }

    private mutating func add(_ data: Data) { if format == .csv { csv.add(data) } else { lines.add(data) } }

    /// Returns the members of a row; nil if it is blank.
    private func object(_ row: CSVReader.Row) throws(DeviceImport.Problem) -> JSONObject? {
        if let problem = row.problem { throw DeviceImport.Problem(problem) }
        guard !row.fields.allSatisfy(Self.isBlank) else { return nil }
        guard row.fields.count == columns.count else {
            throw DeviceImport.Problem(
                "The row has \(row.fields.count) fields; expected \(columns.count), as the header."
            )
        }
        let members = zip(columns.indices, row.fields).compactMap { index, field in
            let isTags = source == nil && columns[index] == .tags
            let text = isTags ? SpreadsheetText.unquotedTags(field) : SpreadsheetText.unquoted(field)
            let name = source == nil ? columns[index]?.rawValue : columnNames[index]
            return name.map { ($0, JSONValue.string(text)) }
        }
        return JSONObject(members)
    }

    private func object(_ line: JSONLinesReader.Line) throws(DeviceImport.Problem) -> JSONObject? {
        guard !line.isTooLong else {
            throw DeviceImport.Problem("The line has more than \(JSONLinesReader.lineBytes) bytes.")
        }
        let json: JSONValue
        do { json = try JSONValue(parsing: line.bytes) } catch {
            guard !Self.isBlank(String(decoding: line.bytes, as: UTF8.self)) else { return nil }
            throw DeviceImport.Problem("The line is not JSON: \(error).")
        }
        guard let object = json.object else {
            throw DeviceImport.Problem("The line is \(json.text.prefix(80)); expected an object.")
        }
        if let source { return source.flat(object) }
        let known = object.members.compactMap { member in
            DeviceImport.Field(header: member.key).map { ($0.rawValue, member.value) }
        }
        return JSONObject(known)
    }

    /// Returns the row with these members; nil for a blank one, and for one that is left out.
    private mutating func row(
        line: Int,
        _ bytes: ArraySlice<UInt8>,
        _ members: Result<JSONObject?, DeviceImport.Problem>
    ) -> ImportRow? {
        var remarks: [String] = []
        do throws(DeviceImport.Problem) {
            guard let written = try members.get() else { return nil }
            var object = written
            for member in written.members where member.value.string.map({ Self.nothing.contains($0) }) == true {
                object[member.key] = ""
                if source == nil || source?.field(member.key) != nil { emptied += 1 }
            }
            if let omission = try source?.omission(of: object, bundleID: bundleID) {
                leftOut[omission, default: 0] += 1
                return nil
            }
            if let source { object = try source.device(object, &names, remarks: &remarks) }
            return ImportRow(line: line, bytes: bytes, device: .success(try DeviceImport(object)), remarks: remarks)
        } catch { return ImportRow(line: line, bytes: bytes, device: .failure(error)) }
    }

    /// Whether there is nothing to see in a text, such as the mark with which DOS ends a file.
    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || [0, 0x1A, 0xFEFF].contains($0.value) }
    }
}

/// A format that an import does not read.
struct OtherFormat {
    /// The name with its article.
    let name: String
    /// The way to a readable file from this one.
    let advice: String

    /// Finds the format by the beginning of a file; nil if the file may be CSV or JSON lines.
    init?(beginning bytes: Data, of file: String, from source: ImportSource?) {
        let start = bytes.prefix(4)
        let text = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.starts(with: [0x50, 0x4B, 3, 4]) {
            name = "a ZIP archive, as Excel's workbooks (.xlsx) are"
            advice = "Save it as 'CSV UTF-8'."
        } else if start.starts(with: [0x1F, 0x8B]) {
            name = "compressed with gzip"
            let from = source.map { " --from \($0.rawValue)" } ?? ""
            advice = "'gunzip -c \(file) | posthorn import -\(from)' reads it."
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
            name = "text in UTF-16"
            advice = "Save it as UTF-8; 'iconv -f UTF-16 -t UTF-8 \(file)' writes it so."
        } else if text.first == UInt8(ascii: "[") {
            name = "a JSON array"
            advice = "This writes one object a line: jq -c '.[]' \(file)"
        } else if let list = Self.list(in: text) {
            name = "one JSON object for all devices"
            advice = "This writes one object a line: jq -c '.\(list)[]' \(file)"
        } else if text.prefix(3).filter({ $0 != 0x0D }).starts(with: [UInt8(ascii: "{"), 0x0A]) {
            name = "JSON on several lines"
            advice = "This writes one object a line: jq -c . \(file)"
        } else {
            return nil
        }
    }

    /// Returns the keys of the list in a page of a REST API, such as `{"results":[{…},…]}`; nil for other text.
    private static func list(in text: Data) -> String? {
        guard text.first == UInt8(ascii: "{") else { return nil }
        let beginning = String(decoding: text.prefix(1000), as: UTF8.self)
        return beginning.firstMatch(of: /"(results|players|subscriptions|devices|data|Item)"\s*:\s*\[\s*[{\]]/).map {
            // As the command line tool of Amazon Pinpoint writes it.
            beginning.contains("\"EndpointsResponse\"") ? "EndpointsResponse.\($0.1)" : String($0.1)
        }
    }
}
