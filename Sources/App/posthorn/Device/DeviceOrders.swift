import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import SystemPort

// The commands that control a running device: each sends one `DeviceOrder`.

/// The running device and the app that an order is for.
struct DeviceName: ParsableArguments {
    @Option(name: .customLong("name"), help: "The --name that the running device was started with.")
    var device = "iPhone"

    @Option(help: .id("The app's bundle id; the device's first app if not given.")) var app: String?

    @Flag(help: "Print the result as one line of JSON, as 'screen' and other requests always do.") var json = false

    /// Carries out orders in this process, in place of a running device with the name.
    @TaskLocal static var performer: Performer?

    /// A closure in a struct: of a task-local closure a release build looks up the type at run time, and does not find it (Swift 6.3).
    struct Performer: Sendable {
        let perform: @Sendable (DeviceOrder, _ app: String?, _ name: String) async throws -> DeviceOrderReply
    }

    /// Sends the order and prints the requested content, or the words of the command line that made it.
    func send(_ order: DeviceOrder, as words: String?...) async throws {
        switch try await reply(to: order) {
        case .content(let text): printLine(text)
        case .done(let isSettled): printDone(words.compactMap(\.self).joined(separator: " "), isSettled)
        }
    }

    /// Returns the device's reply. With --json, a refusal is printed, and the command fails without another message.
    private func reply(to order: DeviceOrder) async throws -> DeviceOrderReply {
        do {
            if let performer = Self.performer { return try await performer.perform(order, app, device) }
            return try await DeviceControl.send(order, for: app, to: device)
        } catch let problem as DeviceOrderProblem where json {
            printJSON(["done": false, "reason": problem.description])
            throw ExitCode.failure
        }
    }

    private func printDone(_ order: String, _ isSettled: Bool) {
        guard !json else { return printJSON(["done": true, "order": order, "settled": isSettled]) }
        printLine(isSettled ? "done: \(order)" : "done: \(order); an app has not taken its event yet")
    }
}

// MARK: Orders without an argument

extension DeviceCommand {
    enum Clear: OrderWords { static let form = OrderForm("clear", "Clears the notification centre.") { .clear } }
    enum Open: OrderWords { static let form = OrderForm("open", "Taps the app's icon.") { .open } }
    enum Background: OrderWords {
        static let form = OrderForm("background", "Returns to the home screen.") { .background }
    }
    enum Kill: OrderWords {
        static let form = OrderForm("kill", "Swipes the app away; no push wakes it until it is opened.") { .kill }
    }
    enum Lock: OrderWords { static let form = OrderForm("lock", "Locks the device.") { .lock } }
    enum Unlock: OrderWords { static let form = OrderForm("unlock", "Unlocks the device.") { .unlock } }
    enum Reboot: OrderWords { static let form = OrderForm("reboot", "Restarts the device.") { .reboot } }
    enum Allow: OrderWords {
        static let form = OrderForm("allow", "Accepts the prompt on the screen, or turns the app's notifications on.") {
            .allow
        }
    }
    enum Deny: OrderWords {
        static let form = OrderForm("deny", "Declines the prompt on the screen, or turns the app's notifications off.")
        {
            .deny
        }
    }
    enum ShowScreen: OrderWords { static let form = OrderForm("screen", "Shows the screen as JSON.") { .screen } }
    enum PlayPause: OrderWords {
        static let form = OrderForm("play-pause", "Presses the media button of the expanded notification.") {
            .playPause
        }
    }
    enum MemoryWarning: OrderWords {
        static let form = OrderForm("memory-warning", "Warns the running apps that the device is short of memory.") {
            .memoryWarning
        }
    }
    enum BackgroundFetch: OrderWords {
        static let form = OrderForm("background-fetch", "Lets the app fetch in the background now.") {
            .backgroundFetch
        }
    }
}

// MARK: Orders about a notification

extension DeviceCommand {
    enum Tap: OrderWords { static let form = OrderForm.notification("tap", "Taps a notification.") { .tap(id: $0) } }
    enum LongPress: OrderWords {
        static let form = OrderForm.notification("long-press", "Expands a notification and prints its buttons.") {
            .longPress(id: $0)
        }
    }
    enum Dismiss: OrderWords {
        static let form = OrderForm.notification("dismiss", "Swipes a notification away.") { .dismiss(id: $0) }
    }
}

extension OrderForm<String?> {
    /// The form of an order about a notification on the screen.
    static func notification(
        _ words: String,
        _ abstract: String,
        order: @escaping @Sendable (String?) -> DeviceOrder
    ) -> Self {
        let help = "The notification's id, as 'screen' shows it; the newest one if not given."
        return OrderForm(words, abstract, argument: "id", help: help, order: order)
    }
}

// MARK: Orders with one argument

extension DeviceCommand {
    enum TapAlert: OrderWords {
        static let form = OrderForm(
            "tap-alert",
            "Taps a button of the alert on the screen.",
            argument: "button",
            help: "The title of the button, as 'screen' shows it."
        ) { .tapAlert(button: $0) }
    }
    enum Clock: OrderWords {
        static let form = OrderForm(
            "clock",
            "Moves the device's clock forward: 'clock +1h', or 'clock next' for the next deadline.",
            argument: "time",
            help: "+90s, +5m, +1h, +2d, 'next', 'firing' for the next local notification, or an ISO 8601 date."
        ) {
            try OrderArgument.clock($0)
        }
    }
    enum Location: OrderWords {
        static let form = OrderForm(
            "location",
            "Moves the device to another location.",
            argument: "place",
            help: "Degrees: LATITUDE,LONGITUDE, such as 52.52,13.40."
        ) { try OrderArgument.location($0) }
    }
    enum LocationAccess: OrderWords {
        static let form = OrderForm(
            "location-access",
            "Changes the app's access to the device's location.",
            argument: "access",
            help: "never, ask, while-using or always."
        ) { .locationAccess(try OrderArgument.access($0)) }
    }
    enum Focus: OrderWords {
        static let form = OrderForm(
            "focus",
            "Turns on a Focus, such as 'Do Not Disturb' or one with a name of your own; 'off' ends it.",
            argument: "focus",
            help: "The name of the Focus, or 'off'."
        ) { .focus($0 == "off" ? "" : $0) }
    }
    enum Language: OrderWords {
        static let form = OrderForm(
            "language",
            "Changes the device's language.",
            argument: "language",
            help: "A tag such as de or zh-Hans."
        ) { .language($0) }
    }
    enum Storefront: OrderWords {
        static let form = OrderForm(
            "storefront",
            "Changes the country of the device's App Store, which its language and region do not change.",
            argument: "country",
            help: "Three capital letters, such as CHN or USA."
        ) { .storefront(try OrderArgument.storefront($0)) }
    }
    enum OpenURL: OrderWords {
        static let form = OrderForm(
            "open-url",
            "Opens a URL in the app that handles its scheme.",
            argument: "url",
            help: "The URL, such as myapp://news/1."
        ) { .openURL(try OrderArgument.url($0)) }
    }
    enum Zone: OrderWords {
        static let form = OrderForm(
            "time-zone",
            "Changes the device's time zone.",
            argument: "zone",
            help: "An IANA time zone, such as Europe/Berlin."
        ) { .timeZone(try OrderArgument.timeZone($0)) }
    }
    enum Network: OrderWords {
        static let form = OrderForm(
            "network",
            "Turns the network on or off.",
            argument: "state",
            help: "on or off."
        ) { .network(try OrderArgument.isOn($0)) }
    }
    enum PreciseLocation: OrderWords {
        static let form = OrderForm(
            "precise-location",
            "Turns 'Precise Location' of the app on or off (iOS 14 and later).",
            argument: "state",
            help: "on or off."
        ) { .preciseLocation(try OrderArgument.isOn($0)) }
    }
    enum Shortcut: OrderWords {
        static let form = OrderForm(
            "shortcut",
            "Chooses a quick action of the app's icon.",
            argument: "type",
            help: "The type of the quick action, such as com.example.app.search."
        ) { .shortcut($0) }
    }
    enum FinishSession: OrderWords {
        static let form = OrderForm(
            "finish-session",
            "Finishes the transfers of a background URL session: the app handles its events.",
            argument: "identifier",
            help: "The identifier of the session."
        ) { .finishSession(id: $0) }
    }
}

// MARK: Orders with more arguments

extension DeviceCommand {
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
        static let configuration = CommandConfiguration(commandName: "reply", abstract: "Replies to a notification.")
        @Argument(help: "The text of the reply.") var text: String
        @Argument(help: "The notification's id; the newest one if not given.") var id: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(.reply(text: text, id: id), as: "reply", text, id) }
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

    struct Local: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "local",
            abstract: "Manages the app's local notifications.",
            subcommands: [Add.self, NoArgument<List>.self, OneArgument<Remove>.self]
        )

        struct Add: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
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
                try require(
                    trigger.isEmpty || atPlace == nil,
                    "A notification has one trigger: --trigger or --at-place."
                )
                try require(!onExit || atPlace != nil, "--on-exit goes with --at-place.")
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

        enum List: OrderWords {
            static let form = OrderForm("local list", "Lists pending notifications as JSON, the next to fire first.") {
                .listLocal
            }
        }

        enum Remove: OrderWords {
            static let form = OrderForm(
                "local remove",
                "Removes a pending notification.",
                argument: "identifier",
                help: "The notification's identifier."
            ) { .removeLocal(id: $0) }
        }
    }
}

// The commands about what a running device notices, and about what the system does with its apps.

extension DeviceCommand {
    struct Turn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "turn",
            abstract: "Turns the device: the heading of apps that follow it."
        )
        @Argument(help: "The direction of its top, in degrees clockwise from north.") var degrees: Double
        @OptionGroup var name: DeviceName

        func validate() throws {
            try require(degrees.isFinite, "'turn' takes degrees, such as 90; found '\(degrees)'.")
        }

        func run() async throws { try await name.send(.turn(degrees: degrees), as: "turn", "\(degrees)") }
    }

    struct Beacons: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "beacons",
            abstract: "Sets the Bluetooth beacons near the device; without arguments there are none.",
            discussion: """
                A beacon is UUID,MAJOR,MINOR,METRES, such as E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,7,1,2.5. The device hears it \
                within 70 m. The beacons replace those of the last order.
                """
        )
        @Argument(help: ArgumentHelp("The beacons.", valueName: "uuid,major,minor,metres")) var beacons: [String] = []
        @OptionGroup var name: DeviceName
        func run() async throws {
            try await name.send(
                .beacons(try beacons.map(OrderArgument.beacon)),
                as: "beacons",
                beacons.joined(separator: " ")
            )
        }
    }

    struct HandOff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hand-off",
            abstract: "Continues an activity of another device in the app.",
            discussion: """
                The app declares the type in NSUserActivityTypes. A universal link is an activity too: \
                'posthorn device open-url https://…' opens it.
                """
        )
        @Argument(help: "The type of the activity, such as com.example.app.reading.") var type: String
        @Option(help: "The title of the activity.") var title: String?
        @Option(help: "The web page of the activity.") var url: String?
        @Option(help: .pair("A part of the activity's userInfo, a text. May be repeated."))
        var userInfo: [String] = []
        @Flag(help: "The activity's data does not arrive: the app hears of the failure.") var fails = false
        @OptionGroup var name: DeviceName

        func validate() throws {
            try require(
                !fails || (title == nil && url == nil && userInfo.isEmpty),
                "An activity that --fails has no --title, --url and --user-info."
            )
        }

        func run() async throws {
            guard !fails else { return try await name.send(.failHandOff(type: type), as: "hand-off", type) }
            let activity = ActivityRecord(
                type: type,
                title: title,
                webpageURL: try url.map { try OrderArgument.url($0, of: "--url").absoluteString },
                userInfo: try OrderArgument.userInfo(userInfo)
            )
            try await name.send(.handOff(activity), as: "hand-off", type)
        }
    }
}
