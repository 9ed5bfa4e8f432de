import ArgumentParser
import Foundation
import PushModel
import PushService

/// The users of the portal.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manages the users of the portal.",
        discussion: """
            A viewer reads. A sender also sends pushes and changes schedules and devices. An admin does everything. Passwords \
            have 10 characters or more and come from --password-file, POSTHORN_PASSWORD or a prompt.
            """,
        subcommands: [Create.self, List.self, Set.self, Remove.self]
    )

    struct Create: OperatorCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates a user.")

        @Argument(help: "The name: 1 to 64 letters, digits, '.', '_', '-' and '@'.") var name: String
        @Option(help: "The role: viewer, sender or admin.") var role = Role.viewer
        @OptionGroup var password: UserPassword
        @OptionGroup var options: OperatorOptions

        static let createsFolder = true

        var request: OperatorRequest {
            get throws {
                guard let password = try password.read(isNeeded: true) else {
                    throw ValidationError("A password is missing: use --password-file, or set POSTHORN_PASSWORD.")
                }
                return .userCreate(name: name, role: role, password: password)
            }
        }

        func tell(_ user: UserAnswer) { printLine("\(user.name) can sign in as \(user.role).") }
    }

    struct List: OperatorCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all users.")

        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .userList }

        func tell(_ list: UserListAnswer) {
            if list.users.isEmpty { printLine("There are no users yet; 'posthorn user create' makes one.") }
            for user in list.users {
                printLine("\(user.role.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0))\(user.name)")
            }
        }
    }

    struct Set: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Changes the role or the password of a user.",
            discussion: "Without --role and --password-file, the new password comes from POSTHORN_PASSWORD or a prompt."
        )

        @Argument(help: "The user's name.") var name: String
        @Option(help: "The new role: viewer, sender or admin.") var role: Role?
        @OptionGroup var password: UserPassword
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest {
            get throws {
                let password = try password.read(isNeeded: role == nil)
                try require(
                    role != nil || password != nil,
                    "Nothing is to be changed: give --role, --password-file or POSTHORN_PASSWORD."
                )
                return .userSet(name: name, role: role, password: password)
            }
        }

        func tell(_ user: UserAnswer) { printLine("\(name) is changed: \(user.role).") }
    }

    struct Remove: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a user, whose sessions end."
        )

        @Argument(help: "The user's name.") var name: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .userRemove(name: name) }

        func tell(_ user: UserAnswer) { printLine("\(user.name) can no longer sign in.") }
    }
}

extension Role: ExpressibleByArgument {}

struct AuditCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows who changed what, the newest change first.",
        discussion: "Changes by commands, by operators and by users of the portal, also those that were refused."
    )

    @Option(help: "The greatest number of entries: 1 to 1000.") var limit = 100
    @Option(help: "The id of an entry; shows those before it.") var before: Int64?
    @OptionGroup var options: OperatorOptions

    var request: OperatorRequest { .auditList(before: before, limit: limit) }

    func tell(_ log: AuditAnswer) {
        if log.entries.isEmpty { printLine("Nothing was changed yet.") }
        // Texts of callers are in it.
        for entry in log.entries { printLine(Self.line(entry).printed) }
    }

    private static func line(_ entry: AuditEntry) -> String {
        let zone = ServiceTimes.ofOperators
        let actor = entry.actor.name + (entry.actor.address.map { " from \($0)" } ?? "")
        let times = entry.lastAt.map { " \(entry.count) times until \(zone.text($0))" } ?? ""
        let detail = (entry.isDone ? "" : "refused\(times): ") + (entry.detail ?? "")
        return [zone.text(entry.at), actor, entry.action, entry.subject ?? "", detail].filter { !$0.isEmpty }
            .joined(separator: "  ")
    }
}
