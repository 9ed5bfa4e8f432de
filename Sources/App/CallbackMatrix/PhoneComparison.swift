package import PushDevice

/// The recording of an app on an iPhone, row by row beside the callback matrix of its version of iOS.
///
/// `Documentation/RunFile.md` describes a recording. It may have any text; the comparison has only words of the matrix, and can be
/// published.
package struct PhoneComparison: Sendable {
    /// A row of the matrix from one state of the app.
    package struct Row: Sendable {
        /// The row and the state, such as `R10-T-1 forceQuit`.
        package var name: String
        /// The expected callbacks, and the launch options if there is a launch.
        package var expected: [String: String]
        /// The same from the recording; nil if it does not have the row.
        package var found: [String: String]?
        /// The cause of a row that is not in the recording.
        package var note: String
    }

    /// The version of iOS, in digits.
    package var system: String
    /// All rows of the matrix for that version, in its order.
    package var rows: [Row]

    /// Compares a run; nil if it has no row of the matrix, as it was not recorded for this purpose.
    package init?(_ run: RunFile) {
        let numbers = run.system.split(separator: ".").prefix(3).compactMap { Int($0) }
        guard let major = numbers.first, major >= 7 else { return nil }
        system = numbers.map { "\($0)" }.joined(separator: ".")
        // An older PushLab has no scenes.
        let hasScenes = run.entries.contains { $0.event == "callback" && $0.detail.hasPrefix("scene") }
        let cases = MatrixCase.all(iOS: major, hasScenes: hasScenes).filter(\.hasNotification)
        let recordings = Self.recordings(in: run)
        let methods = Set(
            cases.flatMap(\.sequence).map { $0.prefix { $0 != "@" } } + MatrixOutcome.lifeCycle.map { $0[...] }
        )
        var seen: Set<String> = []
        rows = cases.compactMap { row in
            let name = "\(row.idWithoutScenes) \(row.start)"
            guard seen.insert(name).inserted else { return nil }
            let found = recordings[name].map { Told($0, methods).observation(of: row) }
            return Row(name: name, expected: row.observation, found: found, note: row.requirement)
        }
        guard rows.contains(where: { $0.found != nil }) else { return nil }
    }

    /// The entries of each row, from its last beginning to its end.
    private static func recordings(in run: RunFile) -> [String: [RunFile.Entry]] {
        var recordings: [String: [RunFile.Entry]] = [:]
        var open: (name: String, entries: [RunFile.Entry])?
        for entry in run.entries {
            switch entry.event {
            case "row": open = (entry.detail, [])
            case "rowEnded":
                if let open { recordings[open.name] = open.entries }
                open = nil
            default: open?.entries.append(entry)
            }
        }
        return recordings
    }
}

/// The callbacks of an app between the beginning and the end of a row, in the notation of the matrix.
private struct Told {
    private static let states: Set = ["active", "inactive", "background"]
    private static let responses: Set = ["default", "dismiss", "action-id", "action-id+userText"]
    private static let connections: Set = ["notificationResponse", "shortcutItem", "urlContexts", "nothing"]
    private static let launch = "application(_:didFinishLaunchingWithOptions:)@"
    /// The callbacks of an app that the person leaves.
    private static let leaving = [
        "applicationWillResignActive(_:)@", "applicationDidEnterBackground(_:)@", "sceneWillResignActive(_:)@",
        "sceneDidEnterBackground(_:)@", "sceneDidDisconnect(_:)@",
    ]
    /// The callbacks of an app that the person opens, after its launch.
    private static let entering = [
        "applicationWillEnterForeground(_:)@", "scene(_:willConnectTo:options:)@", "sceneWillEnterForeground(_:)@",
    ]
    private static let active = ["applicationDidBecomeActive(_:)@active", "sceneDidBecomeActive(_:)@active"]

    private var calls: [String] = []
    /// The options of the first launch.
    private var launch: MatrixLaunch?

    init(_ entries: [RunFile.Entry], _ methods: Set<Substring>) {
        for entry in entries {
            switch entry.event {
            case "callback":
                let method = methods.contains(entry.detail[...]) ? entry.detail : "another method"
                let state = entry.state.map { Self.states.contains($0) ? "@\($0)" : "@another state" }
                calls.append(method + (state ?? ""))
            case "response":
                guard let last = calls.popLast() else { continue }
                calls.append("\(last)[\(Self.responses.contains(entry.detail) ? entry.detail : "another action")]")
            case "connectionOptions":
                guard let last = calls.popLast() else { continue }
                calls.append("\(last)[\(Self.connections.contains(entry.detail) ? entry.detail : "another cause")]")
            case "launchOptions":
                launch = launch ?? MatrixLaunch(rawValue: entry.detail) ?? .other
            default: break
            }
        }
    }

    /// Drops the way back to the app, from the end: what tells that it is active, and what comes before that when the person opens it.
    private static func withoutReturn(_ calls: ArraySlice<String>) -> ArraySlice<String> {
        var rest = calls.dropLast()
        while let last = rest.last, entering.contains(where: { last.hasPrefix($0) }) { rest.removeLast() }
        if rest.last == "\(launch)inactive" { rest.removeLast() }
        return rest.count == calls.count - 1 ? calls : rest
    }

    /// Returns what concerns the row: without the way into the app's state before it, and the way back to the app after it.
    func observation(of row: MatrixCase) -> [String: String] {
        guard row.start != .foreground else { return MatrixCase.observation(calls, launch) }
        var calls = calls.drop { call in Self.leaving.contains { call.hasPrefix($0) } }
        if let last = calls.last, Self.active.contains(last), row.sequence.last != last {
            calls = Self.withoutReturn(calls)
        }
        return MatrixCase.observation(Array(calls), calls.contains { $0.hasPrefix(Self.launch) } ? launch : nil)
    }
}

extension MatrixCase {
    fileprivate var observation: [String: String] { Self.observation(sequence, launch) }

    fileprivate static func observation(_ calls: [String], _ launch: MatrixLaunch?) -> [String: String] {
        var observation = ["callbacks": calls.isEmpty ? "none" : calls.joined(separator: " > ")]
        observation["launch options"] = launch?.rawValue
        return observation
    }

    /// The app that the row needs.
    fileprivate var requirement: String {
        if delegate != .complete, delegate != .legacy { return "not tried: needs an app with another delegate" }
        if permission != .granted { return "not tried: needs an app without permission" }
        return hasBackgroundMode ? "not tried" : "not tried: needs an app without the background mode"
    }
}
