import DeviceLink
import Foundation
public import PushModel
import Synchronization

// Messages and pushes to devices, and their receipts.

extension TestJPush {
    /// The devices that a message or a push is for.
    public struct Audience: Hashable, Sendable, CustomStringConvertible {
        private enum Rule: String {
            case all, tag, alias
            case tagAnd = "tag_and"
            case tagNot = "tag_not"
            case registrationID = "registration_id"
        }

        private var rule: Rule
        private var names: [String] = []

        public var description: String { rule == .all ? "all" : "\(rule.rawValue) \(names)" }

        /// All devices.
        public static let all = Audience(rule: .all)
        /// Devices with at least one of these tags (`tag`).
        public static func tag(_ tags: String...) -> Audience { Audience(rule: .tag, names: tags) }
        /// Devices with all of these tags (`tag_and`).
        public static func tagAnd(_ tags: String...) -> Audience { Audience(rule: .tagAnd, names: tags) }
        /// Devices with none of these tags (`tag_not`).
        public static func tagNot(_ tags: String...) -> Audience { Audience(rule: .tagNot, names: tags) }
        /// Devices with one of these aliases (`alias`).
        public static func alias(_ aliases: String...) -> Audience { Audience(rule: .alias, names: aliases) }
        /// Devices with one of these registration ids (`registration_id`).
        public static func registrationID(_ ids: String...) -> Audience { Audience(rule: .registrationID, names: ids) }

        func contains(_ device: TestJPushDevice) -> Bool {
            switch rule {
            case .all: true
            case .tag: !device.tags.isDisjoint(with: names)
            case .tagAnd: device.tags.isSuperset(of: names)
            case .tagNot: device.tags.isDisjoint(with: names)
            case .alias: device.alias.map { names.contains($0) } ?? false
            case .registrationID: names.contains(device.registrationID)
            }
        }
    }

    /// A push or a custom message that was sent.
    public struct Sent: Hashable, Sendable {
        /// The `msg_id`, which receipts name.
        public var messageID: Int64
        /// The registration ids of its devices.
        public var registrationIDs: [String]
        /// The apns-ids of a push, in the order of the devices: for a tap and for its journey. Empty for a custom message, and
        /// without a device that has a token.
        public var apnsIDs: [String]
    }

    /// Sends a custom message (`message`): an app that is connected gets it at once, another one with its next login.
    ///
    /// - Parameters:
    ///   - content: `msg_content`.
    ///   - title: `title`; nil for none.
    ///   - contentType: `content_type`; nil for none.
    ///   - extras: `extras`; nil for none.
    ///   - audience: its devices. Those that have switched push off do not get it.
    /// - Returns: the message, when the apps that are connected have received it.
    @discardableResult
    public func sendMessage(
        _ content: String,
        title: String? = nil,
        contentType: String? = nil,
        extras: JSONObject? = nil,
        to audience: Audience
    ) async -> Sent {
        let (message, targets) = state.withLock { state in
            state.lastMessage += 1
            let message = SDKMessage(
                position: state.lastMessage,
                messageID: state.messageID(state.lastMessage),
                content: content,
                title: title,
                contentType: contentType,
                extras: extras
            )
            return (message, state.take(message, for: audience))
        }
        for target in targets { target.link?.send(SDKFrame.message(message).text) }
        for phone in phones(of: targets) { await phone.settle() }
        return Sent(messageID: message.messageID, registrationIDs: targets.map(\.registrationID), apnsIDs: [])
    }

    /// Sends a push through APNs, with the service's `_j_msgid` in its payload.
    ///
    /// - Parameters:
    ///   - payload: the payload, such as `["aps": ["alert": "Hello"]]`.
    ///   - audience: its devices. Those without a token, and those that have switched push off, do not get it.
    /// - Returns: the push, when the phones have it.
    @discardableResult
    public func push(_ payload: JSONValue, to audience: Audience) async -> Sent {
        let (messageID, targets) = state.withLock { state in
            state.lastMessage += 1
            let targets = state.devices.filter { $0.isOn && $0.token != nil && audience.contains($0) }
            return (state.messageID(state.lastMessage), targets)
        }
        var payload = payload.object ?? [:]
        payload["_j_msgid"] = .integer(messageID)
        var sent = Sent(messageID: messageID, registrationIDs: [], apnsIDs: [])
        for target in targets {
            guard let phone = phones(of: [target]).first else { continue }
            let app = InstalledApp(bundleID: target.bundleID, environment: target.environment)
            sent.registrationIDs.append(target.registrationID)
            sent.apnsIDs.append(await phone.push(.object(payload), to: app))
        }
        return sent
    }

    private func phones(of devices: [TestJPushDevice]) -> [TestPhone] {
        state.withLock { state in devices.compactMap { state.phones[$0.phone]?.phone } }
    }

    /// A receipt that an app has reported.
    public struct Receipt: Hashable, Sendable {
        /// An event that a receipt reports.
        public enum Event: String, Hashable, Sendable {
            /// The app, or its service extension, received the push.
            case received
            /// The user opened its notification.
            case opened
            /// An in-app message was shown.
            case displayed
            /// An in-app message was tapped.
            case clicked
        }

        /// The `msg_id`.
        public var messageID: Int64
        /// The device.
        public var registrationID: String
        /// The event.
        public var event: Event
        /// The time on the phone's clock, in whole seconds.
        public var date: Date
    }

    /// The receipts of all devices, in the order in which they arrived. Duplicates count once.
    public var receipts: [Receipt] { state.withLock(\.receipts) }

    /// Returns the receipts for a push or a message.
    public func receipts(for sent: Sent) -> [Receipt] { receipts.filter { $0.messageID == sent.messageID } }
}
