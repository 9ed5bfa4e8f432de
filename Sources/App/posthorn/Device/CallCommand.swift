import ArgumentParser
import Foundation
import PosthornStack

// The commands for the calls of a running device.

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

extension DeviceCommand {
    struct Call: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call",
            abstract: "Answers, declines and ends calls.",
            subcommands: [
                Answer.self, Decline.self, HangUp.self, Mute.self, Unmute.self, Hold.self, Resume.self, Keypad.self,
                Merge.self,
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

        struct Decline: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "decline",
                abstract: "Declines the ringing call."
            )
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.decline(id: call.id)), as: "call decline") }
        }

        struct HangUp: AsyncParsableCommand {
            static let configuration = CommandConfiguration(commandName: "hang-up", abstract: "Ends a call.")
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.hangUp(id: call.id)), as: "call hang-up") }
        }

        struct Mute: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "mute",
                abstract: "Turns the microphone of a call off."
            )
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.mute(true, id: call.id)), as: "call mute") }
        }

        struct Unmute: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "unmute",
                abstract: "Turns the microphone of a call on."
            )
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.mute(false, id: call.id)), as: "call unmute") }
        }

        struct Hold: AsyncParsableCommand {
            static let configuration = CommandConfiguration(commandName: "hold", abstract: "Puts a call on hold.")
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.hold(true, id: call.id)), as: "call hold") }
        }

        struct Resume: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "resume",
                abstract: "Resumes a held call; another call is put on hold."
            )
            @OptionGroup var call: CallID
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.hold(false, id: call.id)), as: "call resume") }
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
                let order = DeviceOrder.call(.keypad(digits: digits, id: call.id))
                try await name.send(order, as: "call keypad", digits)
            }
        }

        struct Merge: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "merge",
                abstract: "Merges the held call into the other one."
            )
            @OptionGroup var name: DeviceName
            func run() async throws { try await name.send(.call(.merge), as: "call merge") }
        }
    }
}
