import ArgumentParser
import PosthornStack
import PushModel
import PushService

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports devices from a file into a running service.",
        usage:
            "posthorn import FILE [--from onesignal|parse|pinpoint] [--format csv|jsonl] [--environment production|development] [--restart] [--json]",
        discussion: """
            The file is CSV with a header, or JSON lines. CSV is separated by commas, semicolons or tabs. Columns (or keys), \
            in any order: registration_id, token, environment, alias, tags, attributes, zone, language, app_version, system. Only the token is required. Tags are separated \
            by commas or semicolons in one field, or an array. NULL and similar words are read as empty. Other columns are \
            ignored.

            A registration id from another service keeps working: it leads to the device with that token, even after its \
            app has registered with Posthorn. A device without one gets a Posthorn id. Devices are never duplicated: \
            importing the same file again changes nothing.

            FILE.posthorn-import records the progress until the import is done. After any interruption, the same command \
            continues from there. Rejected rows are reported by line and written, with the reason, to FILE.rejected, which \
            can be corrected and imported. Neither file is written for '-', the standard input.

            At the end, it says how many rows a second it has read.

            Exits with 0 if every row was imported, with 1 if some were rejected, and with 2 if the service stopped answering.
            """
    )

    @Argument(help: "Path of the file; '-' reads standard input.") var file: String

    @Option(help: "The file's format: csv or jsonl; detected from its beginning if not given.")
    var format: ImportFormat?

    @Option(
        help: """
            Read the export of another service as it is: onesignal (CSV of subscriptions), parse (objects of _Installation, one a \
            line, or as CSV), or pinpoint (endpoints of Amazon Pinpoint, one a line, or as CSV).
            """
    )
    var from: ImportSource?

    @Option(
        help:
            "The APNs environment of rows that name none: development or production; the app's own setting if not given."
    )
    var environment: APNSEnvironment?

    @Flag(help: "Start over, ignoring the progress of an earlier run.") var restart = false
    @Flag(help: "Print a line of JSON for each step, for each row that is rejected or loses values, and at the end.")
    var json = false
    @OptionGroup var server: ServerOptions

    func run() async throws {
        let client = try server.client
        let app: AppAnswer = try await client.get("/posthorn/v1/app").read()
        let report = ImportReport(file: file, isJSON: json)
        var run = try ImportRun(
            file: file,
            format: format,
            source: from,
            client: client,
            bundleID: app.bundleID,
            environment: environment ?? app.environment,
            restart: restart,
            report: report
        )
        report.tellInterruption()
        let tally = try await run.finish()
        guard tally.rejected == 0 else { throw ExitCode(1) }
    }
}

enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case jsonLines = "jsonl"
}

/// The number of rows of a file, by result.
struct ImportTally: Codable, Equatable {
    var created = 0
    var updated = 0
    var unchanged = 0
    var kept = 0
    var rejected = 0

    var rows: Int { created + updated + unchanged + kept + rejected }
}
