import ArgumentParser
import Foundation
import PosthornStack

// The commands for the calls of a running device.

extension DeviceCommand {
    struct Call: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call",
            abstract: "Answers, declines and ends calls.",
            subcommands: [
                Answer.self, OptionalCall<Decline>.self, OptionalCall<HangUp>.self, OptionalCall<Mute>.self,
                OptionalCall<Unmute>.self, OptionalCall<Hold>.self, OptionalCall<Resume>.self, Keypad.self,
                NoArgument<Merge>.self,
            ]
        )

        struct Answer: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "answer",
                abstract: "Answers the ringing call; another call is put on hold."
            )
            @OptionGroup var call: CallID
            @Flag(help: "End the other call instead.") var endOthers = false
            @OptionGroup var name: DeviceName
            func run() async throws {
                try await name.send(.call(.answer(id: call.id, endsOthers: endOthers)), as: "call answer")
            }
        }

        enum Decline: OrderWords {
            static let form = OrderForm.call("decline", "Declines the ringing call.") { .decline(id: $0) }
        }
        enum HangUp: OrderWords { static let form = OrderForm.call("hang-up", "Ends a call.") { .hangUp(id: $0) } }
        enum Mute: OrderWords {
            static let form = OrderForm.call("mute", "Turns the microphone of a call off.") { .mute(true, id: $0) }
        }
        enum Unmute: OrderWords {
            static let form = OrderForm.call("unmute", "Turns the microphone of a call on.") { .mute(false, id: $0) }
        }
        enum Hold: OrderWords {
            static let form = OrderForm.call("hold", "Puts a call on hold.") { .hold(true, id: $0) }
        }
        enum Resume: OrderWords {
            static let form = OrderForm.call("resume", "Resumes a held call; another call is put on hold.") {
                .hold(false, id: $0)
            }
        }
        enum Merge: OrderWords {
            static let form = OrderForm("call merge", "Merges the held call into the other one.") { .call(.merge) }
        }

        struct Keypad: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "keypad",
                abstract: "Presses keys during a call."
            )
            @Argument(help: "The keys: 0 to 9, * and #.") var digits: String
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws {
                try await name.send(.call(.keypad(digits: digits, id: call.id)), as: "call keypad", digits)
            }
        }
    }
}

extension OrderForm<UUID?> {
    /// The form of an order about a call.
    fileprivate static func call(
        _ name: String,
        _ abstract: String,
        order: @escaping @Sendable (UUID?) -> CallOrder
    ) -> Self {
        Self("call \(name)", abstract, argument: "", help: "") { .call(order($0)) }
    }
}

/// The call that an order is for.
struct CallID: ParsableArguments {
    @Argument(
        help: "The call's id, as 'screen' shows it; the newest call that fits if not given.",
        transform: { text in
            guard let id = UUID(uuidString: text) else {
                throw ValidationError("'\(text)' is not the id of a call: a UUID was expected, as 'screen' shows it.")
            }
            return id
        }
    )
    var id: UUID?
}

/// The command of an order about a call.
struct OptionalCall<Words: OrderWords>: AsyncParsableCommand where Words.Argument == UUID? {
    static var configuration: CommandConfiguration { Words.form.configuration }
    @OptionGroup var call: CallID
    @OptionGroup var name: DeviceName
    func run() async throws { try await name.send(Words.form.order(call.id), as: Words.form.words) }
}

// The commands for the Live Activities of a running device.

extension DeviceCommand {
    struct LiveActivity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "live-activity",
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
        return OrderForm("live-activity \(name)", abstract, argument: "id", help: help) { .activity(order($0)) }
    }
}
