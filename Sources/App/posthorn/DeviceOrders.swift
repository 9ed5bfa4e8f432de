import ArgumentParser
import PosthornStack

// What a person does to a running device: each command is one order, in the words of `DeviceOrder`.

/// Which running device an order is for.
struct DeviceName: ParsableArguments {
    @Option(name: .customLong("name"), help: "The name under which the device was switched on.")
    var device = "iPhone"

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "The bundle id of the app that is meant; the device's first one if not given.",
            valueName: "id"
        )
    )
    var app: String?

    /// Sends the order and prints what the device says.
    func send(_ words: [String]) async throws {
        let order: DeviceOrder
        do { order = try DeviceOrder(words) } catch { throw ValidationError(error.description) }
        printLine(try await DeviceControl.send(order, for: app, to: device))
    }
}

extension DeviceCommand {
    struct Tap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "tap", abstract: "Tap a notification.")
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["tap"] + [id].compactMap(\.self)) }
    }

    struct LongPress: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "long-press",
            abstract: "Open a notification up; prints its buttons."
        )
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["long-press"] + [id].compactMap(\.self)) }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "dismiss", abstract: "Swipe a notification away.")
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["dismiss"] + [id].compactMap(\.self)) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Clear the notification centre."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["clear"]) }
    }

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "open", abstract: "Tap the app's icon.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["open"]) }
    }

    struct Background: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "background",
            abstract: "Go back to the home screen."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["background"]) }
    }

    struct Kill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "kill",
            abstract: "Swipe the app away: no push wakes it until it is opened."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["kill"]) }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "lock", abstract: "Lock the device.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["lock"]) }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock the device.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["unlock"]) }
    }

    struct Reboot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reboot",
            abstract: "Switch the device off and on again."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["reboot"]) }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Answer the question on the screen with yes, or switch the app's notifications on."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["allow"]) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Answer the question on the screen with no, or switch the app's notifications off."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["deny"]) }
    }

    struct ShowScreen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen",
            abstract: "What is on the screen, as JSON."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["screen"]) }
    }

    struct Act: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "action",
            abstract: "Press a button of a notification."
        )
        @Argument(help: "The button's identifier, as 'long-press' shows it.") var action: String
        @Argument(help: "The notification's id; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["action", action] + [id].compactMap(\.self)) }
    }

    struct Reply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reply",
            abstract: "Write a reply into a notification."
        )
        @Argument(help: "What is written.") var text: String
        @Argument(help: "The notification's id; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["reply", text] + [id].compactMap(\.self)) }
    }

    struct Clock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock",
            abstract: "Turn the device's clock forward: 'clock +1h', or 'clock next' to where something falls due."
        )
        @Argument(help: "+90s, +5m, +1h, +2d, or 'next'.") var time: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["clock", time]) }
    }

    struct Location: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "location",
            abstract: "Carry the device to another place."
        )
        @Argument(help: "Degrees: LATITUDE,LONGITUDE, such as 52.52,13.40.") var place: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["location", place]) }
    }

    struct LocationAccess: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "location-access",
            abstract: "Change what the app may know of the device's place."
        )
        @Argument(help: "never, ask, while-using or always.") var access: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["location-access", access]) }
    }

    struct PlayPause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play-pause",
            abstract: "Press the media button of the notification that is opened up."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["play-pause"]) }
    }

    struct Summary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "summary",
            abstract: "The scheduled summary: 'summary on' for the app, 'summary 8:00 18:00' for its times."
        )
        @Argument(help: "on, off, or times of the day; nothing for no times.") var words: [String] = []
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["summary"] + words) }
    }

    struct Language: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "language",
            abstract: "Change the device's language."
        )
        @Argument(help: "A tag such as de or zh-Hans.") var language: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["language", language]) }
    }

    struct OpenURL: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open-url",
            abstract: "Follow a link into the app that has its scheme."
        )
        @Argument(help: "Such as myapp://news/1.") var url: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["open-url", url]) }
    }

    struct Zone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "time-zone",
            abstract: "Change the device's time zone."
        )
        @Argument(help: "A zone of the IANA database, such as Europe/Berlin.") var zone: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["time-zone", zone]) }
    }

    struct Network: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "network",
            abstract: "Switch the network on or off."
        )
        @Argument(help: "on or off.") var state: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["network", state]) }
    }

    struct Local: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The app's local notifications.",
            subcommands: [Add.self, List.self, Remove.self]
        )

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Schedule one in the app's name; one with the same identifier is replaced."
            )
            @Argument(help: "Its identifier.") var identifier: String
            @Option(help: "Components such as 'weekday=2 hour=8', or interval=SECONDS; at once if not given.")
            var trigger = ""
            @Flag(help: "It repeats.") var repeats = false
            @Option(help: "Its title.") var title = ""
            @Option(help: "What it says.") var body: String
            @OptionGroup var name: DeviceName
            func run() async throws {
                try await name.send(["local", "add", identifier, trigger, repeats ? "repeats" : "once", title, body])
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Those that wait, as JSON, the next to fire first."
            )
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(["local", "list"]) }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Remove one that waits.")
            @Argument(help: "Its identifier.") var identifier: String
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(["local", "remove", identifier]) }
        }
    }
}
