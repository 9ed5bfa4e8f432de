import ArgumentParser
import Foundation
import PostgresClient
import PosthornStack
import PushModel

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Moves the data of a stopped service from SQLite to a PostgreSQL database.",
        discussion: """
            The database has to be empty. Apps, devices, pushes, schedules, reports and users move as they are; devices keep their \
            registration ids. An interrupted migration continues when the command is run again; until then, or until --cancel, no \
            service starts on the folder. At the end all rows are counted, the SQLite database is moved to 'before-migrate' in the \
            data folder, and 'posthorn serve --store' starts on the folder.
            """
    )

    @Option(
        help: .url("URL of the empty PostgreSQL database (or POSTHORN_STORE, which the process list does not show).")
    )
    var to: String?

    @Option(help: "The service's data folder.") var data = "posthorn-data"
    @Flag(help: "End an interrupted migration, so that the service starts on SQLite again.") var cancel = false
    @Flag(help: "Print as JSON.") var json = false

    func run() async throws {
        guard !cancel else { return try cancelMigration() }
        guard let url = to ?? EnvironmentSettings["POSTHORN_STORE"] else {
            throw ValidationError(
                "--to is missing; give the URL of an empty PostgreSQL database, or set POSTHORN_STORE."
            )
        }
        let configuration = try PostgresConfiguration(url: url)
        let migration = StoreMigration(data: data, to: configuration)
        let progress = StoreMigration.Progress()
        // Of a million, as the number of rows is not known yet.
        let parts = 1_000_000
        let facts = try await ProgressBar.follow(
            isQuiet: json,
            of: parts,
            done: { progress.all == 0 ? 0 : Int(Double(progress.done) / Double(progress.all) * Double(parts)) },
            { try await migration.run(progress) }
        )
        guard !json else {
            return printJSON([
                "store": configuration.name, "rows": facts.rows,
                "resumed_at": facts.resumedAt, "apps": facts.apps, "devices": facts.devices,
                "pushes": facts.pushes, "sqlite": facts.aside,
            ])
        }
        printLine(
            "Migrated to \(configuration.name): \(counted(facts.apps, "app")), \(counted(facts.devices, "device")), "
                + "\(counted(facts.pushes, "push")), \(counted(facts.rows, "row"))"
        )
        if facts.resumedAt > 0 { printLine("\(facts.resumedAt) of the rows were there from an earlier run.") }
        printLine("The SQLite database is in \(facts.aside). Start the service with --store.")
    }

    private func cancelMigration() throws {
        let target = try StoreMigration.cancel(in: data)
        guard !json else { return printJSON(["cancelled": target]) }
        printLine(
            target.map {
                "The service can start on SQLite again. \($0) may have a part of its data; drop the database if it has nothing else."
            } ?? "There is no migration to end."
        )
    }
}
