import AppInstallation
import ArgumentParser
import Foundation
import PushDevice
import PushModel

/// The options for custom apps on a device, each of which runs as a process.
struct ProgramOptions: ParsableArguments {
    @Option(
        name: .customLong("app"),
        help: .file(
            "Path of an app's executable, whose @main is its app delegate. May be repeated. The sample app if not given."
        )
    )
    var apps: [String] = []

    @Option(
        name: .customLong("info"),
        help: .file(
            "Path of the app's Info.plist; NAME.plist or Info.plist beside the executable if not given. With several apps, one "
                + "for each, in their order."
        )
    )
    var infos: [String] = []

    @Option(
        name: .customLong("service-extension"),
        help: .file(
            "Path of a service extension's executable. Its bundle id begins with that of the app it belongs to. May be "
                + "repeated."
        )
    )
    var extensions: [String] = []

    @Option(name: .customLong("service-extension-info"), help: .file("The same as --info, for service extensions."))
    var extensionInfos: [String] = []

    @Option(
        name: .customLong("content-extension"),
        help: .file(
            "Path of a content extension's executable. Its bundle id begins with that of the app it belongs to. May be repeated."
        )
    )
    var contents: [String] = []

    @Option(name: .customLong("content-extension-info"), help: .file("The same as --info, for content extensions."))
    var contentInfos: [String] = []

    func validate() throws {
        try Self.check("--info", count: infos.count, for: "--app", programs: apps.count)
        try Self.check(
            "--service-extension-info",
            count: extensionInfos.count,
            for: "--service-extension",
            programs: extensions.count
        )
        try Self.check(
            "--content-extension-info",
            count: contentInfos.count,
            for: "--content-extension",
            programs: contents.count
        )
        try require(extensions.isEmpty || !apps.isEmpty, "--service-extension needs the --app that it belongs to.")
        try require(contents.isEmpty || !apps.isEmpty, "--content-extension needs the --app that it belongs to.")
    }

    // Not a loop over a literal: the compiler orders the instructions of one at random, and two builds have to be the same.
    private static func check(_ flag: String, count: Int, for programFlag: String, programs: Int) throws {
        guard count != 0, count != programs else { return }
        throw ValidationError(
            "\(flag) was given \(count) times, and \(programFlag) \(programs) times; give one for each, or none."
        )
    }

    /// The apps as their files describe them.
    ///
    /// - Throws: an error that says what is missing or inconsistent.
    func programs(environment: APNSEnvironment, link: String, appKey: String?) throws -> [ProgramApp] {
        var programs = try apps.enumerated().map { number, path in
            var program = try ProgramApp(
                executable: URL(filePath: path),
                info: infos.isEmpty ? nil : URL(filePath: infos[number]),
                environment: environment,
                link: link
            )
            program.environment["POSTHORN_APP_KEY"] = appKey
            return program
        }
        var seen: Set<String> = []
        if let twice = programs.first(where: { !seen.insert($0.app.bundleID).inserted }) {
            throw ValidationError("Two apps have the bundle id '\(twice.app.bundleID)'; each needs its own.")
        }
        for (number, path) in extensions.enumerated() {
            let info = extensionInfos.isEmpty ? nil : URL(filePath: extensionInfos[number])
            let service = try ProgramExtension(executable: URL(filePath: path), info: info)
            let owner = try Self.owner(of: service, "service", at: path, among: programs)
            try require(
                programs[owner].serviceExtension == nil,
                "Two service extensions belong to '\(programs[owner].app.bundleID)'; an app can have only one."
            )
            programs[owner].serviceExtension = service
        }
        for (number, path) in contents.enumerated() {
            let info = contentInfos.isEmpty ? nil : URL(filePath: contentInfos[number])
            let content = try ProgramContentExtension(executable: URL(filePath: path), info: info)
            let owner = try Self.owner(of: content.program, "content", at: path, among: programs)
            programs[owner].contentExtensions.append(content)
        }
        return programs
    }

    /// - Returns: the place of the app that the extension belongs to.
    private static func owner(
        of part: ProgramExtension,
        _ kind: String,
        at path: String,
        among programs: [ProgramApp]
    ) throws -> Int {
        // 'com.example.app.pro.service' belongs to 'com.example.app.pro' rather than to 'com.example.app': the longer id wins.
        let owners = programs.indices.filter { part.belongs(to: programs[$0].app) }
        guard let owner = owners.max(by: { programs[$0].app.bundleID.count < programs[$1].app.bundleID.count }) else {
            let names = programs.map { "'\($0.app.bundleID).…'" }.joined(separator: " or ")
            throw ValidationError(
                "The \(kind) extension '\(path)' has the bundle id '\(part.bundleID)'; expected \(names)."
            )
        }
        return owner
    }
}
