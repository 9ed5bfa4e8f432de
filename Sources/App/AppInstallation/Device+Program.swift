import Foundation
public import PushDevice
import SystemPortSocket

extension Device {
    /// Installs an app that runs as a separate process, a new one for each launch.
    ///
    /// The process is suspended in the background (SIGSTOP), continued when an event arrives for it (SIGCONT), and killed when the
    /// app is swiped away (SIGKILL). If it ends by itself, the journeys of the notifications it was handling record this.
    ///
    /// - Parameters:
    ///   - program: the app's program.
    ///   - output: receives each line that the app or one of its extensions prints, after its name, on any thread.
    public func install(_ program: ProgramApp, output: @escaping @Sendable (String) -> Void = { Device.printNote($0) })
    {
        let launch = { (part: ProgramExtension) -> Launcher in
            var run = AppProgram(part.executable, output)
            run.info = part.info
            run.environment = program.environment
            return { [run] port in ProcessEndpoint(run, port: port) }
        }
        let contents = program.contentExtensions.map { content in
            ContentExtensionProgram(info: content.declarations, launch: launch(content.program))
        }
        var run = AppProgram(program.executable, output)
        run.environment = program.environment
        install(
            program.app,
            serviceExtension: program.serviceExtension.map(launch),
            contentExtensions: contents
        ) { [run] port in ProcessEndpoint(run, port: port) }
    }

    /// Prints a line for the user of the device to standard error.
    public static func printNote(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}

extension AppProgram {
    fileprivate init(_ executable: URL, _ output: @escaping @Sendable (String) -> Void) {
        self.init(path: executable.path(percentEncoded: false), name: executable.lastPathComponent, output: output)
    }
}
