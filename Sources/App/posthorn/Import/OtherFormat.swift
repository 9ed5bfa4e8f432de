import Foundation

/// A format that an import does not read, found by the beginning of the file.
enum OtherFormat {
    case jsonArray
    case workbook
    case gzip
    case utf16

    /// Nil if the file may be CSV or JSON lines.
    init?(beginning bytes: Data) {
        let start = bytes.prefix(4)
        let text = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if start.starts(with: [0x50, 0x4B, 3, 4]) {
            self = .workbook
        } else if start.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
            self = .utf16
        } else if text.first == UInt8(ascii: "[") {
            self = .jsonArray
        } else {
            return nil
        }
    }

    /// The name with its article.
    var name: String {
        switch self {
        case .jsonArray: "a JSON array"
        case .workbook: "a ZIP archive, as Excel's workbooks (.xlsx) are"
        case .gzip: "compressed with gzip"
        case .utf16: "text in UTF-16"
        }
    }

    /// Returns what makes a readable file of this one.
    func advice(_ file: String) -> String {
        switch self {
        case .jsonArray: "'jq -c .[] \(file)' writes one object a line."
        case .workbook: "Save it as 'CSV UTF-8'."
        case .gzip: "'gunzip -c \(file) | posthorn import -' reads it."
        case .utf16: "Save it as UTF-8; 'iconv -f UTF-16 -t UTF-8 \(file)' writes it so."
        }
    }
}
