import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Manages pushes that a running service sends later.",
        subcommands: [List.self, Show.self, Create.self, Pause.self, Resume.self, Delete.self, Runs.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the schedules that will fire."
        )

        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var server: ServerOptions

        func run() async throws {
            let client = try server.client
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
            let times = await ServiceTimes(of: client)
            for schedule in schedules {
                let state = schedule.enabled ? "" : "paused  "
                printLine("\(schedule.scheduleID)  \(state)\(schedule.timing(times))  \(schedule.name.printed)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows one schedule.")

        @OptionGroup var options: Options

        func run() async throws {
            guard let schedule = try await options.schedule() else { return }
            printLine(
                """
                Schedule  \(schedule.scheduleID)
                Name      \(schedule.name.printed)
                State     \(schedule.enabled ? "active" : "paused")
                When      \(schedule.timing(try await options.times()))
                Push      \(schedule.push.text)
                """
            )
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pauses a schedule; times that pass while it is paused are lost."
        )

        @OptionGroup var options: Options

        func run() async throws {
            guard let schedule = try await options.schedule(isEnabled: false) else { return }
            printLine("'\(schedule.name.printed)' is paused.")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "resume", abstract: "Resumes a paused schedule.")

        @OptionGroup var options: Options

        func run() async throws {
            guard let schedule = try await options.schedule(isEnabled: true) else { return }
            printLine("'\(schedule.name.printed)' is active: \(schedule.timing(try await options.times())).")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a schedule and its history."
        )

        @OptionGroup var options: Options

        func run() async throws {
            let answer = try await options.client.delete(options.path).members
            printLine(options.json ? answer.text : "Schedule \(options.id) is deleted.")
        }
    }

    struct Runs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "runs",
            abstract: "Shows a schedule's past runs and their results.",
            discussion: "Works for schedules that have ended, too. With --json, prints one line of JSON per run."
        )

        @OptionGroup var options: Options

        func run() async throws {
            let runs: FiringListAnswer = try await options.client.get(options.path + "/msg_ids").read()
            if runs.msgids.isEmpty, !options.json { printLine("It has not been due yet.") }
            let times = options.json ? nil : try await options.times()
            for run in runs.msgids { printLine(times.map { Self.line(run, $0) } ?? run.json.string ?? "") }
        }

        private static func line(_ run: ScheduleFiring, _ times: ServiceTimes) -> String {
            let at = times.text(run.at)
            guard let error = run.error else { return "\(at)  msg_id \(run.messageID?.description ?? "")" }
            return "\(at)  not sent: \(error.code) \(error.message)"
        }
    }

    /// One schedule of a service.
    struct Options: ParsableArguments {
        @Argument(help: "The schedule's id.") var id: String
        @OptionGroup var response: ResponseOptions

        var json: Bool { response.json }
        var path: String { "/v3/schedules/\(APIClient.encoded(id))" }

        var client: APIClient { get throws { try response.client } }
        func times() async throws -> ServiceTimes { await ServiceTimes(of: try client) }

        /// Shows the schedule or, with `isEnabled`, pauses or resumes it; with --json, prints the response.
        ///
        /// - Returns: the schedule; nil if it was printed.
        func schedule(isEnabled: Bool? = nil) async throws -> ScheduleAnswer? {
            guard let isEnabled else { return try response.read(try await client.get(path)) }
            return try response.read(try await client.put(path, ["enabled": isEnabled]))
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Schedules a push, once or repeatedly.",
            discussion: """
                posthorn schedule create --name morning --at '2026-12-01 09:00:00' --zone Europe/Berlin --alert Hello --all
                posthorn schedule create --name news --every week --on MON,FRI --time 08:00:00 \\
                    --from '2026-12-01 00:00:00' --to '2027-03-01 00:00:00' --zone Asia/Shanghai push.json

                Times are in --zone; without it, in the service's own zone, which is China's by default. With --zone device, each
                device gets the push at this time in its own zone.
                """
        )

        enum Unit: String, ExpressibleByArgument, CaseIterable {
            case day
            case week
            case month
        }

        @Option(help: "The schedule's name.") var name: String
        @Option(help: "Send once at this time, such as '2026-12-01 09:00:00'.") var at: String?
        @Option(help: "Send repeatedly, every: day, week or month.") var every: Unit?
        @Option(help: "Send only every N days, weeks or months.") var frequency = 1

        @Option(
            help: ArgumentHelp(
                "Days of the week (MON to SUN) or of the month (01 to 31), separated by commas.",
                valueName: "days"
            )
        )
        var on: String?

        @Option(help: "The time of day, such as 08:00:00.") var time: String?
        @Option(help: "Start of the schedule, such as '2026-12-01 00:00:00'.") var from: String?
        @Option(help: "End of the schedule, at most a year later.") var to: String?

        @Option(help: "The time zone of these times, such as Europe/Berlin; 'device' for each device's own.")
        var zone: String?

        @OptionGroup var content: PushContent
        @OptionGroup var options: ResponseOptions

        func validate() throws {
            try content.check()
            try require((at != nil) != (every != nil), "Say when: --at, or --every.")
            guard every != nil else {
                try require(
                    on == nil && time == nil && from == nil && to == nil,
                    "--on, --time, --from and --to go with --every; --at has its time."
                )
                return
            }
            let missing = [("--time", time), ("--from", from), ("--to", to)].filter { $0.1 == nil }.map(\.0)
            try require(missing.isEmpty, "--every needs \(missing.joined(separator: " and ")) too.")
            try require(
                (every == .day) == (on == nil),
                every == .day ? "--every day has no --on." : "--every week or month needs --on."
            )
        }

        func run() async throws {
            let client = try options.client
            var pushContent = content
            // The cid is the schedule's; a cid of its push would be ignored.
            pushContent.cid = nil
            let push = try JSONValue(parsing: try await pushContent.body(client))
            var body: JSONMembers = ["name": name, "enabled": true, "trigger": trigger, "push": push]
            if let cid = content.cid { body["cid"] = cid }
            let answer = try await client.post("/v3/schedules", body)
            guard let new: NewScheduleAnswer = try options.read(answer) else { return }
            let timing = try ScheduleTrigger(json: .object(trigger)).timing(await ServiceTimes(of: client))
            printLine("Schedule \(new.scheduleID): \(timing).")
            printWarnings(new.warnings)
        }

        private var trigger: JSONObject {
            var trigger: JSONObject = [:]
            if let at {
                trigger["single"] = ["time": .string(at)]
            } else if let every {
                var period: JSONMembers = [
                    "start": from ?? "", "end": to ?? "", "time": time ?? "", "time_unit": every.rawValue,
                    "frequency": frequency,
                ]
                if let on { period["point"] = on.split(separator: ",").map(String.init) }
                trigger["periodical"] = .object(period.json)
            }
            trigger["zone"] = JSONValue(zone)
            return trigger
        }
    }
}

extension ScheduleAnswer {
    fileprivate func timing(_ times: ServiceTimes) -> String {
        (try? ScheduleTrigger(json: trigger))?.timing(times) ?? trigger.text
    }
}

extension ScheduleTrigger {
    /// Returns a description of the times at which a schedule fires, with their zone: its own, or that of the service.
    fileprivate func timing(_ times: ServiceTimes) -> String {
        let zone =
            isPerDevice ? "device" : zone ?? times.zone(at: next(after: .distantPast, in: times.zone) ?? .distantPast)
        switch kind {
        case .single(let time): return "once at \(time) \(zone)"
        case .periodical(let period):
            let count = period.frequency
            let unit = period.days.unit
            let points = period.days.points
            let every = count == 1 ? "every \(unit)" : "every \(count) \(unit)s"
            let days = points.isEmpty ? "" : " on \(points.joined(separator: ", "))"
            return "\(every)\(days) at \(WallTime.text(period.time)) \(zone), from \(period.start) to \(period.end)"
        }
    }
}
