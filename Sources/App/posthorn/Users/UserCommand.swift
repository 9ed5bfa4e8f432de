import ArgumentParser
import Foundation
import PosthornStack
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

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Creates a user.")

        @Argument(help: "The name: 1 to 64 letters, digits, '.', '_', '-' and '@'.") var name: String
        @Option(help: "The role: viewer, sender or admin.") var role = Role.viewer
        @OptionGroup var password: UserPassword
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let password = try password.read(isNeeded: true) else {
                throw ValidationError("A password is missing: use --password-file, or set POSTHORN_PASSWORD.")
            }
            let user = OperatorRequest.userCreate(name: name, role: role, password: password)
            guard let user: UserAnswer = try await options.answer(user, creates: true) else { return }
            printLine("\(user.name) can sign in as \(user.role).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists all users.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let list: UserListAnswer = try await options.answer(.userList) else { return }
            if list.users.isEmpty { printLine("There are no users yet; 'posthorn user create' makes one.") }
            for user in list.users {
                printLine("\(user.role.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0))\(user.name)")
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Changes the role or the password of a user.",
            discussion: "Without --role and --password-file, the new password comes from POSTHORN_PASSWORD or a prompt."
        )

        @Argument(help: "The user's name.") var name: String
        @Option(help: "The new role: viewer, sender or admin.") var role: Role?
        @OptionGroup var password: UserPassword
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let password = try password.read(isNeeded: role == nil)
            guard role != nil || password != nil else {
                throw ValidationError("Nothing is to be changed: give --role, --password-file or POSTHORN_PASSWORD.")
            }
            let change = OperatorRequest.userSet(name: name, role: role, password: password)
            guard let user: UserAnswer = try await options.answer(change) else { return }
            printLine("\(name) is changed: \(user.role).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a user, whose sessions end."
        )

        @Argument(help: "The user's name.") var name: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let user: UserAnswer = try await options.answer(.userRemove(name: name)) else { return }
            printLine("\(user.name) can no longer sign in.")
        }
    }
}

extension Role: ExpressibleByArgument {}

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows who changed what, the newest change first.",
        discussion: "Changes by commands, by operators and by users of the portal, also those that were refused."
    )

    @Option(help: "The greatest number of entries: 1 to 1000.") var limit = 100
    @Option(help: "The id of an entry; shows those before it.") var before: Int64?
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        guard let log: AuditAnswer = try await options.answer(.auditList(before: before, limit: limit)) else { return }
        if log.entries.isEmpty { printLine("Nothing was changed yet.") }
        // Texts of callers are in it.
        for entry in log.entries { printLine(Self.line(entry).printed) }
    }

    private static func line(_ entry: AuditAnswer.Entry) -> String {
        let zone = ServiceTimes.ofOperators
        let actor = entry.actor + (entry.address.map { " from \($0)" } ?? "")
        let times = entry.lastAt.map { " \(entry.count) times until \(zone.text($0))" } ?? ""
        let detail = (entry.ok ? "" : "refused\(times): ") + (entry.detail ?? "")
        return [zone.text(entry.at), actor, entry.action, entry.subject ?? "", detail].filter { !$0.isEmpty }
            .joined(separator: "  ")
    }
}
