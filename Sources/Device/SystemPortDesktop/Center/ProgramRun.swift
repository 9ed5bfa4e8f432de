import Dispatch
import Foundation
import Glibc
import ProcessSpawn

/// Runs other programs.
enum ProgramRun {
    /// The time that a program may take to print a setting.
    private static let limit = DispatchTimeInterval.seconds(2)

    /// Runs a program and returns what it prints.
    ///
    /// - Parameter words: the program, by its path, and its arguments.
    /// - Returns: nil if it cannot be started, fails, or takes more than two seconds.
    static func output(of words: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { return nil }
        guard ended.wait(timeout: .now() + limit) == .success else {
            process.terminate()
            return nil
        }
        guard process.terminationStatus == 0 else { return nil }
        // A setting fits into the pipe.
        return String(decoding: (try? pipe.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
    }

    /// Finds a program in the folders of `PATH`.
    ///
    /// - Returns: its path; nil if there is none.
    static func path(of name: String, in environment: DesktopEnvironment) -> String? {
        if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Starts an app, which then lives on its own, in a process group of its own.
    ///
    /// - Parameters:
    ///   - entry: the app.
    ///   - token: lets it take the focus; nil for none.
    ///   - environment: the user's desktop.
    /// - Returns: the reason if it cannot be started; nil if it was.
    static func launch(_ entry: AppEntry, token: String?, in environment: DesktopEnvironment) -> String? {
        guard let first = entry.command.first else { return "it has no program" }
        guard let path = path(of: first, in: environment) else {
            return "'\(first)' is no program; expected a path, or a name in one of the folders of PATH"
        }
        var variables = ProcessInfo.processInfo.environment
        // Those of the service itself.
        for name in ["NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "WATCHDOG_USEC"] { variables[name] = nil }
        // Source: XDG Activation protocol, and the Desktop Entry Specification's startup notification for X11.
        variables["XDG_ACTIVATION_TOKEN"] = token
        variables["DESKTOP_STARTUP_ID"] = token
        variables[DesktopIdentity.variable] = entry.bundleID
        return spawn(path, words: entry.command, variables: variables)
    }

    private static func spawn(_ path: String, words: [String], variables: [String: String]) -> String? {
        let spawn = ProcessSpawn(
            path: path,
            arguments: words,
            environment: variables,
            descriptors: [STDOUT_FILENO, STDERR_FILENO]
        )
        switch spawn.run() {
        case .failure(let failure): return failure.reason
        case .success(let child):
            // Its end is awaited, so that no dead process stays behind.
            Thread.detachNewThread {
                var result: Int32 = 0
                while unsafe waitpid(child, &result, 0) < 0, errno == EINTR {}
            }
            return nil
        }
    }
}
