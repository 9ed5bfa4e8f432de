import ArgumentParser
import Logging
import NetworkSupport
import PosthornSimulator
import PushModel
import PushStoreSQLite

@main
struct Posthorn: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "posthorn",
        abstract: "Runs every part of a push notification's path on your own machines.",
        version: BuildKind.version,
        subcommands: [
            Demo.self, Sandbox.self, Serve.self, Reload.self, GatewayCommand.self, DeviceCommand.self, AppCommand.self,
            GroupCommand.self, CredentialCommand.self,
            DevicesCommand.self, Import.self, Push.self, MessageCommand.self, Withdraw.self, ReportCommand.self,
            ScheduleCommand.self, TemplateCommand.self, PlanCommand.self,
            Send.self, ChannelCommand.self, AppIDCommand.self,
            CertCommand.self, ProfileCommand.self, DevCommand.self, UserCommand.self, AuditCommand.self, Why.self,
            When.self, Explain.self, SimulatorCommand.self, DoctorCommand.self, HealthCommand.self, DesktopCommand.self,
            Matrix.self, CalibrateCommand.self, MCPCommand.self,
            RetentionCommand.self, NodeCommand.self,
            BackupCommand.self, RestoreCommand.self, MigrateCommand.self, Completion.self,
        ]
    )

    static func main() async {
        if let unknown = UnknownCommand(in: Array(CommandLine.arguments.dropFirst()), of: Posthorn.self) {
            printNote(unknown.message)
            exit(withError: ExitCode.validationFailure)
        }
        let command: any ParsableCommand
        do { command = try parseAsRoot() } catch { end(with: error) }
        do {
            if command is any ServerProcess { try AddressSpace.check() }
            try await run(command)
            if Output.hasFailed { exit(withError: ExitCode.failure) }
        } catch let problem as ValidationError {
            // The command line was read: what is wrong is a file or a value, about which the usage says nothing.
            printNote("Error: \(problem.message)")
            exit(withError: ExitCode.validationFailure)
        } catch {
            let status = exitCode(for: error)
            // What a service has answered may have any text in it.
            guard !(error is ExitCode), !(error is CleanExit), status != .success else { end(with: error) }
            printNote("Error: \(sentence(for: error))")
            exit(withError: status)
        }
    }

    /// Ends the process as `exit(withError:)` does, but fits the usage to the window, and notices a standard output that takes no help and
    /// no version.
    private static func end(with error: any Error) -> Never {
        let text = UsageLines.fitted(fullMessage(for: error), to: UsageLines.columns)
        let status = exitCode(for: error)
        guard !text.isEmpty else { exit(withError: error) }
        if status == .success { printLine(text) } else { printNote(text) }
        exit(withError: status)
    }

    /// Returns an error in words of people; what a service has refused is in their language. Errors of Foundation, SQLite and NIO describe
    /// themselves in their own.
    static func sentence(for error: any Error) -> String {
        FileWords.sentence(of: error).map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
            ?? NetworkWords.known(error).map { "The connection failed: \($0)." } ?? DatabaseProblem.words(of: error)
            ?? Language.ofProcess.said(message(for: error))
    }

    /// Runs a command that was read.
    static func run(_ command: any ParsableCommand) async throws {
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            var command = command
            try command.run()
        }
    }
}

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Prints a script with which a shell completes commands and options.",
        discussion: """
            posthorn completion bash > /etc/bash_completion.d/posthorn
            posthorn completion zsh > "${fpath[1]}/_posthorn"
            posthorn completion fish > ~/.config/fish/completions/posthorn.fish
            """
    )

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "The shell: bash, zsh or fish.") var shell: Shell

    func run() { printLine(Posthorn.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)) }
}

/// The optimisation of the program.
enum BuildKind {
    #if DEBUG
    static let isDebug = true
    #else
    static let isDebug = false
    #endif

    /// The version as `posthorn --version` prints it. Benchmarks refuse a debug build by it.
    static let version = isDebug ? "\(Posthorn.version) (debug build)" : Posthorn.version

    /// Warns that a server is a debug build.
    static func warn(_ logger: Logger) {
        guard isDebug else { return }
        logger.warning("This is a slow debug build; in a checkout, 'POSTHORN_BUILD=release ./posthorn' runs the other")
    }
}
