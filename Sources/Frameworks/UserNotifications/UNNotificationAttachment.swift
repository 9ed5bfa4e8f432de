public import Foundation
import SystemPort

/// The file's type, if its path extension does not reveal it: a uniform type identifier, or that of a family such as
/// `kUTTypeImage`.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
/// Whether the thumbnail is hidden.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// The part of the picture that the thumbnail shows: a rectangle within the unit square as a dictionary
/// (`CGRect.dictionaryRepresentation`).
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// The moment of the film that the thumbnail shows: a number of seconds, or a `CMTime` as a dictionary. A moment beyond
/// the film's end fails when the request is added.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A picture, sound or film of a notification. `@unchecked Sendable`: it is immutable.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    let record: AttachmentRecord

    init(_ record: AttachmentRecord) { self.record = record }

    /// - Parameters:
    ///   - identifier: the identifier; empty for a generated one.
    ///   - URL: a file; it is moved into the system's store when the request is added, or copied from the app's bundle. On Linux a file that
    ///     is not among the app's temporary files, caches and application support is copied too, with a warning in the device's log.
    ///   - options: values for the keys above.
    /// - Throws: `UNError`: `attachmentInvalidURL`, `attachmentUnrecognizedType`, `attachmentInvalidFileSize`, or
    ///   `attachmentCorrupt` for invalid options.
    public convenience init(identifier: String, url URL: URL, options: [AnyHashable: Any]? = nil) throws {
        SystemSymbol.attachment.require()
        guard URL.isFileURL, FileManager.default.isReadableFile(atPath: URL.path) else {
            throw UNError.make(.attachmentInvalidURL, "Invalid attachment file URL")
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let type = Self.type(of: URL, hint: hint), let kind = AttachmentType(identifier: type)
        else { throw UNError.make(.attachmentUnrecognizedType, "Unrecognized attachment file type") }
        let size = (try? FileManager.default.attributesOfItem(atPath: URL.path))?[.size] as? NSNumber
        guard let size, size.intValue > 0, size.intValue <= kind.maximumBytes else {
            throw UNError.make(.attachmentInvalidFileSize, "Invalid attachment file size")
        }
        let name = identifier.isEmpty ? Self.madeIdentifier() : identifier
        var record = AttachmentRecord(identifier: name, path: URL.path, type: type)
        try record.read(options ?? [:])
        self.init(record)
    }

    private static func type(of file: URL, hint: String?) -> String? {
        guard let hint else { return AttachmentType.identifier(pathExtension: file.pathExtension) }
        let handle = FileHandle(forReadingAtPath: file.path)
        defer { try? handle?.close() }
        let head = (try? handle?.read(upToCount: 16)) ?? Data()
        return AttachmentType.identifier(hint: hint, pathExtension: file.pathExtension, head: head)
    }

    /// Returns an identifier from the device's source of randomness, if there is one.
    private static func madeIdentifier() -> String {
        guard let port = CurrentPort.bound else { return UUID().uuidString }
        return String(port.randomNumber(), radix: 16) + "-" + String(port.randomNumber(), radix: 16)
    }

    public required convenience init?(coder: NSCoder) {
        guard let record: AttachmentRecord = RecordCoding.decode(from: coder) else { return nil }
        self.init(record)
    }

    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The identifier that the app chose, or a UUID if it gave an empty one.
    open var identifier: String { record.identifier }
    /// The file's URL, in the system's store once the request was added.
    open var url: URL { URL(fileURLWithPath: record.path) }
    /// A uniform type identifier.
    open var type: String { record.type }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAttachment)?.record == record }
    open override var hash: Int { record.hashValue }
}

extension AttachmentRecord {
    fileprivate mutating func read(_ options: [AnyHashable: Any]) throws {
        hidesThumbnail = (options[UNNotificationAttachmentOptionsThumbnailHiddenKey] as? NSNumber)?.boolValue ?? false
        if let rectangle = options[UNNotificationAttachmentOptionsThumbnailClippingRectKey] {
            let parts = ["X", "Y", "Width", "Height"].map { key in
                ((rectangle as? NSDictionary)?[key] as? NSNumber)?.doubleValue
            }
            let numbers = parts.compactMap { $0 }
            let unit = 0.0...1.0
            guard numbers.count == 4, numbers.allSatisfy(unit.contains), numbers[0] + numbers[2] <= 1,
                numbers[1] + numbers[3] <= 1
            else { throw UNError.make(.attachmentCorrupt, "The clipping rectangle is not within the unit square") }
            clipping = numbers
        }
        if let option = options[UNNotificationAttachmentOptionsThumbnailTimeKey] {
            guard let time = Self.seconds(option), time >= 0 else {
                throw UNError.make(.attachmentCorrupt, "The thumbnail's time is not within the film")
            }
            thumbnailTime = time
        }
    }

    /// Returns the seconds of a number, or of the result of `CMTimeCopyAsDictionary`.
    private static func seconds(_ option: Any) -> Double? {
        if let number = option as? NSNumber { return number.doubleValue }
        let time = option as? NSDictionary
        guard let value = time?["value"] as? NSNumber, let scale = time?["timescale"] as? NSNumber, scale.intValue > 0
        else { return nil }
        return value.doubleValue / scale.doubleValue
    }
}

extension URL {
    /// Starts access to a file. Apple's systems protect attachments with it; on Linux every readable file is
    /// accessible: always true.
    public func startAccessingSecurityScopedResource() -> Bool { true }
    /// Ends access to a file.
    public func stopAccessingSecurityScopedResource() {}
}

extension CGRect {
    /// The rectangle in Core Graphics's dictionary form: `X`, `Y`, `Width`, `Height`.
    public var dictionaryRepresentation: NSDictionary {
        [
            "X": NSNumber(value: Double(origin.x)), "Y": NSNumber(value: Double(origin.y)),
            "Width": NSNumber(value: Double(size.width)), "Height": NSNumber(value: Double(size.height)),
        ]
    }
}
