import ArgumentParser
import Foundation
import PushModel

/// How far the import of a file has come, kept beside it: a run that was cut off goes on from there.
struct ImportBookmark: Equatable {
    /// By which a file is known again: its bytes, and milliseconds since 1970 of its last change.
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
    /// Where the next row begins.
    var offset: Int
    var line: Int
    var tally = ImportTally()
    /// Bytes of the file of rejected rows.
    var rejectedBytes = 0

    static func path(of file: String) -> String { file + ".posthorn-import" }

    /// Nil if there is none.
    ///
    /// - Throws: `ValidationError` if it is of another app, or the file has changed since.
    static func read(of file: String, appKey: String) throws -> ImportBookmark? {
        let path = path(of: file)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let bookmark = (try? JSONValue(parsing: data)).flatMap(ImportBookmark.init(json:)) else {
            throw ValidationError("'\(path)' cannot be read as the state of an import; --restart begins anew.")
        }
        guard bookmark.appKey == appKey else {
            throw ValidationError(
                "'\(file)' was being imported into app \(bookmark.appKey), not \(appKey); --restart begins anew."
            )
        }
        guard try bookmark.stamp == Stamp(of: file) else {
            throw ValidationError(
                "'\(file)' has changed since its import began; --restart begins anew, and doubles no device."
            )
        }
        return bookmark
    }

    /// Whole or not at all.
    func write(beside file: String) throws {
        let path = Self.path(of: file)
        do { try Data(json.bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw ValidationError(
                "'\(path)', the state of the import, cannot be written: \(error.localizedDescription)"
            )
        }
    }

    static func remove(of file: String) { try? FileManager.default.removeItem(atPath: path(of: file)) }

    private var json: JSONValue {
        var object: JSONObject = [
            "bytes": .integer(Int64(stamp.bytes)), "modified": .integer(stamp.modified), "app_key": .string(appKey),
            "offset": .integer(Int64(offset)), "line": .integer(Int64(line)),
            "rejected_bytes": .integer(Int64(rejectedBytes)),
        ]
        for (name, path) in ImportTally.members { object[name] = .integer(Int64(tally[keyPath: path])) }
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
