import ArgumentParser
import PosthornStack

// What a person does to a running device: each command is one order, in the words of `DeviceOrder`.

/// Which running device an order is for.
struct DeviceName: ParsableArguments {
    @Option(name: .customLong("name"), help: "The name under which the device was switched on.")
    var device = "iPhone"

    /// Sends the order and prints what the device says.
    func send(_ words: [String]) async throws {
        let order: DeviceOrder
        do { order = try DeviceOrder(words) } catch { throw ValidationError(error.description) }
        printLine(try await DeviceControl.send(order, to: device))
    }
}

extension DeviceCommand {
    struct Tap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Tap a notification.")
        @Argument(help: "Its apns-id; the newest one if not given.") var apnsID: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["tap"] + [apnsID].compactMap(\.self)) }
    }

    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Swipe a notification away.")
        @Argument(help: "Its apns-id; the newest one if not given.") var apnsID: String?
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["dismiss"] + [apnsID].compactMap(\.self)) }
    }

    struct Open: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Tap the app's icon.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["open"]) }
    }

    struct Background: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Go back to the home screen.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["background"]) }
    }

    struct Kill: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Swipe the app away: no push wakes it until it is opened."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["kill"]) }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Answer the question on the screen with yes.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["allow"]) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Answer the question on the screen with no.")
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["deny"]) }
    }

    struct Clock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Turn the device's clock forward: 'clock +1h', or 'clock next' to where something falls due."
        )
        @Argument(help: "+90s, +5m, +1h, +2d, or 'next'.") var time: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["clock", time]) }
    }

    struct Network: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Switch the network on or off.")
        @Argument(help: "on or off.") var state: String
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["network", state]) }
    }

    struct ShowScreen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "screen",
            abstract: "What is on the screen, as JSON."
        )
        @OptionGroup var name: DeviceName
        func run() async throws { try await name.send(["screen"]) }
    }
}
