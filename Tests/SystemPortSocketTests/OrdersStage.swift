import Foundation
import Glibc
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import Synchronization
import TestSupport

/// A phone with the app that does what pushes tell it, and its extensions: each a process of its own.
final class OrdersStage: Sendable {
    static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    static func program(_ name: String) -> (executable: URL, info: URL) {
        (folder.appending(path: name), ProjectFolder.url.appending(path: "Tests/\(name)/Info.plist"))
    }

    let phone: TestPhone
    let app: InstalledApp
    private let printed = Mutex<[String]>([])

    init(_ phone: TestPhone = TestPhone()) throws {
        self.phone = phone
        let (executable, info) = Self.program("OrdersApp")
        var program = try ProgramApp(executable: executable, info: info)
        let (service, serviceInfo) = Self.program("OrdersExtension")
        program.serviceExtension = try ProgramExtension(executable: service, info: serviceInfo)
        program.app.associatedDomains = ["applinks:orders.example.com"]
        let (content, contentInfo) = Self.program("OrdersContent")
        program.contentExtensions = [try ProgramContentExtension(executable: content, info: contentInfo)]
        app = program.app
        phone.device.install(program) { [weak self] line in self?.printed.withLock { $0.append(line) } }
    }

    /// The lines that app and extension have printed so far.
    var lines: [String] { printed.withLock(\.self) }

    /// Opens the app and goes back to the home screen.
    func openAndLeave() async {
        await phone.open(app)
        await phone.background(app)
    }

    /// The process of the last line that begins so, once it is there.
    func process(_ begin: String, count: Int = 1) async throws -> pid_t {
        try await eventual("\(count) lines begin with '\(begin)'") {
            let found = lines.filter { $0.hasPrefix(begin) }
            let words = found.last?.dropFirst(begin.count).split(separator: " ")
            return found.count >= count ? words?.first.flatMap { pid_t($0) } : nil
        }
    }

    /// Launches so far.
    func launched(_ count: Int = 1) async throws -> pid_t { try await process("OrdersApp: launched ", count: count) }

    /// `kill -9`, and what the device makes of it.
    func kill(_ process: pid_t) async {
        Glibc.kill(process, SIGKILL)
        await ended()
    }

    /// A process of the app's has ended by itself.
    func ended() async {
        _ = await phone.device.first { if case .processEnded = $0.kind { true } else { false } }
        await phone.device.settled()
    }

    /// Waits for a line of app or extension.
    func prints(_ line: String) async throws {
        try await eventually("'\(line)' is printed") { lines.contains(line) }
    }

    func verdict(_ push: String) -> Verdict { Verdict(phone.journeys.events(of: push)) }

    /// As the system says: `R` runs, `S` sleeps, `T` stands still, `Z` is a zombie; nil for none.
    static func state(of process: pid_t) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: end)...].split(separator: " ").first.map(String.init)
    }
}

extension OrdersStage {
    /// Waits until a process has ended, and its parent knows.
    static func isGone(_ process: pid_t) async throws {
        try await eventually("process \(process) is gone") { state(of: process) == nil }
    }
}

extension TestPhone {
    /// Waits until the phone's next alarm is the one for then: what apps do comes from other threads.
    func awaitAlarm(after time: Duration) async throws {
        try await clock.sleeper(for: time)
    }
}
