import ArgumentParser
import Foundation
import PosthornStack
import PushModel

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

    @Flag(help: "Print the service's response unchanged.")
    var json = false

    @OptionGroup var server: ServerOptions

    var path: String { "/v3/schedules/\(APIClient.encoded(id))" }

    /// Makes a call and, with --json, prints the response.
    ///
    /// - Returns: the response; nil if it was printed.
    func call(_ call: (APIClient, String) async throws -> APIClient.Answer) async throws -> JSONObject? {
        let answer = try await call(try server.client(), path).members
        guard json else { return answer }
        printLine(JSONValue.object(answer).text)
        return nil
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
            var schedules: [JSONValue] = []
            var page = 1
            var pages = 1
            while page <= pages {
                let answer = try await client.get("/v3/schedules?page=\(page)").members
                schedules += answer["schedules"]?.array ?? []
                pages = answer["total_pages"]?.integer.map { Int($0) } ?? 1
                page += 1
            }
            guard !json else { return printLine(JSONValue.array(schedules).text) }
            if schedules.isEmpty { printLine("There are no schedules with a time to come.") }
            for schedule in schedules.compactMap(\.object) {
                let state = schedule["enabled"]?.bool == false ? "paused  " : ""
                printLine("\(schedule.text("schedule_id"))  \(state)\(schedule.timing)  \(schedule.text("name"))")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one schedule.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            guard let schedule = try await options.call({ try await $0.get($1) }) else { return }
            printLine("Schedule  \(schedule.text("schedule_id"))")
            printLine("Name      \(schedule.text("name"))")
            printLine("State     \(schedule["enabled"]?.bool == false ? "paused" : "active")")
            printLine("When      \(schedule.timing)")
            printLine("Push      \(schedule["push"]?.text ?? "")")
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pauses a schedule; times that pass while it is paused are lost."
        )

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            let body: JSONValue = ["enabled": false]
            guard let schedule = try await options.call({ try await $0.put($1, body.bytes) }) else { return }
            printLine("'\(schedule.text("name"))' is paused.")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Resumes a paused schedule.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            let body: JSONValue = ["enabled": true]
            guard let schedule = try await options.call({ try await $0.put($1, body.bytes) }) else { return }
            printLine("'\(schedule.text("name"))' is active: \(schedule.timing).")
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Deletes a schedule and its history.")

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            guard try await options.call({ try await $0.delete($1) }) != nil else { return }
            printLine("Schedule \(options.id) is deleted.")
        }
    }

    struct Runs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a schedule's past runs and their results.",
            discussion: "Works for schedules that have ended, too. With --json, prints one line of JSON per run."
        )

        @OptionGroup var options: ScheduleOptions

        func run() async throws {
            let runs = try await options.server.client().get(options.path + "/msg_ids").members.strings("msgids")
            if runs.isEmpty, !options.json { printLine("It has not been due yet.") }
            for run in runs {
                printLine(options.json ? run : Self.line(try JSONValue(parsing: run).object ?? [:]))
            }
        }

        private static func line(_ run: JSONObject) -> String {
            let at = Date(timeIntervalSince1970: Double(run["ts"]?.integer ?? 0) / 1000).formatted(.iso8601)
            let error = run["error"]?.object
            guard let code = error?["code"]?.integer, code != 0 else { return "\(at)  msg_id \(run.text("msg_id"))" }
            return "\(at)  not sent: \(code) \(error?["message"]?.string ?? "")"
        }
    }
}

extension JSONObject {
    /// Returns the text of a member as it is printed; empty if there is none.
    func text(_ key: String) -> String { self[key]?.string?.printed ?? "" }

    /// A description of the times at which a schedule fires.
    var timing: String {
        let trigger = self["trigger"]?.object ?? [:]
        let zone = trigger["zone"]?.string.map { " \($0)" } ?? ""
        if let single = trigger["single"]?.object { return "once at \(single.text("time"))\(zone)" }
        guard let period = trigger["periodical"]?.object else { return "never" }
        let frequency = period["frequency"]?.integer ?? 1
        let unit = period.text("time_unit").lowercased()
        let points = period.strings("point")
        let every = frequency == 1 ? "every \(unit)" : "every \(frequency) \(unit)s"
        let days = points.isEmpty ? "" : " on \(points.joined(separator: ", "))"
        let span = "from \(period.text("start")) to \(period.text("end"))"
        return "\(every)\(days) at \(period.text("time"))\(zone), \(span)"
    }
}
