import Foundation
import PushClock
import PushModel

// What apps, groups and developers have in common: their secrets, and the name that their deletion asks for.
extension OperatorController {
    func rename<Holder: NamedHolder>(_ holder: Holder, to name: String) async throws -> Holder {
        let name = try Self.checked(name: name)
        guard try await store.rename(holder.holderID, to: name) else { throw Self.unknown(Holder.unknown, holder.key) }
        return changed(holder) { $0.name = name }
    }

    /// Makes a secret in the place of another, which stays valid for `overlap` seconds.
    ///
    /// - Parameters:
    ///   - holder: the one whose secret it is.
    ///   - overlap: the number of seconds; nil for none.
    ///   - seal: returns an app's secret as the Admin API hands it out again.
    /// - Returns: the one with its new secret, and the secret.
    /// - Throws: ``OperatorError`` if it was deleted; ``TooManySecrets``.
    func rotateSecret<Holder: NamedHolder>(
        of holder: Holder,
        overlap: Int?,
        seal: (String) throws -> [UInt8]? = { _ in nil }
    ) async throws -> (Holder, secret: String) {
        let overlap = try Self.checked(overlap, "overlap", in: 0...FormerSecret.longestOverlap) ?? 0
        let secret = MintedKey<String> { $0 }.secret
        let now = clock.date
        let end = overlap == 0 ? nil : now.addingTimeInterval(TimeInterval(overlap))
        let replacement = SecretReplacement(hash: SecretHash(of: secret), at: now, formerEnd: end)
        let rotated = try await store.replaceSecret(of: holder.holderID, by: replacement, sealed: seal(secret))
        guard let rotated else { throw Self.unknown(Holder.unknown, holder.key) }
        let changed = changed(holder) { holder in
            holder.secretHash = rotated.secretHash
            holder.formerSecrets = rotated.formerSecrets
        }
        return (changed, secret)
    }

    /// Ends the secrets before the current one.
    func endFormerSecrets<Holder: NamedHolder>(of holder: Holder) async throws -> Holder {
        try await store.endFormerSecrets(of: holder.holderID)
        return changed(holder) { $0.formerSecrets = [] }
    }

    /// Returns a holder with a change that the store has made. The index changes with it.
    private func changed<Holder: NamedHolder>(_ holder: Holder, _ change: (inout Holder) -> Void) -> Holder {
        if let changed = holder.changed(in: registry, change) { return changed }
        var changed = holder
        change(&changed)
        return changed
    }

    /// Returns the refusal of a key that no app, group or developer has.
    static func unknown(_ code: Remark.Code, _ key: any CustomStringConvertible) -> OperatorError {
        OperatorError(.notFound, Remark(code, ["key": key]))
    }

    /// Refuses a deletion that does not name what it deletes.
    static func confirm(_ given: String, isNameOf key: String, _ name: String) throws {
        guard given.isSame(as: name) else {
            throw OperatorError(.conflict, Remark(.nameDiffers, ["given": given, "key": key]))
        }
    }
}

/// A secret that is shown only once.
package struct NewSecretAnswer: Codable, Sendable { package let masterSecret: String }

/// An app, a group or a developer.
protocol NamedHolder: SecretHolder {
    associatedtype Key: CustomStringConvertible
    /// The refusal of a key that none has.
    static var unknown: Remark.Code { get }
    var holderID: HolderID { get }
    var key: Key { get }
    var name: String { get set }

    /// Changes it in the index; nil for one that is not there.
    func changed(in registry: Registry?, _ change: (inout Self) -> Void) -> Self?
}

extension NamedHolder {
    func changed(in registry: Registry?, _ change: (inout Self) -> Void) -> Self? { nil }
}

extension App: NamedHolder {
    static let unknown = Remark.Code.appUnknown
    var holderID: HolderID { .app(id) }

    func changed(in registry: Registry?, _ change: (inout App) -> Void) -> App? { registry?.change(id, change) }
}

extension AppGroup: NamedHolder {
    static let unknown = Remark.Code.groupUnknown
    var holderID: HolderID { .group(id) }
}

extension Developer: NamedHolder {
    static let unknown = Remark.Code.developerUnknown
    var holderID: HolderID { .developer(id) }
}
