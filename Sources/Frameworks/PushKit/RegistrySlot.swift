import Foundation
import SystemPort

/// The registries of one process of an app, held weakly.
///
/// `@unchecked Sendable`: registries need not be Sendable; the list is read and written under the lock, and delegates are called on
/// the queue of their registry only.
final class RegistrySlot: PortSlot, @unchecked Sendable {
    private struct Entry {
        weak var registry: PKPushRegistry?
        /// Nil until the app assigns a value.
        var types: Set<PushKitType>?
        /// All that it has ever desired: it hears of the end of these.
        var past: Set<PushKitType> = []
    }

    private let lock = NSLock()
    private var entries: [Entry] = []

    func types(of registry: PKPushRegistry) -> Set<PushKitType>? {
        lock.withLock { entries.first { $0.registry === registry }?.types }
    }

    func set(_ types: Set<PushKitType>?, of registry: PKPushRegistry) {
        lock.withLock {
            entries.removeAll { $0.registry == nil }
            let place = entries.firstIndex { $0.registry === registry } ?? entries.endIndex
            if place == entries.endIndex { entries.append(Entry(registry: registry)) }
            entries[place].types = types
            entries[place].past.formUnion(types ?? [])
        }
    }

    /// The types that any registry desires.
    var allTypes: Set<PushKitType> {
        lock.withLock { entries.reduce(into: []) { if $1.registry != nil { $0.formUnion($1.types ?? []) } } }
    }

    /// The registries that desire a type.
    func registries(for type: PushKitType) -> [PKPushRegistry] {
        lock.withLock { entries.filter { $0.types?.contains(type) == true }.compactMap(\.registry) }
    }

    /// The registries that have desired a type.
    func pastRegistries(for type: PushKitType) -> [PKPushRegistry] {
        lock.withLock { entries.filter { $0.past.contains(type) }.compactMap(\.registry) }
    }
}
