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

    @Argument(help: .file("A file, or a folder of files that end in .json or .apns; standard input for '-'."))
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
            let explanation = try await Self.explanation(of: bytes, named: name, options)
            problems += explanation.problems.map { "\(name): \($0)" }
            if json {
                explained.append(explanation.json)
            } else if markdown {
                printLine(explanation.markdown)
            } else {
                for line in explanation.lines { printLine(line) }
            }
        }
        if json { printJSON(["pushes": explained]) }
        guard check, !problems.isEmpty else { return }
        for problem in problems { printNote(problem) }
        throw ExitCode.failure
    }

    static func explanation(
        of bytes: [UInt8],
        named name: String,
        _ options: Explanation.Options
    ) async throws -> Explanation {
        do {
            let push = try ExplainedPush(reading: bytes, named: name, language: options.language)
            return await Explanation(of: push, options)
        } catch { throw ValidationError("'\(name)': \(error.message)") }
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

    private func pushes() throws -> [(String, [UInt8])] {
        try files.flatMap { path in
            let folder = URL(filePath: path)
            let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
            guard isFolder else { return [(path == "-" ? path : folder.lastPathComponent, try readBytes(path))] }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                .filter { $0.hasSuffix(".json") || $0.hasSuffix(".apns") }
            try require(!names.isEmpty, "'\(path)' has no file that ends in .json or .apns.")
            return try names.map { ($0, try readBytes(folder.appending(path: $0).path(percentEncoded: false))) }
        }
    }
}
