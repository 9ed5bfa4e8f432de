import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct ScheduleCreate: AsyncParsableCommand {
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

    @Option(help: "The schedule's name.")
    var name: String

    @Option(help: "Send once at this time, such as '2026-12-01 09:00:00'.")
    var at: String?

    @Option(help: "Send repeatedly, every: day, week or month.")
    var every: Unit?

    @Option(help: "Send only every N days, weeks or months.")
    var frequency = 1

    @Option(
        help: ArgumentHelp(
            "Days of the week (MON to SUN) or of the month (01 to 31), separated by commas.",
            valueName: "days"
        )
    )
    var on: String?

    @Option(help: "The time of day, such as 08:00:00.")
    var time: String?

    @Option(help: "Start of the schedule, such as '2026-12-01 00:00:00'.")
    var from: String?

    @Option(help: "End of the schedule, at most a year later.")
    var to: String?

    @Option(help: "The time zone of these times, such as Europe/Berlin; 'device' for each device's own.")
    var zone: String?

    @OptionGroup var content: PushContent

    @OptionGroup var options: ResponseOptions

    func validate() throws {
        try content.check()
        guard (at != nil) != (every != nil) else { throw ValidationError("Say when: --at, or --every.") }
        guard every != nil else {
            guard on == nil, time == nil, from == nil, to == nil else {
                throw ValidationError("--on, --time, --from and --to go with --every; --at has its time.")
            }
            return
        }
        let missing = [("--time", time), ("--from", from), ("--to", to)].filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty else { throw ValidationError("--every needs \(missing.joined(separator: " and ")) too.") }
        guard (every == .day) == (on == nil) else {
            throw ValidationError(every == .day ? "--every day has no --on." : "--every week or month needs --on.")
        }
    }

    func run() async throws {
        let client = try options.server.client()
        var pushContent = content
        // The cid is the schedule's; a cid of its push would be ignored.
        pushContent.cid = nil
        let push = try JSONValue(parsing: try await pushContent.body(client))
        var body: JSONObject = ["name": .string(name), "enabled": true, "trigger": .object(trigger), "push": push]
        body["cid"] = content.cid.map { .string($0) }
        let answer = try await client.post("/v3/schedules", JSONValue.object(body).bytes)
        guard let new: NewScheduleAnswer = try options.read(answer) else { return }
        printLine("Schedule \(new.scheduleID): \(try ScheduleTrigger(json: .object(trigger)).timing).")
        printWarnings(new.warnings)
    }

    private var trigger: JSONObject {
        var trigger: JSONObject = [:]
        if let at {
            trigger["single"] = ["time": .string(at)]
        } else if let every {
            var period: JSONObject = [
                "start": .string(from ?? ""), "end": .string(to ?? ""), "time": .string(time ?? ""),
                "time_unit": .string(every.rawValue), "frequency": .number(frequency),
            ]
            period["point"] = on.map { .array($0.split(separator: ",").map { .string(String($0)) }) }
            trigger["periodical"] = .object(period)
        }
        trigger["zone"] = zone.map { .string($0) }
        return trigger
    }
}
