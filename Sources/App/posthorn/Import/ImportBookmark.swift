import ArgumentParser
import Foundation
import PushModel

/// The progress of an import, stored beside its file: an interrupted import continues from there.
struct ImportBookmark: Equatable {
    /// The identity of a file: its size in bytes, and its last change in milliseconds since 1970.
    struct Stamp: Equatable {
        var bytes: Int
        var modified: Int64

        init(of file: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
            let date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
            modified = Int64((date.timeIntervalSince1970 * 1000).rounded())
        }

        init(bytes: Int, modified: Int64) {
            self.bytes = bytes
            self.modified = modified
        }
    }

    var stamp: Stamp
    var appKey: String
    /// The offset of the next row, in bytes.
    var offset: Int
    var line: Int
    var tally = ImportTally()
    /// The size of the file of rejected rows, in bytes.
    var rejectedBytes = 0

    static func path(of file: String) -> String { file + ".posthorn-import" }

    /// Returns the stored progress of a file; nil if there is none.
    ///
    /// - Throws: `ValidationError` if it belongs to another app, or the file has changed since.
    static func read(of file: String, appKey: String) throws -> ImportBookmark? {
        let path = path(of: file)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let bookmark = (try? JSONValue(parsing: data)).flatMap(ImportBookmark.init(json:)) else {
            throw ValidationError("'\(path)' cannot be read as the progress of an import; --restart starts over.")
        }
        guard bookmark.appKey == appKey else {
            throw ValidationError(
                "'\(file)' was being imported into app \(bookmark.appKey), not \(appKey); --restart starts over."
            )
        }
        guard try bookmark.stamp == Stamp(of: file) else {
            throw ValidationError(
                "'\(file)' has changed since its import began; --restart starts over, and duplicates no device."
            )
        }
        return bookmark
    }

    /// Writes the progress atomically.
    func write(beside file: String) throws {
        let path = Self.path(of: file)
        do { try Data(json.bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw ValidationError(
                "'\(path)', the progress of the import, cannot be written: \(error.localizedDescription)"
            )
        }
    }

    static func remove(of file: String) { try? FileManager.default.removeItem(atPath: path(of: file)) }

    private var json: JSONValue {
        var object: JSONObject = [
            "bytes": .number(stamp.bytes), "modified": .integer(stamp.modified), "app_key": .string(appKey),
            "offset": .number(offset), "line": .number(line), "rejected_bytes": .number(rejectedBytes),
        ]
        for (name, path) in ImportTally.members { object[name] = .number(tally[keyPath: path]) }
        return .object(object)
    }

    init(stamp: Stamp, appKey: String, offset: Int, line: Int) {
        self.stamp = stamp
        self.appKey = appKey
        self.offset = offset
        self.line = line
    }

    private init?(json: JSONValue) {
        guard let object = json.object else { return nil }
        func number(_ key: String) -> Int? { object[key]?.integer.map { Int($0) } }
        guard let bytes = number("bytes"), let modified = number("modified"), let offset = number("offset"),
            let line = number("line"), let rejectedBytes = number("rejected_bytes"),
            let appKey = object["app_key"]?.string
        else { return nil }
        self.init(stamp: Stamp(bytes: bytes, modified: Int64(modified)), appKey: appKey, offset: offset, line: line)
        self.rejectedBytes = rejectedBytes
        for (name, path) in ImportTally.members {
            guard let count = number(name) else { return nil }
            tally[keyPath: path] = count
        }
    }
}
