import Foundation
package import PushModel

/// The Info.plist of a program.
struct ProgramInfo {
    var object: JSONObject
    var bundleID: String

    /// - Parameters:
    ///   - executable: the executable.
    ///   - info: its Info.plist; `NAME.plist` or `Info.plist` beside it by default.
    /// - Throws: ``ProgramProblem`` if something is missing or cannot be read.
    init(of executable: URL, at info: URL?) throws(ProgramProblem) {
        try Self.check(executable)
        let file: URL
        if let info { file = info } else { file = try Self.find(beside: executable) }
        let path = file.path(percentEncoded: false)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw ProgramProblem("'\(path)' cannot be read; expected the Info.plist of the program.")
        }
        guard let value = try? PropertyListDecoder().decode(PropertyListValue.self, from: data),
            let object = value.json.object
        else { throw ProgramProblem("'\(path)' is not a property list with a dictionary in it.") }
        guard let bundleID = object["CFBundleIdentifier"]?.string, !bundleID.isEmpty else {
            throw ProgramProblem(
                "'\(path)' has no 'CFBundleIdentifier'; expected a bundle id, such as com.example.app."
            )
        }
        guard !bundleID.contains("$") else {
            throw ProgramProblem(
                """
                '\(path)' has '\(bundleID)' as its 'CFBundleIdentifier', which Xcode would fill in; write the bundle id \
                itself, here or into a plist of its own that --info names.
                """
            )
        }
        self.object = object
        self.bundleID = bundleID
    }

    private static func check(_ executable: URL) throws(ProgramProblem) {
        let path = executable.path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else {
            throw ProgramProblem(
                "There is no file '\(path)'; expected a program, such as .build/debug/MyApp ('swift build')."
            )
        }
        guard (try? executable.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true else {
            throw ProgramProblem("'\(path)' is a folder; expected a program, such as .build/debug/MyApp.")
        }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw ProgramProblem("'\(path)' may not be executed; expected a program, such as .build/debug/MyApp.")
        }
    }

    private static func find(beside executable: URL) throws(ProgramProblem) -> URL {
        let folder = executable.deletingLastPathComponent()
        let name = executable.lastPathComponent
        let names = ["\(name).plist", "Info.plist"]
        for name in names {
            let file = folder.appending(path: name)
            if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) { return file }
        }
        throw ProgramProblem(
            """
            Beside '\(executable.path(percentEncoded: false))' is neither \(names.joined(separator: " nor ")); expected \
            its Info.plist there, or where --info says.
            """
        )
    }
}

/// The reason why a program is not an app or an extension: what was found, what was expected, and what to do.
public struct ProgramProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}

/// Any value of a property list, as JSON; dates and data become text, because JSON has neither.
package struct PropertyListValue: Decodable {
    package let json: JSONValue

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func read<Value: Decodable>(_ type: Value.Type) -> Value? { try? container.decode(type) }
        if let value = read(Bool.self) {
            json = .bool(value)
        } else if let value = read(Int64.self) {
            json = .integer(value)
        } else if let value = read(Double.self) {
            json = .double(value)
        } else if let value = read(String.self) {
            json = .string(value)
        } else if let value = read(Date.self) {
            json = .date(value)
        } else if let value = read(Data.self) {
            json = .string(value.base64EncodedString())
        } else if let values = read([Self].self) {
            json = .array(values.map(\.json))
        } else {
            let values = try container.decode([String: Self].self).sorted { $0.key < $1.key }
            json = .object(JSONObject(values.map { ($0.key, $0.value.json) }))
        }
    }
}
