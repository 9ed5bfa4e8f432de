import DeviceLink
import Foundation
import JPush
import PosthornTesting
import Synchronization
import TestSupport
import Testing
import UIKit

/// The life of an app with the SDK as text: the frames on its links, the notifications that it posts and the answers to its calls,
/// each after the time of the phone.
///
/// Frames leave on several threads, posts and answers come on the main thread. Within one moment the frames therefore stand first, then
/// the posts, then the answers.
@MainActor
final class Life {
    let stage: JPushStage
    private let wire = WireRecord()
    private let answers = AnswerList()
    private var lines: [String] = []
    private var readPosts = 0

    init(extension program: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil) async {
        stage = await JPushStage(serviceExtension: program)
        setReachable(true)
    }

    /// Sets whether the service can be reached. Open links stay open.
    func setReachable(_ isReachable: Bool) {
        let acceptor = isReachable ? RecordingAcceptor(base: stage.service, wire: wire) : nil
        stage.phone.dialer.serve(TestService.url, acceptor)
    }

    /// Lets the process make this many calls on its links, of which the last one stays without an answer, and no further one.
    ///
    /// - Parameters:
    ///   - number: the number of calls.
    ///   - isCarriedOut: whether the service carries out the last one.
    func end(atCall number: Int, isCarriedOut: Bool) {
        lines.append("## killed at call \(number), \(isCarriedOut ? "carried out" : "lost")")
        wire.end(atCall: number, isCarriedOut: isCarriedOut)
    }

    /// Takes a step of the test, and records the result.
    ///
    /// - Parameters:
    ///   - name: the heading of the step.
    ///   - ends: whether the step ends the app's process. The last posts of a process may or may not come before its end.
    ///   - body: the step.
    func step(_ name: String, ends: Bool = false, _ body: @MainActor () async -> Void) async {
        lines.append("# \(name)")
        await body()
        await stage.settle()
        if ends { readPosts = stage.posted.count }
        take()
    }

    /// Takes a step inside the app.
    func app(_ name: String, _ body: @MainActor () -> Void) async { await step(name) { stage.inside(body) } }

    func setUp(_ key: String = "key") async { await step("setup") { await stage.setUp(key: key) } }

    /// Ends the process of the app, and starts the next one.
    func relaunch() async { await step("relaunch", ends: true) { await stage.relaunch() } }

    /// Lets time pass, from one deadline to the next.
    func pass(_ duration: Duration) async {
        lines.append("# \(duration) later")
        let target = stage.phone.clock.now.advanced(by: duration)
        while let next = stage.phone.clock.nextDeadline, next <= target {
            await stage.advance(by: stage.phone.clock.now.duration(to: next))
            take()
        }
        await stage.advance(by: stage.phone.clock.now.duration(to: target))
        take()
    }

    /// A completion that records the answer to a call under its name.
    func names(_ call: String) -> JPUSHTagsOperationCompletion {
        { [answers] code, names, seq in
            let names = (names as? Set<String>).map { " \($0.sorted())" } ?? ""
            answers.add("\(call): \(code)\(names) seq \(seq)")
        }
    }

    func alias(_ call: String) -> JPUSHAliasOperationCompletion {
        { [answers] code, alias, seq in answers.add("\(call): \(code) \(alias ?? "nil") seq \(seq)") }
    }

    func registration(_ call: String) -> (Int32, String?) -> Void {
        { [answers] code, id in answers.add("\(call): \(code) \(id ?? "nil")") }
    }

    /// Records a value that the app reads.
    func read(_ name: String, _ value: String?) { answers.add("\(name): \(value ?? "nil")") }

    private func take() {
        let posted = stage.posted.dropFirst(readPosts).map { "posts \($0.name)\(Self.text($0.info))" }
        readPosts += posted.count
        let all = wire.take() + posted + answers.take()
        if all.isEmpty { return }
        lines.append(stage.phone.clock.date.formatted(.iso8601.time(includingFractionalSeconds: true)))
        lines += all.map { "    " + $0.replacingOccurrences(of: stage.app.bundleID, with: "com.example.jpush") }
    }

    private static func text(_ info: [AnyHashable: Any]) -> String {
        if info.isEmpty { return "" }
        let data = try? JSONSerialization.data(withJSONObject: info, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map { " " + String(decoding: $0, as: UTF8.self) } ?? " \(info)"
    }

    /// Compares the life with its recording. With `POSTHORN_RECORD_LIVES=1` in the environment it becomes the recording; with a path
    /// there, it is written into that folder, with the story of the phone.
    func compare(with name: String) throws { try Self.compare([self], with: name) }

    /// Compares several lives with one recording.
    static func compare(_ lives: [Life], with name: String) throws {
        let path = "Tests/JPushTests/Lives/Recorded/\(name).txt"
        let text = lives.flatMap(\.lines).joined(separator: "\n") + "\n"
        switch ProcessInfo.processInfo.environment["POSTHORN_RECORD_LIVES"] {
        case "1"?: return try Data(text.utf8).write(to: ProjectFolder.url.appending(path: path))
        case let folder?:
            let stories = lives.map { life in
                life.stage.phone.story.replacingOccurrences(of: life.stage.app.bundleID, with: "com.example.jpush")
            }
            try Data((text + stories.joined()).utf8).write(to: URL(filePath: folder).appending(path: "\(name).txt"))
        case nil: break
        }
        let recorded = try ProjectFolder.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
        let lived = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, (was, new)) in zip(recorded, lived).enumerated() where was != new {
            Issue.record("\(path), line \(number + 1):\nrecorded: \(was)\nnow:      \(new)")
            return
        }
        #expect(recorded.count == lived.count, "\(path): the number of lines")
    }
}

/// Lines, in order.
private final class AnswerList: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) {
        MainActor.assumeIsolated {}
        lines.withLock { $0.append("answers " + line) }
    }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}

/// The frames on all links.
private final class WireRecord: Sendable {
    private struct State {
        var lines: [String] = []
        var links = 0
        var closed: Set<Int> = []
        /// The calls that are left to the process; nil for any number.
        var callsLeft: Int?
        var isLastCarriedOut = false
    }

    private let state = Mutex(State())

    func open() -> Int {
        state.withLock { state in
            state.links += 1
            return state.links
        }
    }

    /// Adds a line, unless the link has ended: a service may notice that later.
    func add(_ line: String, on link: Int) {
        state.withLock { state in
            if !state.closed.contains(link) { state.lines.append("link \(link) \(line)") }
        }
    }

    func end(atCall number: Int, isCarriedOut: Bool) {
        state.withLock { state in
            state.callsLeft = number
            state.isLastCarriedOut = isCarriedOut
        }
    }

    func isClosed(_ link: Int) -> Bool { state.withLock { $0.closed.contains(link) } }

    /// Counts a call, and ends its link if it is the last one.
    ///
    /// - Returns: whether the service gets it.
    func admits(on link: Int) -> Bool {
        state.withLock { state in
            if state.closed.contains(link) { return false }
            guard let left = state.callsLeft else { return true }
            state.callsLeft = left > 1 ? left - 1 : nil
            if left > 1 { return true }
            state.closed.insert(link)
            return state.isLastCarriedOut
        }
    }

    func close(_ link: Int) {
        add("closed", on: link)
        state.withLock { _ = $0.closed.insert(link) }
    }

    func take() -> [String] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }
}

/// A service whose frames are recorded.
private struct RecordingAcceptor: LinkAcceptor {
    let base: TestService
    let wire: WireRecord

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        let link = wire.open()
        let wire = wire
        wire.add("opened", on: link)
        let handler = base.accept(RecordingConnection(base: connection, wire: wire, link: link))
        return { event in
            switch event {
            case .opened: break
            // With the members in the order of the protocol's page.
            case .received(let text):
                wire.add("app: \((try? SDKFrame(text: text))?.text ?? text)", on: link)
                guard wire.admits(on: link) else { return }
            case .closed: wire.close(link)
            }
            handler(event)
        }
    }
}

private final class RecordingConnection: LinkConnection {
    private let base: any LinkConnection
    private let wire: WireRecord
    private let link: Int

    init(base: any LinkConnection, wire: WireRecord, link: Int) {
        self.base = base
        self.wire = wire
        self.link = link
    }

    func send(_ text: String) {
        if wire.isClosed(link) { return }
        wire.add("service: \(text)", on: link)
        base.send(text)
    }

    func ping() { base.ping() }

    func close() { base.close() }
}
