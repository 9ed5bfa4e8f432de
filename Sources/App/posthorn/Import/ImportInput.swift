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
    /// The number of rows of the export that are left out, because APNs does not reach their devices.
    private(set) var leftOut = 0
    private let source: ImportSource?
    /// The names of the columns, if the file is an export.
    private var names: [String] = []
    private let handle: FileHandle
    private let name: String
    /// The readers, of which the one of the format is used.
    private var csv = CSVReader()
    private var lines = JSONLinesReader()
    private var isAtEnd = false

    private static let chunk = 1 << 20

    /// Opens the file and reads its header.
    ///
    /// - Throws: `ValidationError` when the file cannot be read, is of another format, or has no column for tokens.
    init(_ file: String, format: ImportFormat?, from source: ImportSource? = nil) throws {
        name = file
        self.source = source
        let first: Data
        do {
            handle = file == "-" ? .standardInput : try FileHandle(forReadingFrom: URL(filePath: file))
            size = file == "-" ? nil : Int(try handle.seekToEnd())
            if file != "-" { try handle.seek(toOffset: 0) }
            first = try handle.read(upToCount: Self.chunk) ?? Data()
        } catch { throw ValidationError(unreadable(file, error)) }
        guard !first.isEmpty else {
            throw ValidationError("'\(file)' is empty; expected a header and rows, or JSON lines.")
        }
        if let other = OtherFormat(beginning: first, of: file) {
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
        while true {
            switch format {
            case .csv:
                guard let row = try nextRow() else { return nil }
                if let device = device(row) { return ImportRow(line: row.line, bytes: row.bytes, device: device) }
            case .jsonLines:
                guard let line = try nextLine() else { return nil }
                if let device = device(line) {
                    return ImportRow(line: line.line, bytes: line.bytes, device: device)
                }
            }
            leftOut += 1
        }
    }

    private func field(_ column: String) -> DeviceImport.Field? {
        if let source { source.field(column) } else { DeviceImport.Field(header: column) }
    }

    private mutating func readHeader() throws {
        guard var row = try nextRow() else {
            throw ValidationError("'\(name)' is empty; expected a header and rows, or JSON lines.")
        }
        header = String(decoding: row.bytes, as: UTF8.self)
        var fields = row.fields.map(field)
        if source == nil, !fields.contains(.token), let other = Self.otherHeader(row.bytes) {
            (separator, row.fields, row.problem) = (other.separator, other.fields, nil)
            fields = row.fields.map(field)
            csv.separator = separator
        }
        if let problem = row.problem { throw ValidationError("'\(name)', line \(row.line): \(problem)") }
        columns = fields
        self.names = row.fields
        let names = DeviceImport.Field.allCases.map(\.rawValue).joined(separator: ", ")
        guard columns.contains(.token) else {
            let found = row.fields.prefix(20).map(Self.shown).joined(separator: ",")
            let token = source == .oneSignal ? "identifier" : "token"
            throw ValidationError(
                "'\(name)' has no column '\(token)'; its header is '\(found)', expected some of \(names)."
            )
        }
        for field in DeviceImport.Field.allCases where fields.count(where: { $0 == field }) > 1 {
            throw ValidationError(
                "'\(name)' has more than one column '\(field.rawValue)'; expected each of \(names) once."
            )
        }
        let unused = zip(row.fields, columns).filter { column, field in
            field == nil && column != RejectedRows.column && source?.decides(column) != true
        }.map(\.0)
        unusedColumns = unused.prefix(20).map(Self.shown)
        if unused.count > 20 { unusedColumns.append("and \(unused.count - 20) more") }
    }

    /// Returns the names of columns if they are separated by semicolons, as Excel does in many countries, by tabs or by bars; nil
    /// otherwise.
    private static func otherHeader(_ bytes: ArraySlice<UInt8>) -> (separator: UInt8, fields: [String])? {
        for separator in [UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")] {
            var rows = CSVReader()
            rows.separator = separator
            rows.add(bytes)
            guard let row = rows.next(isEnd: true) else { continue }
            if row.fields.contains(where: { DeviceImport.Field(header: $0) == .token }) {
                return (separator, row.fields)
            }
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

    /// Returns the device of a row, or what is wrong with it; nil if it is left out.
    private func device(_ row: CSVReader.Row) -> Result<DeviceImport, DeviceImport.Problem>? {
        if let problem = row.problem { return .failure(DeviceImport.Problem(problem)) }
        guard row.fields.count == columns.count else {
            return .failure(
                DeviceImport.Problem(
                    "The row has \(row.fields.count) fields; expected \(columns.count), as the header."
                )
            )
        }
        if let source {
            return source.device(JSONObject(zip(names, row.fields).map { ($0, .string($1)) })).map(Self.device)
        }
        let named = zip(columns, row.fields).compactMap { column, field in
            column.map { column in
                let text = column == .tags ? SpreadsheetText.unquotedTags(field) : SpreadsheetText.unquoted(field)
                return (column.rawValue, JSONValue.string(text))
            }
        }
        return Self.device(JSONObject(named))
    }

    private func device(_ line: JSONLinesReader.Line) -> Result<DeviceImport, DeviceImport.Problem>? {
        guard !line.isTooLong else {
            return .failure(DeviceImport.Problem("The line has more than \(JSONLinesReader.lineBytes) bytes."))
        }
        let json: JSONValue
        do { json = try JSONValue(parsing: line.bytes) } catch {
            return .failure(DeviceImport.Problem("The line is not JSON: \(error)."))
        }
        guard let object = json.object else {
            return .failure(DeviceImport.Problem("The line is \(json.text.prefix(80)); expected an object."))
        }
        if let source { return source.device(object).map(Self.device) }
        let known = object.members.compactMap { member in
            DeviceImport.Field(header: member.key).map { ($0.rawValue, member.value) }
        }
        return Self.device(JSONObject(known))
    }

    private static func device(_ object: JSONObject) -> Result<DeviceImport, DeviceImport.Problem> {
        do throws(DeviceImport.Problem) { return .success(try DeviceImport(object)) } catch { return .failure(error) }
    }
}

/// A format that an import does not read.
struct OtherFormat {
    /// The name with its article.
    let name: String
    /// The way to a readable file from this one.
    let advice: String

    /// Finds the format by the beginning of a file; nil if the file may be CSV or JSON lines.
    init?(beginning bytes: Data, of file: String) {
        let start = bytes.prefix(4)
        let text = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.starts(with: [0x50, 0x4B, 3, 4]) {
            (name, advice) = ("a ZIP archive, as Excel's workbooks (.xlsx) are", "Save it as 'CSV UTF-8'.")
        } else if start.starts(with: [0x1F, 0x8B]) {
            (name, advice) = ("compressed with gzip", "'gunzip -c \(file) | posthorn import -' reads it.")
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
            name = "text in UTF-16"
            advice = "Save it as UTF-8; 'iconv -f UTF-16 -t UTF-8 \(file)' writes it so."
        } else if text.first == UInt8(ascii: "[") {
            (name, advice) = ("a JSON array", "'jq -c .[] \(file)' writes one object a line.")
        } else {
            return nil
        }
    }
}
