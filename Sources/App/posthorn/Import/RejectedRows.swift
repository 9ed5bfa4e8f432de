import AppleDeveloper
import ArgumentParser
import Foundation
import PushModel

/// The file of rejected rows, with the reason beside them, so that it can be corrected and imported.
///
/// A row is unchanged, except for fields that a spreadsheet would take for a formula.
struct RejectedRows {
    /// The column, or key, of the reason.
    static let column = "problem"

    let path: String
    private let format: ImportFormat
    private let header: String
    private let separator: UInt8
    private var handle: FileHandle?
    private(set) var bytes = 0

    /// Opens the file after its first `bytes` bytes and discards the rest, which is from an interrupted run; removes it for 0.
    ///
    /// - Throws: `ValidationError` when the file exists and cannot be written.
    init(path: String, input: ImportInput, keeping bytes: Int) throws {
        self.path = path
        format = input.format
        header = input.header
        separator = input.separator
        guard bytes > 0 else {
            OutputFile.remove(path)
            return
        }
        try open()
        // A device or a pipe has no place to go back to.
        if OutputFile.isRegular(path) {
            try handle?.truncate(atOffset: UInt64(bytes))
            try handle?.seek(toOffset: UInt64(bytes))
        }
        self.bytes = bytes
    }

    mutating func add(_ row: ImportRow, problem: String) throws {
        if handle == nil {
            try open()
            if format == .csv { try write(header + comma + Self.column) }
        }
        let text = String(decoding: row.bytes, as: UTF8.self)
        switch format {
        case .csv: try write((harmless(row.bytes) ?? text) + comma + CSVReader.field(problem, separator: separator))
        case .jsonLines:
            var object = (try? JSONValue(parsing: row.bytes))?.object ?? ["found": .string(text)]
            object[Self.column] = .string(problem)
            try write(object.text)
        }
    }

    /// Returns a row whose fields a spreadsheet takes for text; nil for one that is so already, or cannot be read.
    private func harmless(_ bytes: ArraySlice<UInt8>) -> String? {
        var reader = CSVReader()
        reader.separator = separator
        reader.add(bytes)
        guard let row = reader.next(isEnd: true), row.problem == nil else { return nil }
        let fields = row.fields.map(SpreadsheetText.quoted)
        guard fields != row.fields else { return nil }
        return fields.map { CSVReader.field($0, separator: separator) }.joined(separator: comma)
    }

    private var comma: String { String(Unicode.Scalar(separator)) }

    private mutating func open() throws {
        // It contains device tokens, so only its owner may read it. A link stays: its target is written.
        let descriptor = unsafe Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
        try require(descriptor >= 0, "The file of rejected rows: \(PrivateFile.Problem(path, "written"))")
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Another user could have put a file there, to read the tokens.
        try require(
            OutputFile.makePrivate(descriptor),
            "'\(path)', for rejected rows, is another user's file; remove it, or import a file from another folder."
        )
    }

    private mutating func write(_ line: String) throws {
        let data = Data((line + "\n").utf8)
        try handle?.write(contentsOf: data)
        bytes += data.count
    }
}
