import ArgumentParser
import PosthornStack

// The commands for the Live Activities of a running device.

/// The Live Activity that an order is for.
struct LiveActivityID: ParsableArguments {
    @Argument(help: "The activity's id, as 'screen' shows it; the most relevant activity if not given.")
    var id: String?
}

extension DeviceCommand {
    struct LiveActivity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "live-activity",
            abstract: "Touches and removes Live Activities, and switches them on or off.",
            subcommands: [Tap.self, Dismiss.self, Allow.self, FrequentUpdates.self]
        )

        struct Tap: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "tap",
                abstract: "Touches a Live Activity, which opens its app."
            )
            @OptionGroup var activity: LiveActivityID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.activity(.tap(id: activity.id)), as: "live-activity tap") }
        }

        struct Dismiss: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "dismiss",
                abstract: "Swipes a Live Activity off the lock screen, which ends it."
            )
            @OptionGroup var activity: LiveActivityID
            @OptionGroup var name: DeviceName
            func run() async throws {
                try await name.send(.activity(.dismiss(id: activity.id)), as: "live-activity dismiss")
            }
        }

        struct Allow: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "allow",
                abstract: "Turns 'Live Activities' of the app on or off; off, all of them end."
            )
            @Argument(help: "on or off.") var state: String
            @OptionGroup var name: DeviceName
            func run() async throws {
                let order = DeviceOrder.activity(.allow(try OrderArgument.isOn(state)))
                try await name.send(order, as: "live-activity allow", state)
            }
        }

        struct FrequentUpdates: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "frequent-updates",
                abstract: "Turns 'More Frequent Updates' of the app on or off."
            )
            @Argument(help: "on or off.") var state: String
            @OptionGroup var name: DeviceName
            func run() async throws {
                let order = DeviceOrder.activity(.allowFrequent(try OrderArgument.isOn(state)))
                try await name.send(order, as: "live-activity frequent-updates", state)
            }
        }
    }
}
