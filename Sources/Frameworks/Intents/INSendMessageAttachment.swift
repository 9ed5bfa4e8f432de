public import Foundation

/// A file of a message. Source: Apple, `INSendMessageAttachment`, of iOS 14 and later. `@unchecked Sendable`: it is immutable.
open class INSendMessageAttachment: NSObject, @unchecked Sendable {
    open var audioMessageFile: INFile? { file }

    private let file: INFile

    public init(audioMessageFile: INFile) { file = audioMessageFile }
}

/// A file, on disk or in memory. Source: Apple, `INFile`. `@unchecked Sendable`: it is immutable.
open class INFile: NSObject, @unchecked Sendable {
    /// The bytes; empty if the file cannot be read.
    open var data: Data { bytes ?? place.flatMap { try? Data(contentsOf: $0) } ?? Data() }
    open var filename: String { name }
    open var typeIdentifier: String? { type }
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
