import ArgumentParser
import Foundation
import PosthornStack
import SystemPort

// The commands about what a running device notices, and about what the system does with its apps.

extension DeviceCommand {
    struct Turn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Turns the device: the heading of apps that follow it."
        )
        @Argument(help: "The direction of its top, in degrees clockwise from north.") var degrees: Double
        @OptionGroup var name: DeviceName

        func validate() throws {
            guard degrees.isFinite else {
                throw ValidationError("'turn' takes degrees, such as 90; found '\(degrees)'.")
            }
        }

        func run() async throws { try await name.send(.turn(degrees: degrees), as: "turn", "\(degrees)") }
    }

    struct Beacons: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
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
            abstract: "Continues an activity of another device in the app.",
            discussion: """
                The app declares the type in NSUserActivityTypes. A universal link is an activity too: \
                'posthorn device open-url https://…' opens it.
                """
        )
        @Argument(help: "The type of the activity, such as com.example.app.reading.") var type: String
        @Option(help: "The title of the activity.") var title: String?
        @Option(help: "The web page of the activity.") var url: String?
        @Option(
            name: .customLong("user-info"),
            help: .pair("A part of the activity's userInfo, a text. May be repeated.")
        )
        var userInfo: [String] = []
        @Flag(help: "The activity's data does not arrive: the app hears of the failure.") var fails = false
        @OptionGroup var name: DeviceName

        func validate() throws {
            guard !fails || (title == nil && url == nil && userInfo.isEmpty) else {
                throw ValidationError("An activity that --fails has no --title, --url and --user-info.")
            }
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
