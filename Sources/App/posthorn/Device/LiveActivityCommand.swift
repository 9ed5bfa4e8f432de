import ArgumentParser
import PosthornStack

// The commands for the Live Activities of a running device.

extension DeviceCommand {
    struct LiveActivity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Touches and removes Live Activities, and switches them on or off.",
            subcommands: [
                OptionalID<Tap>.self, OptionalID<Dismiss>.self, OneArgument<Allow>.self,
                OneArgument<FrequentUpdates>.self,
            ]
        )

        enum Tap: OrderWords {
            static let form = OrderForm.activity("tap", "Touches a Live Activity, which opens its app.") {
                .tap(id: $0)
            }
        }

        enum Dismiss: OrderWords {
            static let form = OrderForm.activity(
                "dismiss",
                "Swipes a Live Activity off the lock screen, which ends it."
            ) { .dismiss(id: $0) }
        }

        enum Allow: OrderWords {
            static let form = OrderForm(
                "live-activity allow",
                "Turns 'Live Activities' of the app on or off; off, all of them end.",
                argument: "state",
                help: "on or off."
            ) { .activity(.allow(try OrderArgument.isOn($0))) }
        }

        enum FrequentUpdates: OrderWords {
            static let form = OrderForm(
                "live-activity frequent-updates",
                "Turns 'More Frequent Updates' of the app on or off.",
                argument: "state",
                help: "on or off."
            ) { .activity(.allowFrequent(try OrderArgument.isOn($0))) }
        }
    }
}

extension OrderForm<String?> {
    /// The form of an order about a Live Activity on the screen.
    fileprivate static func activity(
        _ name: String,
        _ abstract: String,
        order: @escaping @Sendable (String?) -> ActivityOrder
    ) -> Self {
        let help = "The activity's id, as 'screen' shows it; the most relevant activity if not given."
        return Self("live-activity \(name)", abstract, argument: "id", help: help) { .activity(order($0)) }
    }
}
