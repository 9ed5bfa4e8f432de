import ArgumentParser
import PosthornStack
import PushModel

// The commands that control a running device: each sends one `DeviceOrder`.

/// The running device and the app that an order is for.
struct DeviceName: ParsableArguments {
    @Option(name: .customLong("name"), help: "The --name that the running device was started with.")
    var device = "iPhone"

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp(
            "The app's bundle id; the device's first app if not given.",
            valueName: "id"
        )
    )
    var app: String?

    @Flag(help: "Print the result as one line of JSON, as 'screen' and other requests always do.")
    var json = false

    /// Sends the order and prints the requested content, or what was done.
    ///
    /// * `words`: the order as it was written on the command line.
    func send(_ order: DeviceOrder, as words: String?...) async throws {
        switch try await reply(to: order) {
        case .content(let text): printLine(text)
        case .done(let isSettled): printDone(words.compactMap(\.self).joined(separator: " "), isSettled)
        }
    }

    /// Returns the device's reply. With --json, a refusal is printed, and the command fails without another message.
    private func reply(to order: DeviceOrder) async throws -> DeviceOrderReply {
        do {
            return try await DeviceControl.send(order, for: app, to: device)
        } catch let problem as DeviceOrderProblem where json {
            printResult(["done": false, "reason": .string(problem.description)])
            throw ExitCode.failure
        }
    }

    private func printDone(_ order: String, _ isSettled: Bool) {
        guard !json else {
            return printResult(["done": true, "order": .string(order), "settled": .bool(isSettled)])
        }
        printLine(isSettled ? "done: \(order)" : "done: \(order); an app has not taken its event yet")
    }

    private func printResult(_ result: JSONValue) { printLine(result.text) }
}

extension DeviceCommand {
    struct Tap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "tap", abstract: "Taps a notification.")
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.tap(id: id), as: "tap", id) }
    }

    struct LongPress: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "long-press",
            abstract: "Expands a notification and prints its buttons."
        )
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.longPress(id: id), as: "long-press", id) }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "dismiss", abstract: "Swipes a notification away.")
        @Argument(help: "The notification's id, as 'screen' shows it; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.dismiss(id: id), as: "dismiss", id) }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Clears the notification centre."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.clear, as: "clear") }
    }

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "open", abstract: "Taps the app's icon.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.open, as: "open") }
    }

    struct Background: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "background",
            abstract: "Returns to the home screen."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.background, as: "background") }
    }

    struct Kill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "kill",
            abstract: "Swipes the app away; no push wakes it until it is opened."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.kill, as: "kill") }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "lock", abstract: "Locks the device.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.lock, as: "lock") }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlocks the device.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.unlock, as: "unlock") }
    }

    struct Reboot: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reboot",
            abstract: "Restarts the device."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.reboot, as: "reboot") }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Accepts the prompt on the screen, or turns the app's notifications on."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.allow, as: "allow") }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Declines the prompt on the screen, or turns the app's notifications off."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.deny, as: "deny") }
    }

    struct TapAlert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tap-alert",
            abstract: "Taps a button of the alert on the screen."
        )
        @Argument(help: "The title of the button, as 'screen' shows it.") var button: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.tapAlert(button: button), as: "tap-alert", button) }
    }

    struct WriteInAlert: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "write-in-alert",
            abstract: "Replaces the text in a field of the alert on the screen."
        )
        @Argument(help: "The new text.") var text: String
        @Option(help: "The number of the field from the top, from 0.") var field = 0
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(.writeInAlert(text: text, field: field), as: "write-in-alert", text)
        }
    }

    struct ShowScreen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen",
            abstract: "Shows the screen as JSON."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.screen, as: "screen") }
    }

    struct Act: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "action",
            abstract: "Presses a button of a notification."
        )
        @Argument(help: "The button's identifier, as 'long-press' shows it.") var action: String
        @Argument(help: "The notification's id; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.action(action, id: id), as: "action", action, id) }
    }

    struct Reply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reply",
            abstract: "Replies to a notification."
        )
        @Argument(help: "The text of the reply.") var text: String
        @Argument(help: "The notification's id; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.reply(text: text, id: id), as: "reply", text, id) }
    }

    struct Clock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock",
            abstract: "Moves the device's clock forward: 'clock +1h', or 'clock next' for the next deadline."
        )
        @Argument(
            help: "+90s, +5m, +1h, +2d, 'next', 'firing' for the next local notification, or an ISO 8601 date."
        ) var time: String
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(OrderArgument.clock(time), as: "clock", time)
        }
    }

    struct Location: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "location",
            abstract: "Moves the device to another location."
        )
        @Argument(help: "Degrees: LATITUDE,LONGITUDE, such as 52.52,13.40.") var place: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(try OrderArgument.location(place), as: "location", place) }
    }

    struct LocationAccess: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "location-access",
            abstract: "Changes the app's access to the device's location."
        )
        @Argument(help: "never, ask, while-using or always.") var access: String
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(.locationAccess(try OrderArgument.access(access)), as: "location-access", access)
        }
    }

    struct PlayPause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play-pause",
            abstract: "Presses the media button of the expanded notification."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.playPause, as: "play-pause") }
    }

    struct Summary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "summary",
            abstract: "Sets the scheduled summary: 'summary on' for the app, 'summary 8:00 18:00' for its times."
        )
        @Argument(help: "on, off, or times of day; without any, the summary has no times.") var words: [String] = []
        @OptionGroup var name: DeviceName
        func run() async throws {
            let order: DeviceOrder =
                switch words {
                case ["on"], ["off"]: .summarize(words == ["on"])
                default: .summary(times: try words.map(OrderArgument.timeOfDay))
                }
            try await name.send(order, as: "summary", words.joined(separator: " "))
        }
    }

    struct Focus: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "focus",
            abstract: "Turns on a Focus, such as 'Do Not Disturb' or one with a name of your own; 'off' ends it."
        )
        @Argument(help: "The name of the Focus, or 'off'.") var focus: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.focus(focus == "off" ? "" : focus), as: "focus", focus) }
    }

    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Changes the notification settings of the app, as 'settings sounds=off previews=never'.",
            discussion: """
                sounds, badges and banners are on or off; previews is always, whenUnlocked or never; grouping is automatic, \
                byApp or off.
                """
        )
        @Argument(help: "Settings as name=value.") var changes: [String]
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(
                .settings(try OrderArgument.settings(changes)),
                as: "settings",
                changes.joined(separator: " ")
            )
        }
    }

    struct Language: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "language",
            abstract: "Changes the device's language."
        )
        @Argument(help: "A tag such as de or zh-Hans.") var language: String
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(.language(try OrderArgument.language(language)), as: "language", language)
        }
    }

    struct OpenURL: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open-url",
            abstract: "Opens a URL in the app that handles its scheme."
        )
        @Argument(help: "The URL, such as myapp://news/1.") var url: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.openURL(try OrderArgument.url(url)), as: "open-url", url) }
    }

    struct Zone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "time-zone",
            abstract: "Changes the device's time zone."
        )
        @Argument(help: "An IANA time zone, such as Europe/Berlin.") var zone: String
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(.timeZone(try OrderArgument.timeZone(zone)), as: "time-zone", zone)
        }
    }

    struct Network: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "network",
            abstract: "Turns the network on or off."
        )
        @Argument(help: "on or off.") var state: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.network(try OrderArgument.isOn(state)), as: "network", state) }
    }

    struct Local: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Manages the app's local notifications.",
            subcommands: [Add.self, List.self, Remove.self]
        )

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Schedules a local notification; replaces one with the same identifier."
            )
            @Argument(help: "The notification's identifier.") var identifier: String
            @Option(help: "Date components such as 'weekday=2 hour=8', or interval=SECONDS; immediately if not given.")
            var trigger = ""
            @Option(
                help: ArgumentHelp(
                    "The place that fires it, such as 52.52,13.40,200: degrees, and a radius in metres (100 if not given).",
                    discussion: "The app needs location access: 'posthorn device location-access while-using'.",
                    valueName: "latitude,longitude[,radius]"
                )
            )
            var atPlace: String?
            @Flag(help: "Fire when the device leaves the place.") var onExit = false
            @Flag(help: "Repeat it.") var repeats = false
            @Option(help: "The title.") var title = ""
            @Option(help: "The text.") var body: String
            @OptionGroup var name: DeviceName

            func validate() throws {
                guard trigger.isEmpty || atPlace == nil else {
                    throw ValidationError("A notification has one trigger: --trigger or --at-place.")
                }
                guard !onExit || atPlace != nil else { throw ValidationError("--on-exit goes with --at-place.") }
            }

            func run() async throws {
                let notification = DeviceOrder.LocalNotification(
                    identifier: identifier,
                    trigger: trigger,
                    place: try atPlace.map { try OrderArgument.place($0, isExit: onExit) },
                    repeats: repeats,
                    title: title,
                    body: body
                )
                try await name.send(.addLocal(notification), as: "local add", identifier)
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Lists pending notifications as JSON, the next to fire first."
            )
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.listLocal, as: "local list") }
        }

        struct Remove: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Removes a pending notification.")
            @Argument(help: "The notification's identifier.") var identifier: String
            @OptionGroup var name: DeviceName
            func run() async throws {
                try await name.send(.removeLocal(id: identifier), as: "local remove", identifier)
            }
        }
    }
}
