import DeviceLink
import Foundation
import PushClock
import PushModel

// What devices prove about their aliases and protected tags.
extension RegistrationController {
    /// The answer of an app's rules about a name that a device asks for.
    enum ProofFinding {
        case proved
        /// The device may have the name, and nobody vouches for it.
        case unproved
        /// With 6017, the client code for a request that is refused for good.
        case refused(SDKReply)
    }

    /// Judges the proof of a name. A proof that is given is checked even where none is needed, so that an app learns of a mistake before its
    /// operator asks for proofs.
    func finding(
        on name: ProvedName,
        proof: String?,
        of device: DeviceID,
        in app: App,
        at date: Date
    ) -> ProofFinding {
        guard app.aliases.policy != .backend else {
            return .refused(Self.refusal("Only the app's backend sets \(name.kind), with POST /v3/devices."))
        }
        guard let proof else {
            guard app.aliases.policy == .proved else { return .unproved }
            return .refused(
                Self.refusal("\(name.subject) needs a proof for this registration id, which the app's backend makes.")
            )
        }
        guard proof.utf8.count == AliasProofs.length else {
            let found = "The proof of \(name.object) has \(proof.utf8.count) bytes"
            return .refused(
                Self.refusal("\(found); expected \(AliasProofs.length) lowercase hexadecimal digits.")
            )
        }
        let id = registry.registrationID(of: device)
        guard registry.aliasProofs.isValid(proof, of: name, for: id, in: app, at: date) else {
            let whose = "for this registration id, by the app's alias key"
            return .refused(Self.refusal("The proof is not that of \(name.object) \(whose)."))
        }
        return .proved
    }

    /// Returns the refusal of tags that a device does not have yet: for a protected one without a valid proof.
    func refusal(ofNew tags: Set<ExactText>, proofs: [String: String]?, of device: DeviceID) -> SDKReply? {
        if let proofs, proofs.count > JPushLimits.tagsPerDevice {
            return Self.refusal("There are \(proofs.count) proofs; expected at most \(JPushLimits.tagsPerDevice).")
        }
        guard let app = registry.app(device.app), app.aliases.policy != .anyone || proofs != nil else { return nil }
        let known = Dictionary((proofs ?? [:]).map { (ExactText($0.key), $0.value) }) { $1 }
        let now = clock.date
        for tag in tags.sorted() {
            let isChecked = known[tag] != nil && app.aliases.policy != .backend
            guard isChecked || app.aliases.protects(tag: tag.text) else { continue }
            let finding = finding(on: .tag(tag.text), proof: known[tag], of: device, in: app, at: now)
            if case .refused(let refusal) = finding { return refusal }
        }
        return nil
    }
}

extension ProvedName {
    fileprivate var kind: String {
        switch self {
        case .alias: "aliases"
        case .tag: "protected tags"
        }
    }

    fileprivate var subject: String {
        switch self {
        case .alias: "The alias"
        case .tag(let tag): "The tag '\(tag)' is protected: it"
        }
    }

    fileprivate var object: String {
        switch self {
        case .alias: "the alias"
        case .tag(let tag): "the tag '\(tag)'"
        }
    }
}
