import ArgumentParser
import Foundation
import PosthornStack
import PushModel

struct AppSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Changes an app's push settings in a running service.",
        discussion: """
            posthorn app set --quiet-hours 22:00-07:00
            posthorn app set --quiet-hours 22:00-07:00 --quiet-zone Asia/Shanghai --allow-time-sensitive
            posthorn app set --no-quiet-hours

            A device receives no notifications during its quiet hours. A notification whose time to live lasts until they end is \
            sent then. A push overrides this with options.x_quiet_hours.
            """
    )

    @Option(help: ArgumentHelp("Start and end of the quiet hours, such as 22:00-07:00.", valueName: "times"))
    var quietHours: String?

    @Option(help: "The time zone of --quiet-hours, such as Asia/Shanghai; 'device' for each device's own.")
    var quietZone: String?

    @Flag(help: "Send time-sensitive and critical notifications during quiet hours too.")
    var allowTimeSensitive = false

    @Flag(help: "Remove the quiet hours.")
    var noQuietHours = false

    @Flag(help: "Print the service's response unchanged.")
    var json = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard (quietHours != nil) != noQuietHours else {
            throw ValidationError("Say what to set: --quiet-hours, or --no-quiet-hours.")
        }
        guard quietHours != nil || (quietZone == nil && !allowTimeSensitive) else {
            throw ValidationError("--quiet-zone and --allow-time-sensitive go with --quiet-hours.")
        }
        _ = try setting
    }

    func run() async throws {
        let answer = try await server.client().put("/posthorn/v1/app", try setting.bytes)
        guard answer.status == 200, let app = answer.json.object else { throw ServerRefusal(answer) }
        guard !json else { return printLine(answer.json.text) }
        let hours = try app["quiet_hours"].flatMap { $0 == .null ? nil : try QuietHours(json: $0, at: "quiet_hours") }
        printLine("\(app.text("name")) has \(hours.map { "quiet hours from \($0.words)" } ?? "no quiet hours").")
    }

    private var setting: JSONValue {
        get throws {
            guard let quietHours else { return ["quiet_hours": .null] }
            let times = quietHours.split(separator: "-", omittingEmptySubsequences: false)
            guard times.count == 2 else {
                throw ValidationError(
                    "--quiet-hours is '\(quietHours)'; expected two times of day, such as 22:00-07:00."
                )
            }
            let hours: JSONValue = [
                "from": .string(String(times[0])), "to": .string(String(times[1])),
                "zone": .string(quietZone ?? "device"), "allow_time_sensitive": .bool(allowTimeSensitive),
            ]
            do { _ = try QuietHours(json: hours, at: "--quiet-hours") } catch {
                throw ValidationError(error.message)
            }
            return ["quiet_hours": hours]
        }
    }
}

extension QuietHours {
    /// The quiet hours as text: `22:00 to 07:00, in each device's zone`.
    var words: String {
        let object = json.object ?? [:]
        let place = if case .named(let name) = zone { "in \(name)" } else { "in each device's zone" }
        let exception = allowsTimeSensitive ? ", but for time-sensitive notifications" : ""
        return "\(object.text("from")) to \(object.text("to")), \(place)\(exception)"
    }
}
