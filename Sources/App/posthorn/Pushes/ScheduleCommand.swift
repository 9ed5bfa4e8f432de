import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Manages pushes that a running service sends later.",
        subcommands: [
            List.self, Show.self, ScheduleCreate.self, Pause.self, Resume.self, Delete.self, Runs.self,
        ]
    )
}

/// One schedule of a service.
struct ScheduleOptions: ParsableArguments {
    @Argument(help: "The schedule's id.")
    var id: String

    @OptionGroup var response: ResponseOptions

    var json: Bool { response.json }
    var path: String { "/v3/schedules/\(APIClient.encoded(id))" }

    func client() throws -> APIClient { try response.server.client() }

    /// Shows the schedule or, with `isEnabled`, pauses or resumes it; with --json, prints the response.
    ///
    /// - Returns: the schedule; nil if it was printed.
    func schedule(isEnabled: Bool? = nil) async throws -> ScheduleAnswer? {
        guard let isEnabled else { return try response.read(try await client().get(path)) }
        let body: JSONValue = ["enabled": .bool(isEnabled)]
        return try response.read(try await client().put(path, body.bytes))
    }
}

extension ScheduleCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the schedules that will fire.")

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var server: ServerOptions

        func run() async throws {
            let client = try server.client()
            var schedules: [ScheduleAnswer] = []
            var page = 1
            var pages = 1
            while page <= pages {
                let answer: ScheduleListAnswer = try await client.get("/v3/schedules?page=\(page)").read()
                schedules += answer.schedules
                pages = answer.totalPages
                page += 1
            }
            guard !json else { return printLine(JSONCoding.json(of: schedules).text) }
            if schedules.isEmpty { printLine("There are no schedules with a time to come.") }
            for schedule in schedules {
                let state = schedule.enabled ? "" : "paused  "
                printLine("\(schedule.scheduleID)  \(state)\(schedule.timing)  \(schedule.name.printed)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one schedule.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            guard let schedule = try await options.schedule() else { return }
            printLine("Schedule  \(schedule.scheduleID)")
            printLine("Name      \(schedule.name.printed)")
            printLine("State     \(schedule.enabled ? "active" : "paused")")
            printLine("When      \(schedule.timing)")
            printLine("Push      \(schedule.push.text)")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pauses a schedule; times that pass while it is paused are lost."
        )

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            guard let schedule = try await options.schedule(isEnabled: false) else { return }
            printLine("'\(schedule.name.printed)' is paused.")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Resumes a paused schedule.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            guard let schedule = try await options.schedule(isEnabled: true) else { return }
            printLine("'\(schedule.name.printed)' is active: \(schedule.timing).")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a schedule and its history.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            let answer = try await options.client().delete(options.path).members
            printLine(options.json ? JSONValue.object(answer).text : "Schedule \(options.id) is deleted.")
        }
    }

    struct Runs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a schedule's past runs and their results.",
            discussion: "Works for schedules that have ended, too. With --json, prints one line of JSON per run."
        )

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            let runs: FiringListAnswer = try await options.client().get(options.path + "/msg_ids").read()
            if runs.msgids.isEmpty, !options.json { printLine("It has not been due yet.") }
            for run in runs.msgids { printLine(options.json ? run.json.string ?? "" : Self.line(run)) }
        }

        private static func line(_ run: ScheduleFiring) -> String {
            let at = run.at.formatted(.iso8601)
            guard let error = run.error else { return "\(at)  msg_id \(run.messageID?.description ?? "")" }
            return "\(at)  not sent: \(error.code) \(error.message)"
        }
    }
}

extension ScheduleAnswer {
    fileprivate var timing: String { (try? ScheduleTrigger(json: trigger))?.timing ?? trigger.text }
}

extension ScheduleTrigger {
    /// A description of the times at which a schedule fires.
    var timing: String {
        let zone = (isPerDevice ? "device" : zone).map { " \($0)" } ?? ""
        switch kind {
        case .single(let time): return "once at \(time)\(zone)"
        case .periodical(let period):
            let (count, unit, points) = (period.frequency, period.days.unit, period.days.points)
            let every = count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
            let days = points.isEmpty ? "" : " on \(points.joined(separator: ", "))"
            return "\(every)\(days) at \(WallTime.text(period.time))\(zone), from \(period.start) to \(period.end)"
        }
    }
}
