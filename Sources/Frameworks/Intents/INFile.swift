public import Foundation

/// A file, on disk or in memory. Source: Apple, `INFile`. `@unchecked Sendable`: it is immutable.
open class INFile: NSObject, @unchecked Sendable {
    /// The bytes; empty if the file cannot be read.
    open var data: Data { bytes ?? fileURL.flatMap { try? Data(contentsOf: $0) } ?? Data() }
    /// The name of the file, with its extension.
    open private(set) var filename: String
    /// The uniform type identifier; nil if unknown.
    open private(set) var typeIdentifier: String?
    /// The place of the file; nil if the content was given as data.
    open private(set) var fileURL: URL?

    private let bytes: Data?

    /// A file in memory.
    public init(data: Data, filename: String, typeIdentifier: String?) {
        bytes = data
        self.filename = filename
        self.typeIdentifier = typeIdentifier
    }

    /// A file on disk; without a name it has that of its path.
    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        bytes = nil
        self.filename = filename ?? fileURL.lastPathComponent
        self.typeIdentifier = typeIdentifier
        self.fileURL = fileURL
    }
}
