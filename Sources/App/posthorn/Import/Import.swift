import ArgumentParser
import Foundation
import PosthornStack
import PushModel

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take devices over from a file, into a running service.",
        usage: "posthorn import FILE [--format csv|jsonl] [--environment production|development] [--restart] [--json]",
        discussion: """
            The file is CSV with a header, or JSON lines. Columns (or keys), in any order: registration_id, token, \
            environment, alias, tags. Only the token is needed. Tags stand in one field, with commas or semicolons \
            between; in JSON they may be an array. Other columns are passed over.

            A registration id that others gave keeps working: it leads to the device with that token, also after its app \
            has registered with Posthorn. Without one the device gets an id of Posthorn's. A device is never doubled: the \
            same file again changes nothing.

            How far it is stands in FILE.posthorn-import until it is done: after an end of any kind the same command goes \
            on from there. Rows that are wrong are told with their line, and written with what is wrong to FILE.rejected, \
            which can be mended and imported. Nothing of this is kept for '-', the standard input.

            Ends with 0 if every row is in, with 1 if some were rejected, and with 2 if the service stopped answering.
            """
    )

    @Argument(help: "The file; '-' reads standard input.")
    var file: String

    @Option(help: "How it is written: csv or jsonl; the file's beginning tells if not given.")
    var format: ImportFormat?

    @Option(
        help:
            "The APNs environment of rows that say none: development or production; the app's own setting if not given."
    )
    var environment: APNSEnvironment?

    @Flag(help: "Begin anew, whatever an earlier run has done.")
    var restart = false

    @Flag(help: "Print a line of JSON for each step, each rejected row, and the end.")
    var json = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let client = try server.client()
        let start = try await client.get("/posthorn/v1/app")
        guard start.status == 200, let setting = start.json.object?["environment"]?.string else {
            throw ServerRefusal(start)
        }
        var run = try ImportRun(
            file: file,
            format: format,
            client: client,
            environment: environment?.rawValue ?? setting,
            restart: restart,
            report: ImportReport(file: file, isJSON: json)
        )
        let tally = try await run.finish()
        guard tally.rejected == 0 else { throw ExitCode(1) }
    }
}

enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case jsonLines = "jsonl"
}

/// What has become of the rows of a file.
struct ImportTally: Equatable {
    var created = 0
    var updated = 0
    var unchanged = 0
    var kept = 0
    var rejected = 0

    var rows: Int { created + updated + unchanged + kept + rejected }

    static var members: [(name: String, path: WritableKeyPath<ImportTally, Int>)] {
        [
            ("created", \.created), ("updated", \.updated), ("unchanged", \.unchanged), ("kept", \.kept),
            ("rejected", \.rejected),
        ]
    }

    var json: JSONObject { JSONObject(Self.members.map { ($0.name, .integer(Int64(self[keyPath: $0.path]))) }) }
}
