import Foundation
public import PushDevice
import PushModel
import SystemPort
import SystemPortSocket

extension Device {
    /// Puts an app on the device that runs as a process of its own, each launch a new one.
    ///
    /// What the person and the system do to it is done to the process: it is suspended in the background (SIGSTOP), goes on
    /// when something comes for it (SIGCONT), and is killed when it is swiped away (SIGKILL). If it ends by itself that
    /// stands in the journeys of what it was working on.
    ///
    /// - Parameters:
    ///   - program: the app.
    ///   - output: hears each line that it, or its extension, prints, after its name; on any thread.
    public func install(_ program: ProgramApp, output: @escaping @Sendable (String) -> Void = { Device.printNote($0) })
    {
        var extensionLauncher: (@Sendable (any SystemPort) -> any AppEndpoint)?
        if let serviceExtension = program.serviceExtension {
            var run = AppProgram(serviceExtension.executable, output)
            run.info = serviceExtension.info
            run.environment = program.environment
            extensionLauncher = { [run] port in ProcessEndpoint(run, port: port) }
        }
        var run = AppProgram(program.executable, output)
        run.environment = program.environment
        install(program.app, serviceExtension: extensionLauncher) { [run] port in ProcessEndpoint(run, port: port) }
    }

    /// To whoever runs the device, on standard error.
    public static func printNote(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}

extension AppProgram {
    fileprivate init(_ executable: URL, _ output: @escaping @Sendable (String) -> Void) {
        self.init(path: executable.path(percentEncoded: false), name: executable.lastPathComponent, output: output)
    }
}
