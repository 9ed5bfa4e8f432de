import ArgumentParser
import Logging

@main
struct Posthorn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "posthorn",
        abstract: "Runs every part of a push notification's path on your own machines.",
        version: "0.1.0",
        subcommands: [
            Demo.self, Sandbox.self, Serve.self, Reload.self, GatewayCommand.self, DeviceCommand.self, AppCommand.self,
            CredentialCommand.self,
            DevicesCommand.self, Import.self, Push.self, ScheduleCommand.self, Send.self, AppIDCommand.self,
            CertCommand.self, ProfileCommand.self, DevCommand.self, Why.self, When.self, DoctorCommand.self,
            Matrix.self,
            BackupCommand.self, RestoreCommand.self, Bench.self,
        ]
    )
}
