import ArgumentParser
import Logging

@main
struct Posthorn: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "posthorn",
        abstract: "Runs every part of a push notification's path on your own machines.",
        version: BuildKind.version,
        subcommands: [
            Demo.self, Sandbox.self, Serve.self, Reload.self, GatewayCommand.self, DeviceCommand.self, AppCommand.self,
            AppGroupCommand.self, CredentialCommand.self,
            DevicesCommand.self, Import.self, Push.self, MessageCommand.self, Withdraw.self, ReportCommand.self,
            ScheduleCommand.self, TemplateCommand.self, PlanCommand.self,
            Send.self, ChannelCommand.self, AppIDCommand.self,
            CertCommand.self, ProfileCommand.self, DevCommand.self, UserCommand.self, AuditCommand.self, Why.self,
            When.self, DoctorCommand.self, DesktopCommand.self,
            Matrix.self, CalibrateCommand.self, MCPCommand.self,
            RetentionCommand.self, NodeCommand.self,
            BackupCommand.self, RestoreCommand.self, MigrateCommand.self, Completion.self,
        ]
    )

    static func main() async {
        let command: any ParsableCommand
        do { command = try parseAsRoot() } catch {
            let words = Array(CommandLine.arguments.dropFirst())
            if exitCode(for: error) == .validationFailure,
                let name = CommandSuggestion.suggestion(for: words, in: Posthorn.self)
            {
                printNote("Did you mean '\(name)'?")
            }
            exit(withError: error)
        }
        do {
            try await run(command)
        } catch let problem as ValidationError {
            // The command line was read: what is wrong is a file or a value, about which the usage says nothing.
            printNote("Error: \(problem.message)")
            exit(withError: ExitCode.validationFailure)
        } catch {
            let status = exitCode(for: error)
            // What a service has answered may have any text in it.
            guard !(error is ExitCode), !(error is CleanExit), status != .success else { exit(withError: error) }
            printNote("Error: \(message(for: error))")
            exit(withError: status)
        }
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
