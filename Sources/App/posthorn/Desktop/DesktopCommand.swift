import ArgumentParser
import Foundation
import SystemPortDesktop

/// The user service for programs that show their notifications on the Linux desktop.
struct DesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "desktop",
        abstract: "Shows the notifications of Swift programs on the Linux desktop.",
        discussion: """
            The user service keeps the notifications that programs have scheduled, shows them while the programs do not run, and \
            starts a program when its notification is clicked. After 'posthorn desktop install' the session bus starts it at its \
            first use, and the desktop at login.
            """,
        subcommands: [Run.self, Install.self, Uninstall.self],
        defaultSubcommand: Run.self
    )

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Runs the user service until the session ends."
        )

        func run() async throws {
            do throws(BusProblem) {
                let service = try DesktopService(DesktopEnvironment())
                printNote("The service has the name \(DesktopService.busName) on the session bus.")
                // Without the bus there is nothing left to do.
                try? await service.run()
            } catch {
                printNote("error: \(error)")
                throw ExitCode.failure
            }
        }
    }

    struct Install: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "install",
            abstract: "Makes the session start the user service."
        )

        @Option(help: "The path of the posthorn to start; this one's if not given.") var program: String?

        func run() throws {
            let files = ServiceFiles(DesktopEnvironment())
            let program = program ?? DesktopIdentity.program
            try require(
                program.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: program),
                "'--program' is '\(program)'; expected the absolute path of an executable."
            )
            try files.install(program)
            for file in [files.activation, files.autostart] { printLine(file.path) }
        }
    }

    struct Uninstall: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "Stops starting the user service with the session. Pending notifications are kept."
        )

        func run() throws {
            if try !ServiceFiles(DesktopEnvironment()).uninstall() { printNote("The user service was not installed.") }
        }
    }
}
