import APNSProvider
package import Foundation
package import PushDevice
import PushModel

/// The answer of APNs to a push, and what comes of it on each version of iOS and in each state of its app.
///
/// A gateway in this process judges the push, and an emulated iPhone for each case receives it.
package struct Explanation: Sendable {
    /// The state of the app when the push arrives.
    package enum State: String, CaseIterable, Sendable {
        case front, background
        /// In the background, on a locked phone.
        case locked
        case forceQuit
    }

    package struct Options: Sendable {
        package var systems = SystemProfile.majors.map { SystemProfile.iOS($0) }
        package var states = State.allCases
        /// The language of the phone; English if nil.
        package var language: String?
        /// The phone's time.
        package var date: Date
        /// The strings and sounds of the app; its bundle id is that of the push.
        package var app: InstalledApp?

        package init(date: Date) { self.date = date }
    }

    /// The cases of which the same comes.
    package struct Row: Hashable, Sendable {
        package var systems: [String]
        package var states: [State]
        package var sight: Sight
    }

    package let push: ExplainedPush
    /// The versions that were asked for.
    let systems: [String]
    /// The reason for which APNs refuses the push, with the remedy, or for which it does not get it; nil if it accepts it.
    package var refusal: String?
    /// The parts that a device ignores, drops or does not understand, a sentence each.
    package var cautions: [String] = []
    /// Advice that does not make the push wrong.
    package var notes: [String] = []
    /// Empty for a refused push, and for a type that no app gets as a notification.
    package var rows: [Row] = []

    /// Explains a push.
    @MainActor
    package init(of push: ExplainedPush, _ options: Options) async {
        self.push = push
        systems = options.systems.map(\.version)
        refusal = push.refusal ?? Self.refusal(of: push, options)
        guard push.refusal == nil else { return }
        let reviewed = push.reviewed
        cautions =
            push.cautions + reviewed.headers.cautions + PayloadReview.remarks(on: push.payload, of: push.type)
            + [reviewed.expiration?.caution(at: options.date)].compactMap(\.self)
        notes = push.notes + PayloadReview.notes(on: push.payload, of: push.type)
        let texts = push.object["aps"]?.object?["alert"]?.object?.keys ?? []
        if options.app == nil, texts.contains(where: { $0.hasSuffix("loc-key") && !$0.hasPrefix("action") }) {
            notes.append("The app's strings are not known here: a 'loc-key' is shown itself, or the text beside it.")
        }
        guard refusal == nil else { return }
        guard !push.hasOwnToken else {
            notes.append("A push of this type has a token of its own: only APNs' part is explained.")
            return
        }
        for state in options.states {
            var rows: [Row] = []
            for system in options.systems {
                let sight = await Sight(of: push, on: system, in: state, options)
                if let place = rows.firstIndex(where: { $0.sight == sight }) {
                    rows[place].systems.append(system.version)
                } else {
                    rows.append(Row(systems: [system.version], states: [state], sight: sight))
                }
            }
            add(rows)
        }
    }

    private mutating func add(_ others: [Row]) {
        for row in others {
            let place = rows.firstIndex { $0.systems == row.systems && $0.sight == row.sight }
            if let place { rows[place].states += row.states } else { rows.append(row) }
        }
    }

    private static func refusal(of push: ExplainedPush, _ options: Options) -> String? {
        guard let reason = ExplainedRoad(at: options.date).reason(against: push) else { return nil }
        return "\(reason): \(push.reviewed.problem?.description ?? reason.advice.clause + ".")"
    }

    /// The bytes that the payload may still have; negative if it has too many.
    package var bytesLeft: Int { (push.type ?? .alert).payloadLimit - push.payload.count }

    /// The reasons why the push is not shown, or does not wake its app, as it was meant. A device with the app in front, and an app that the
    /// user has swiped away, are as they are.
    package var problems: [String] {
        let aps = push.object["aps"]?.object ?? [:]
        let unseen = rows.filter { row in
            guard row.states.contains(where: { $0 == .background || $0 == .locked }) else { return false }
            if aps["alert"] ?? .null != .null { return !row.sight.isShown }
            return aps["content-available"]?.isOn == true && row.sight.callbacks.isEmpty
        }
        return [refusal].compactMap(\.self) + cautions + unseen.map { "\(name(of: $0)): \($0.sight.outcome)" }
    }
}

extension ExplainedPush {
    /// The push as a provider's library has it, which names what is wrong with it.
    fileprivate var reviewed: APNSPush {
        APNSPush(
            id: header("apns-id") ?? ExplainedRoad.pushID,
            token: DeviceToken(bytes: [0]),
            topic: topic,
            pushType: type ?? .alert,
            priority: header("apns-priority").flatMap { Int($0) }.map(APNSPriority.init(rawValue:)),
            expiration: expiration,
            collapseID: header("apns-collapse-id"),
            payload: payload
        )
    }
}
