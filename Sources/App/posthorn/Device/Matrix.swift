import AppInstallation
import ArgumentParser
import CallbackMatrix
import PushDevice
import PushModel

struct Matrix: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "matrix",
        abstract: "Shows which app callbacks run, for one case or for the whole table.",
        discussion: """
            Without options, all rows of the table for iOS 10 and later are run on an emulated iPhone and compared with the table; \
            with --os 9, those for iOS 9; with --os 7 or 8, those of iOS 9 without what came later: buttons (8) and replies (9). \
            Exits with 1 if a row differs. Below each row stands the section of Documentation/Guide that explains it. With options, one case is run with a complete delegate, and its result is printed. With --scenes, table and case are those of an app with scenes.

            With --live-activities, the rows of the table of Live Activities are run: the state of an activity and of its app, a push, \
            and what comes of it, on iOS 18. With --calls, those of VoIP pushes: the state of the app, the method that it implements, \
            and where it reports the call, on the versions of iOS that differ.
            """
    )

    enum Start: String, ExpressibleByArgument, CaseIterable {
        case foreground, background, terminated
        case forceQuit = "force-quit"
    }

    enum Act: String, ExpressibleByArgument, CaseIterable {
        case tap, icon, action, reply, dismiss
        case quickAction = "quick-action"
        case url, home
    }

    @Option(help: "The version of iOS, 7 or later; the one after 18 is 26.") var os: String?
    @Option(help: "The app's state when the notification arrives.") var state: Start?
    @Flag(help: "Fire a local notification of the app instead of a push.") var local = false
    @Flag(help: "Add content-available to the alert.") var contentAvailable = false
    @Flag(help: "Send a silent push: content-available and nothing to show.") var silent = false
    @Flag(help: "Add mutable-content to the alert and a service extension to the app.") var mutable = false
    @Option(
        name: .customLong("do"),
        help:
            "The user's action. For quick-action, url (a link with the app's scheme) and home no notification arrives."
    )
    var act: Act?
    @Flag(help: "Use an app with scenes, as iOS 13 and later have them.") var scenes = false
    @Flag(help: "Run the table of Live Activities and their pushes instead.") var liveActivities = false
    @Flag(help: "Run the table of VoIP pushes and calls instead.") var calls = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        if let os {
            try require(SystemProfile.exists(os), "--os is '\(os)'; expected \(SystemProfile.versions).")
            try require(major >= 10 || !mutable, "--mutable needs --os 10 or later: service extensions came with it.")
            try require(major >= 9 || act != .reply, "--do reply needs --os 9 or later: replies came with it.")
            try require(major >= 8 || act != .action, "--do action needs --os 8 or later: buttons came with it.")
        }
        try require(!scenes || major >= 13, "--scenes needs --os 13 or later: scenes came with it.")
        try require(
            isAboutNotification || !(local || silent || contentAvailable || mutable),
            "--do \(act?.rawValue ?? "") cannot be combined with --local, --silent, --content-available or --mutable: no notification arrives."
        )
        try require(
            major >= 9 || act != .quickAction,
            "--do quick-action needs --os 9 or later: quick actions came with it."
        )
        guard !(liveActivities || calls) || (os == nil && !isCase && !scenes && liveActivities != calls) else {
            let flag = liveActivities ? "--live-activities" : "--calls"
            throw ValidationError("\(flag) cannot be combined with options other than --json.")
        }
        try require(
            !(local && (silent || contentAvailable || mutable)),
            "--local cannot be combined: --silent, --content-available and --mutable belong to a push."
        )
        try require(
            !(silent && (contentAvailable || mutable)),
            "--silent cannot be combined: --content-available and --mutable belong to an alert."
        )
    }

    /// Whether a notification arrives in the case.
    private var isAboutNotification: Bool {
        switch act {
        case .quickAction, .url, .home: false
        case .tap, .icon, .action, .reply, .dismiss, nil: true
        }
    }

    private var isCase: Bool { state != nil || local || contentAvailable || silent || mutable || act != nil }

    func run() async throws {
        if liveActivities { return try await runActivities() }
        if calls { return try await runCalls() }
        let system = SystemProfile(version: os ?? "17.0")
        if isCase {
            try await runCase(system)
        } else {
            try await runTable(system)
        }
    }

    // MARK: One case

    private func runCase(_ system: SystemProfile) async throws {
        var row = MatrixCase(start: start, payload: payload, act: personAct, iOS: major)
        row.hasScenes = scenes
        let outcome = await MatrixStage(row, system: system).run()
        guard outcome.couldAct else {
            printNote(outcome.story)
            throw ValidationError("The user cannot do that: the notification is not on the screen.")
        }
        guard !json else { return printJSON(outcome.json) }
        if outcome.sequence.isEmpty { printLine("no callback") }
        outcome.sequence.forEach(printLine)
        printLine(
            """
            launch options: \(outcome.launch.rawValue)
            banner: \(outcome.banners.isEmpty ? "no" : "yes")
            left in the notification centre: \(outcome.listed.isEmpty ? "nothing" : "the notification")
            """
        )
    }

    private var major: Int { os.flatMap { Int($0.prefix { $0 != "." }) } ?? 17 }

    private var start: MatrixCase.Start {
        switch state {
        case .foreground: .foreground
        case nil where act == .home: .foreground
        case .background, nil: .background
        case .terminated: .terminatedBySystem
        case .forceQuit: .forceQuit
        }
    }

    private var payload: String {
        if !isAboutNotification { return "none" }
        if local { return "local" }
        if silent { return "silent" }
        let parts = ["alert"] + (mutable ? ["mutable-content"] : []) + (contentAvailable ? ["content-available"] : [])
        return parts.joined(separator: "+")
    }

    private var personAct: MatrixCase.Act {
        switch act {
        case nil: .none
        case .tap: .tap
        case .icon: .icon
        case .action: .button("later")
        case .reply: .reply
        case .dismiss: .dismiss
        case .quickAction: .shortcut
        case .url: .url
        case .home: .leave
        }
    }

    // MARK: The table

    private func runTable(_ system: SystemProfile) async throws {
        try await run(MatrixCase.all(iOS: major, hasScenes: scenes)) { row in
            let outcome = await MatrixStage(row, system: system).run()
            let callbacks = outcome.sequence.isEmpty ? "-" : outcome.sequence.joined(separator: " > ")
            let differences = outcome.differences(from: row)
            let json: JSONMembers = [
                "case": "\(row)", "callbacks": outcome.sequence,
                "differences": differences, "explainedIn": row.explainedIn,
            ]
            return TableRow(json: json, lines: [callbacks, row.explainedIn], differences: differences)
        }
    }

    private func runActivities() async throws {
        try await run(ActivityMatrixCase.all) { row in
            let outcome = try await ActivityMatrixStage(row).run()
            let differences = outcome.differences(from: row)
            return TableRow(json: outcome.json(of: row, differences), lines: outcome.lines, differences: differences)
        }
    }

    private func runCalls() async throws {
        try await run(CallMatrixCase.all) { row in
            let outcome = await CallMatrixStage(row).run()
            let differences = outcome.differences(from: row)
            let json: JSONMembers = [
                "case": "\(row)", "hears": outcome.hears, "outcome": outcome.result,
                "appAfter": outcome.appAfter, "differences": differences,
                "source": row.source,
            ]
            let hears = outcome.hears.isEmpty ? "no method" : outcome.hears.joined(separator: " > ")
            let lines = [hears, "\(outcome.result); the app is then \(outcome.appAfter)", "source: \(row.source)"]
            return TableRow(json: json, lines: lines, differences: differences)
        }
    }

    /// The result of a row of a table.
    private struct TableRow {
        var json: JSONMembers
        var lines: [String]
        var differences: [String]
    }

    /// Runs the rows of a table, and prints each with what came of it.
    private func run<Row: CustomStringConvertible>(_ cases: [Row], _ run: (Row) async throws -> TableRow) async throws {
        var different = 0
        var rows: [JSONMembers] = []
        for row in cases {
            let result = try await run(row)
            if !result.differences.isEmpty { different += 1 }
            if json {
                rows.append(result.json)
            } else {
                printLine("\(result.differences.isEmpty ? "✔" : "✘") \(row)")
                for line in result.lines { printLine("    \(line)") }
                for difference in result.differences { printLine("    differs in \(difference)") }
            }
        }
        printLine(json ? JSONCoding.json(of: rows).text : "\(cases.count) cases, \(different) differ from the table")
        if different > 0 { throw ExitCode.failure }
    }
}

extension MatrixOutcome {
    fileprivate var json: JSONMembers {
        [
            "callbacks": sequence, "launchOptions": launch.rawValue,
            "banner": !banners.isEmpty, "listed": !listed.isEmpty,
        ]
    }
}

extension ActivityMatrixOutcome {
    fileprivate var lines: [String] {
        let screen = shown.isEmpty ? "nothing changes" : shown.joined(separator: " > ")
        return [
            "afterwards: \(states)\(isInIsland ? ", in the Dynamic Island" : "")",
            "the app hears: \(hears.isEmpty ? "nothing" : hears.joined(separator: " > "))",
            "the screen: \(screen)", "verdict: \(verdict)",
        ]
    }

    fileprivate func json(of row: ActivityMatrixCase, _ differences: [String]) -> JSONMembers {
        [
            "case": "\(row)", "state": states, "hears": hears, "shown": shown,
            "isInIsland": isInIsland, "verdict": verdict, "differences": differences,
        ]
    }
}
