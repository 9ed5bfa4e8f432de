import AppInstallation
import ArgumentParser
import Foundation
import PushClock
import PushDevice
import PushExplanation
import PushModel

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows what becomes of a push on each version of iOS, before it is sent.",
        discussion: """
            A file has a payload alone, {"headers": {…}, "payload": {…}}, or a body of POST /v3/push. The rules are those of the gateway \
            and of the emulated iPhone: an app with all callbacks, permission and a service extension that changes nothing. Equal \
            results are one line.

            posthorn explain push.json --ios 16,26 --state front,background
            posthorn explain payloads --markdown --check
            """
    )

    @Argument(
        help: .file(
            """
            A file, or a folder of files that end in .json or .apns, also in its own folders unless they are hidden; standard input \
            for '-'. At most 1,000 files, of 10 MB together.
            """
        )
    )
    var files: [String]
    @Option(help: "Versions of iOS, such as 16,26.4; the first of each major version by default.") var ios: String?
    @Option(help: "States of the app: front, background, locked, forceQuit; all by default.") var state: String?
    @Option(help: "The phone's language, such as zh-Hans; of the app's strings, and of alerts by language.")
    var locale: String?
    @Option(help: .file("The app's bundle, or a folder with its sounds and Localizable.strings.")) var bundle: String?
    @Flag(help: "Print Markdown.") var markdown = false
    @Flag(help: "Print JSON.") var json = false
    @Flag(help: "Exit with 1 if a push cannot be shown, or wake its app, as it was meant.") var check = false

    func validate() throws {
        try require(!(markdown && json), "Give --markdown or --json, not both.")
        _ = try options()
        if let locale, LanguageTag(locale) == nil {
            throw ValidationError("--locale is '\(locale)'; expected a BCP 47 tag such as zh-Hans or en.")
        }
    }

    func run() async throws {
        var options = try options()
        if let bundle {
            var app = InstalledApp(bundleID: "bundle")
            try app.readBundle(URL(filePath: bundle))
            options.app = app
        }
        var problems: [String] = []
        var explained: [JSONMembers] = []
        for (name, bytes) in try pushes() {
            let explanation = await Self.explanation(of: bytes, named: name, options)
            problems += explanation.problems.map { "\(name): \($0)" }
            if json {
                explained.append(explanation.json)
            } else if markdown {
                printLine(explanation.markdown)
            } else {
                explanation.lines.forEach(printLine)
            }
        }
        if json { printJSON(["pushes": explained]) }
        guard check, !problems.isEmpty else { return }
        problems.forEach(printNote)
        throw ExitCode.failure
    }

    static func explanation(
        of bytes: [UInt8],
        named name: String,
        _ options: Explanation.Options
    ) async -> Explanation {
        await Explanation(of: ExplainedPush(reading: bytes, named: name, options), options)
    }

    func options() throws -> Explanation.Options {
        var options = Explanation.Options(date: SystemClock().date)
        options.language = locale
        if let ios {
            options.systems = try Self.list(ios).map { version in
                try require(
                    SystemProfile.exists(version),
                    "--ios has '\(version)'; expected \(SystemProfile.versions)."
                )
                return SystemProfile(version: version.contains(".") ? version : version + ".0")
            }
        }
        if let state {
            options.states = try Self.list(state).map { name in
                guard let state = Explanation.State(rawValue: name) else {
                    let expected = Explanation.State.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("--state has '\(name)'; expected some of \(expected).")
                }
                return state
            }
        }
        return options
    }

    /// Returns the parts between commas, each once.
    private static func list(_ text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { seen.insert($0).inserted }
    }

    private static let mostFiles = 1000
    private static let mostBytes = 10_000_000

    /// Reads the pushes, each with its name: in a folder the path from there.
    private func pushes() throws -> [(String, [UInt8])] {
        let found = try files.flatMap { path in
            let isFolder = Self.attributes(of: path)?[.type] as? FileAttributeType == .typeDirectory
            return try isFolder
                ? Self.files(in: path)
                : [(name: path == "-" ? path : URL(filePath: path).lastPathComponent, path: path)]
        }
        try require(found.count <= Self.mostFiles, "There are more than \(Self.mostFiles) files of pushes.")
        var left = Self.mostBytes
        return try found.map { file in
            let bytes = try Self.read(file.path, atMost: left)
            left -= bytes.count
            return (file.name, bytes)
        }
    }

    /// Returns the attributes of a file, or of that to which a link leads; nil for none.
    private static func attributes(of path: String) -> [FileAttributeKey: Any]? {
        let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        return try? FileManager.default.attributesOfItem(atPath: file)
    }

    /// Returns the files in a folder and its folders; it follows no link to a folder.
    private static func files(in folder: String) throws -> [(name: String, path: String)] {
        let top = URL(filePath: folder).resolvingSymlinksInPath()
        let all = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        var found: [(name: String, path: String)] = []
        while found.count <= mostFiles, let file = all?.nextObject() as? URL {
            guard ["json", "apns"].contains(file.pathExtension), !file.hasDirectoryPath else { continue }
            let path = file.path(percentEncoded: false)
            let name = path.dropFirst(top.path(percentEncoded: false).count).drop { $0 == "/" }
            found.append((name: String(name), path: path))
        }
        try require(!found.isEmpty, "'\(folder)' has no file that ends in .json or .apns.")
        return found.sorted { $0.name < $1.name }
    }

    private static func read(_ path: String, atMost limit: Int) throws -> [UInt8] {
        let tooMany = "The pushes have more than \(mostBytes) bytes together."
        guard path != "-" else {
            let bytes = try FileHandle.standardInput.read(upToCount: limit + 1) ?? Data()
            try require(bytes.count <= limit, tooMany)
            return Array(bytes)
        }
        if let file = attributes(of: path) {
            try require(file[.type] as? FileAttributeType == .typeRegular, "'\(path)' is not a file.")
            try require(file[.size] as? Int ?? 0 <= limit, tooMany)
        }
        return try readBytes(path)
    }
}
