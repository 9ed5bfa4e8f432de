import Configuration
import Foundation
import PushModel
import SystemPackage

/// Reads settings from flags, the environment and a file, in this order of precedence.
///
/// In each of them, an empty text counts as not set, and blanks and line ends around a text do not belong to it.
struct SettingsReader {
    private let reader: ConfigReader
    private let flags: [SettingKey: String]

    /// - Parameters:
    ///   - file: the path of a JSON file; nil for none.
    ///   - flags: the values from the command line.
    /// - Throws: ``SettingsProblem`` if the file cannot be read, is not JSON, or has an unknown key.
    init(file: String?, flags: [SettingKey: String]) async throws {
        let flags = flags.compactMapValues(\.setting)
        let values = flags.map { (AbsoluteConfigKey($0.key.config), ConfigValue(.string($0.value), isSecret: false)) }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values)),
            EnvironmentVariablesProvider(environmentVariables: EnvironmentSettings.all).prefixKeys(with: ["posthorn"]),
        ]
        if let file { providers.append(try await Self.provider(of: file)) }
        reader = ConfigReader(providers: providers)
        self.flags = flags
    }

    func text(_ key: SettingKey) async throws -> String? {
        do { return try await reader.fetchString(forKey: key.config)?.setting } catch {
            throw await problem(key, error, expected: "text")
        }
    }

    /// The error for a value of another type, with the value as it is written.
    private func problem(_ key: SettingKey, _ error: any Error, expected: String) async -> SettingsProblem {
        key.problem(await printed(key) ?? "\(error)", expected: expected)
    }

    /// Returns a value as text, of whatever type it is; nil if it is not set.
    func printed(_ key: SettingKey) async -> String? {
        if let text = try? await reader.fetchString(forKey: key.config) { return text }
        if let number = try? await reader.fetchInt(forKey: key.config) { return "\(number)" }
        return (try? await reader.fetchStringArray(forKey: key.config))?.joined(separator: ",")
    }

    /// Reads a word of an enumeration.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ key: SettingKey) async throws -> Word? {
        guard let text = try await text(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw key.problem(text, expected: "one of \(words)")
        }
        return word
    }

    /// Reads a list: an array in the file, comma-separated words elsewhere. Empty ones are left out.
    func list(_ key: SettingKey, of expected: String) async throws -> [String] {
        do { return try await (reader.fetchStringArray(forKey: key.config) ?? []).compactMap(\.setting) } catch {
            throw await problem(key, error, expected: "a list of \(expected)")
        }
    }

    func number(_ key: SettingKey, in range: ClosedRange<Int>) async throws -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        // A flag is text; the other two sources convert their values.
        if let text = flags[key] {
            guard let number = Int(text), range.contains(number) else { throw key.problem(text, expected: expected) }
            return number
        }
        let number: Int?
        do { number = try await reader.fetchInt(forKey: key.config) } catch {
            throw await problem(key, error, expected: expected)
        }
        if let number, !range.contains(number) { throw key.problem("\(number)", expected: expected) }
        return number
    }

    /// Returns the file's provider; refuses unknown keys, so that a typo is not taken for a default.
    private static func provider(of file: String) async throws -> any ConfigProvider {
        let content: Data
        do { content = try Data(contentsOf: URL(filePath: file)) } catch {
            throw SettingsProblem(source: "--config", found: file, expected: "a readable file")
        }
        let json: JSONValue
        do { json = try JSONValue(parsing: content) } catch {
            throw SettingsProblem(source: "--config", found: "\(file), \(error)", expected: "JSON")
        }
        let keys = SettingKey.allCases.map(\.rawValue)
        for key in paths(of: json, below: "") where !keys.contains(key) {
            throw SettingsProblem(source: key, found: "not known", expected: "one of \(keys.joined(separator: ", "))")
        }
        return try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
    }

    private static func paths(of json: JSONValue, below path: String) -> [String] {
        guard let object = json.object else { return [path] }
        return object.members.flatMap { paths(of: $0.value, below: path.isEmpty ? $0.key : "\(path).\($0.key)") }
    }
}

extension SettingKey {
    fileprivate var config: ConfigKey { ConfigKey(rawValue) }

    /// Returns the error for a value that cannot be used.
    func problem(_ found: String, expected: String) -> SettingsProblem {
        SettingsProblem(source: rawValue, found: found, expected: expected)
    }
}

/// A setting that cannot be used.
struct SettingsProblem: Error, CustomStringConvertible {
    /// The key, or the option that names the file.
    var source: String
    var found: String
    var expected: String

    var description: String {
        let found = found == "not known" ? found : "'\(found)'"
        return "Configuration key '\(source)' is \(found); expected \(expected)."
    }
}
