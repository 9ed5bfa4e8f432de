import ArgumentParser
import Foundation
import PushModel

/// The progress of an import, stored beside its file: an interrupted import continues from there.
struct ImportBookmark: Codable, Equatable {
    /// The identity of a file: its size in bytes, and its last change in milliseconds since 1970.
    struct Stamp: Codable, Equatable {
        var bytes: Int
        var modified: Int64

        init(of file: String) throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            bytes = (attributes[.size] as? NSNumber)?.intValue ?? 0
            let date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
            modified = Int64((date.timeIntervalSince1970 * 1000).rounded())
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

    private enum CodingKeys: String, CodingKey {
        case stamp = "_0"
        case appKey, offset, line
        case tally = "_1"
        case rejectedBytes
    }

    static func path(of file: String) -> String { file + ".posthorn-import" }

    /// Returns the stored progress of a file; nil if there is none.
    ///
    /// - Throws: `ValidationError` if it belongs to another app, or the file has changed since.
    static func read(of file: String, appKey: String) throws -> ImportBookmark? {
        let path = path(of: file)
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let bookmark: ImportBookmark = try? JSONCoding.read(from: try JSONValue(parsing: data)) else {
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
        do { try Data(JSONCoding.json(of: self).bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw ValidationError(
                "'\(path)', the progress of the import, cannot be written: \(error.localizedDescription)"
            )
        }
    }

    static func remove(of file: String) { try? FileManager.default.removeItem(atPath: path(of: file)) }
}
