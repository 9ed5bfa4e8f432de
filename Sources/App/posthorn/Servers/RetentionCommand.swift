import ArgumentParser
import PushModel
import PushService

struct RetentionCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract: "Counts what a running service would delete, by its own or by other periods.",
        discussion: """
            The service deletes expired data every hour, by the settings retention.*. This command deletes nothing: it shows \
            what a period would do before it is set.
            """
    )

    @Flag(help: "Count, and delete nothing. Required.") var dryRun = false

    @Option(help: "Days for which a push is kept after its last delivery; the service's setting if not given.")
    var messages: Int?

    @Option(help: "Days for which a schedule is kept after its end.") var schedules: Int?
    @Option(help: "Days for which a device is kept after it was last seen; 255 or more.") var devices: Int?
    @Option(help: "Days for which user counts are kept; 62 or more.") var users: Int?
    @OptionGroup var options: OperatorOptions

    func validate() throws {
        try require(dryRun, "The service deletes expired data itself, every hour. --dry-run counts it.")
    }

    var request: OperatorRequest {
        .retentionPreview(
            messages: messages,
            schedules: schedules,
            devices: devices,
            users: users
        )
    }

    func tell(_ answer: RetentionAnswer) {
        for (rows, noun, plural) in [
            (answer.pushes, "push", "pushes"), (answer.schedules, "schedule", "schedules"),
            (answer.devices, "device", "devices"), (answer.users, "count of users", "counts of users"),
        ] {
            printLine("\(rows.count) \(rows.count == 1 ? noun : plural) due after \(counted(rows.days, "day"))")
        }
    }
}
