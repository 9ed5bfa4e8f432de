import APNSProvider
import ArgumentParser
import Foundation
import Logging
import PosthornStack
import PushModel
import PushService
import UnixSignals

struct CalibrateAPNS: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns",
        abstract: "Compares an APNs with a gateway of Posthorn's, and writes a report that can be published.",
        usage: """
            posthorn calibrate apns --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --topic com.example.app
            posthorn calibrate apns --list
            """,
        discussion: """
            Sends some 300 pushes, most of them with a mistake, to Apple's development host and to a gateway that it starts, and \
            compares status, reason, header fields and connection. The device tokens are random, so that no push reaches anybody. \
            With --token, at most ten pushes go to a device of your own. The report names no team, key, topic, token or address. \
            A run that was stopped continues where it was, from the report.

            Exits with 0 if all rows agree, with 1 if one differs, and with 2 if the comparison is not finished.
            """
    )

    @OptionGroup(title: "Where to") var destination: SendDestination
    @OptionGroup(title: "As whom") var identity: SendIdentity
    @Option(help: "The topic: the app's bundle id.") var topic: String?
    @Option(help: .token("A device token of your own app, to which accepted pushes are sent, too.")) var token: String?

    @Option(help: .token("A device token of your own app in the other environment, which has to be refused."))
    var otherToken: String?

    @Option(help: "The environment that --host stands for.") var hostEnvironment = APNSEnvironment.development
    @Option(help: "Requests per second.") var rate = 1.0

    @Option(help: .file("Path of the report; the same with the ending .md is the report for people."))
    var report = "posthorn-calibration.json"

    @Flag(help: "Do not continue the report at --report, but begin anew.") var fresh = false
    @Flag(help: "Show every row, and send nothing.") var list = false
    @OptionGroup var log: LogOptions

    func validate() throws {
        try require(rate > 0, "--rate is \(rate); expected more than 0.")
        for (name, text) in [("--token", token), ("--other-token", otherToken)] {
            try require(
                text.map({ DeviceToken(written: $0) == nil }) != true,
                "\(name) is not a device token; expected hexadecimal digits."
            )
        }
    }

    func run() async throws {
        guard !list else { return printList() }
        guard let topic else { throw ValidationError("--topic is missing; it is the app's bundle id.") }
        var destination = destination
        if destination.server.host == nil, destination.server.environment == nil {
            destination.server.environment = .development
        }
        let environment = destination.server.environment ?? hostEnvironment
        let theirs = CalibratedServer.Identity(
            endpoint: try destination.endpoint(),
            credential: try identity.credential(topic: topic, environment: environment),
            topic: topic,
            device: token.flatMap { DeviceToken(written: $0)?.hexadecimal },
            other: otherToken.flatMap { DeviceToken(written: $0)?.hexadecimal }
        )
        let rows = APNSCalibration.rows(for: theirs)
        let begun = try begin(with: theirs, in: environment, planned: rows.count)
        announce(rows.filter { row in !begun.rows.contains { $0.name == row.name && $0.verdict != .undecided } })
        let folder = TemporaryFolder(named: nil)
        defer { folder.remove() }
        let logger = log.logger("posthorn", default: .warning)
        let node = try await GatewayNode.forCalibration(folder: folder.path, topic: topic, logger: logger)
        let ours = try node.counterpart(of: theirs, in: environment)
        let calibration = APNSCalibration(
            theirs: CalibratedServer(theirs, pace: .seconds(1 / rate)),
            ours: CalibratedServer(ours, pace: .zero)
        )
        let path = report
        do {
            let finished = try await withServices([node.server], signals: [.sigint, .sigterm], logger: logger) {
                Output.endsGracefully()
                var report = begun
                try await calibration.run(rows, into: &report) { row, report in
                    row.lines(of: .apns).forEach(printLine)
                    try report.write(path)
                }
                return report
            }
            printLine(
                "\(finished.summary) The report is \(path), for people \(CalibrationReport.markdownFile(of: path).relativePath)."
            )
            try finished.endCommand()
        } catch is CancellationError {
            printNote("Stopped. The same command continues from \(path).")
            throw ExitCode(2)
        } catch let obstacle as APNSCalibration.Obstacle {
            SendReport.noAnswer("Error: \(obstacle)").lines(Catalogue(.english)).forEach(printNote)
            throw ExitCode(2)
        }
    }

    private func printList() {
        for (title, rows) in APNSCalibrationRow.sections {
            printLine(title)
            for row in rows {
                printLine("    \(row.name)\(row.needs == .nothing ? "" : "   (with --\(row.needs.option))")")
            }
        }
        printLine("\(APNSCalibrationRow.all.count) rows")
    }

    /// The report to add to: the one at --report, or a new one.
    private func begin(
        with identity: CalibratedServer.Identity,
        in environment: APNSEnvironment,
        planned: Int
    ) throws -> CalibrationReport {
        let credential = if case .key = identity.credential { "key" } else { "certificate" }
        let place = destination.server.host == nil ? "" : "another host, "
        var new = CalibrationReport(
            .apns,
            of: "\(place)\(environment), with a \(credential)",
            version: Posthorn.version,
            at: Date(),
            planned: planned
        )
        guard !fresh, FileManager.default.fileExists(atPath: report) else { return new }
        guard let old = try? CalibrationReport.read(report), old.kind == new.kind, old.subject == new.subject,
            old.version == new.version
        else {
            throw ValidationError(
                "'\(report)' is of another comparison; give another --report, or replace it with --fresh."
            )
        }
        new.rows = old.rows
        return new
    }

    private func announce(_ rows: [APNSCalibrationRow]) {
        let minutes = max(1, Int((Double(rows.reduce(0) { $0 + $1.requests }) / rate / 60).rounded(.up)))
        let own = rows.count { $0.needs == .token }
        printLine("\(rows.count) rows are compared, in about \(minutes) min. Ctrl-C stops; the same command continues.")
        printLine(
            own == 0
                ? "The device tokens are random: no push reaches anybody."
                : "\(own) pushes go to the device of --token, silent ones among them. The other device tokens are random."
        )
    }
}
