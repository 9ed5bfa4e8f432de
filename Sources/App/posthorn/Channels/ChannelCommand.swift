import APNSProvider
import ArgumentParser
import Foundation
import PushModel

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel",
        abstract: "Manages an app's broadcast channels at APNs or a gateway, and sends to all devices of one.",
        usage: """
            posthorn channel create --bundle-id com.example.app --environment production --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456
            posthorn channel send CHANNEL --content-state '{"home":1}' --bundle-id com.example.app --host localhost --port 2198 --ca ca.pem --p12 push.p12
            """,
        discussion: """
            Exits with 0 after success, with 1 if the request was refused, and with 2 if there was no response.
            """,
        subcommands: [Create.self, List.self, Show.self, Delete.self, Send.self]
    )

    /// The storage policy as a word.
    enum Storage: String, ExpressibleByArgument, CaseIterable {
        case newest
        case nothing

        init(_ policy: APNSMessageStoragePolicy) { self = policy == .mostRecentMessageStored ? .newest : .nothing }

        var policy: APNSMessageStoragePolicy { self == .newest ? .mostRecentMessageStored : .noMessageStored }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Creates a channel and prints its id."
        )

        @Option(
            help: """
                What APNs stores for devices that connect later: the newest message, for eight hours at most, or nothing, which \
                allows more messages. Cannot be changed later.
                """
        )
        var store = Storage.newest

        @OptionGroup var options: ChannelOptions

        func run() async throws {
            try await options.perform(at: .management) { channels throws(APNSChannelError) in
                let channel = try await channels.create(store.policy)
                return (
                    ["ok": true, "channel": channel.rawValue, "message-storage-policy": store.policy.rawValue],
                    [channel.rawValue]
                )
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the ids of the app's channels."
        )

        @OptionGroup var options: ChannelOptions

        func run() async throws {
            try await options.perform(at: .management) { channels throws(APNSChannelError) in
                let ids = try await channels.list().map(\.rawValue)
                return (["ok": true, "channels": ids], ids)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows what a channel stores.")

        @Argument(help: "The channel's id.") var channel: String
        @OptionGroup var options: ChannelOptions

        func run() async throws {
            try await options.perform(at: .management) { channels throws(APNSChannelError) in
                let found = try await channels.configuration(of: APNSChannelID(rawValue: channel))
                let storage = Storage(found.messageStoragePolicy)
                return (
                    ["ok": true, "channel": channel, "message-storage-policy": storage.policy.rawValue],
                    ["\(channel)  stores \(storage == .newest ? "the newest message" : "nothing")"]
                )
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Deletes a channel for good; its id is never valid again."
        )

        @Argument(help: "The channel's id.") var channel: String
        @OptionGroup var options: ChannelOptions

        func run() async throws {
            try await options.perform(at: .management) { channels throws(APNSChannelError) in
                try await channels.delete(APNSChannelID(rawValue: channel))
                return (["ok": true, "channel": channel], ["\(channel)  deleted"])
            }
        }
    }

    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Sends one message to all devices that are subscribed to a channel.",
            discussion: """
                The message updates or ends the Live Activities that are subscribed. A channel that stores nothing accepts no \
                --expiration.
                """
        )

        @Argument(help: "The channel's id.") var channel: String
        @OptionGroup(title: "What") var content: ChannelContent
        @OptionGroup var options: ChannelOptions

        func run() async throws {
            let push = try content.push(to: APNSChannelID(rawValue: channel))
            let expired = [push.expiration.caution(at: Date())].compactMap(\.self)
            for caution in expired + PayloadReview.remarks(on: push.payload, of: .liveactivity) {
                printNote("Caution: \(caution)")
            }
            let id = push.requestID.uuidString.lowercased()
            try await options.perform(at: .pushes) { channels throws(APNSChannelError) in
                try await channels.send(push)
                return (
                    ["ok": true, "channel": channel, "apns-request-id": id],
                    [
                        "200 accepted", "apns-request-id \(id)",
                        "Devices that are linked get it now. The others get it later only if the channel stores it.",
                    ]
                )
            }
        }
    }
}
