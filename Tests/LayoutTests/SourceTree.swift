import Foundation

/// One `import` line.
struct ImportLine: Sendable, CustomStringConvertible {
    var module: String
    /// Within the package.
    var file: String
    var line: Int

    var description: String { "\(file):\(line): import \(module)" }

    /// The import lines of a source text.
    static func all(in text: String, file: String) -> [ImportLine] {
        let pattern =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/#
        return text.components(separatedBy: "\n").enumerated().compactMap { index, line in
            // Few lines import, and the pattern is slow.
            guard line.contains("import"), let match = line.firstMatch(of: pattern) else { return nil }
            return ImportLine(module: String(match.1), file: file, line: index + 1)
        }
    }
}

/// A folder of sources that the manifest makes a target of.
struct SourceModule: Sendable, CustomStringConvertible {
    /// `Model`, `Link` and so on; `Tests` for a test target.
    var group: String
    var name: String
    var files: Int
    var imports: [ImportLine]

    var description: String { "\(group)/\(name)" }
}

/// A Swift file.
struct SourceFile: Sendable {
    /// Within `Sources`.
    let path: String
    let text: String
    let code: SwiftCode

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        code = SwiftCode(text)
    }

    /// The name without the topic: `Gateway` for `Gateway+Events.swift`.
    var name: Substring { (path.split(separator: "/").last ?? "").prefix { $0 != "+" && $0 != "." } }
}

/// The package as it lies on disk.
enum SourceTree {
    /// The folder of the package.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let sources = groups(in: "Sources").flatMap { group in
        folders(in: "Sources/\(group)").map { module(at: "Sources/\(group)/\($0)", group: group, name: $0) }
    }

    /// The Swift files of `Sources`.
    static let files: [SourceFile] = {
        let folder = root.appending(path: "Sources").path
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            SourceFile(name, text(of: "Sources/\(name)") ?? "")
        }
    }()

    static let tests = folders(in: "Tests").map { module(at: "Tests/\($0)", group: "Tests", name: $0) }

    static func text(of path: String) -> String? {
        try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func groups(in path: String) -> [String] { folders(in: path) }

    private static func folders(in path: String) -> [String] {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: path).path)) ?? []
        return entries.filter { name in
            let values = try? root.appending(path: "\(path)/\(name)").resourceValues(forKeys: [.isDirectoryKey])
            return values?.isDirectory == true
        }.sorted()
    }

    private static func module(at path: String, group: String, name: String) -> SourceModule {
        let files =
            (FileManager.default.enumerator(atPath: root.appending(path: path).path)?.compactMap { $0 as? String } ?? [])
            .filter { name in [".swift", ".modulemap", ".c"].contains { name.hasSuffix($0) } }.sorted().map {
                "\(path)/\($0)"
            }
        let imports = files.flatMap { file in ImportLine.all(in: text(of: file) ?? "", file: file) }
        return SourceModule(group: group, name: name, files: files.count, imports: imports)
    }
}

/// The manifest `Package.swift`, read as text.
struct Manifest {
    /// By target: every name in its declaration and in the constants to which that refers.
    private(set) var dependencies: [String: Set<String>] = [:]

    init(_ text: String) {
        let lines = text.components(separatedBy: "\n").filter {
            !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        }
        let text = lines.joined(separator: "\n")
        var constants: [String: Set<String>] = [:]
        for match in text.matches(
            of:
                #/(?m)^let (\w+)[^=\n]*= (?:Target\.Dependency\.(?:product(\([^)]*\))|target\(name: ("\w+"))|(\[[^\]]*\]))/#
        ) {
            constants[String(match.1)] = Self.strings(in: String(match.2 ?? match.3 ?? match.4 ?? ""))
        }
        let declaration = #/(?:module|tests)\(\s*"(\w+)"|\.(?:target|executableTarget|testTarget)\(\s*name: "(\w+)"/#
        for match in text.matches(of: declaration) {
            guard let name = match.1 ?? match.2 else { continue }
            let body = Self.parentheses(in: text[match.range.lowerBound...])
            var names = Self.strings(in: body)
            for word in body.matches(of: #/\b\w+\b/#) { names.formUnion(constants[String(word.0)] ?? []) }
            names.remove(String(name))
            dependencies[String(name)] = names
        }
    }

    private static func strings(in text: String) -> Set<String> {
        Set(text.matches(of: #/"([^"]*)"/#).map { String($0.1) })
    }

    /// The text up to the parenthesis that closes the first one.
    private static func parentheses(in text: Substring) -> String {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" {
                depth -= 1
                if depth == 0 { return String(text[...index]) }
            }
        }
        return String(text)
    }
}
