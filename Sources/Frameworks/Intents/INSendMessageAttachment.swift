public import Foundation

/// A file of a message. Source: Apple, `INSendMessageAttachment`, of iOS 14 and later. `@unchecked Sendable`: it is immutable.
open class INSendMessageAttachment: NSObject, @unchecked Sendable {
    /// The file of a recorded message; nil for none.
    open var audioMessageFile: INFile? { file }

    private let file: INFile

    /// Creates an attachment from the file of a recorded message.
    public init(audioMessageFile: INFile) { file = audioMessageFile }
}

/// A file, on disk or in memory. Source: Apple, `INFile`. `@unchecked Sendable`: it is immutable.
open class INFile: NSObject, @unchecked Sendable {
    /// The bytes; empty if the file cannot be read.
    open var data: Data { bytes ?? place.flatMap { try? Data(contentsOf: $0) } ?? Data() }
    /// The name of the file, with its extension.
    open var filename: String { name }
    /// The uniform type identifier; nil if unknown.
    open var typeIdentifier: String? { type }
    /// The place of the file; nil if the content was given as data.
    open var fileURL: URL? { place }

    private let bytes: Data?
    private let name: String
    private let type: String?
    private let place: URL?

    /// A file in memory.
    public init(data: Data, filename: String, typeIdentifier: String?) {
        bytes = data
        name = filename
        type = typeIdentifier
        place = nil
    }

    /// A file on disk; without a name it has that of its path.
    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        bytes = nil
        name = filename ?? fileURL.lastPathComponent
        type = typeIdentifier
        place = fileURL
    }
}
