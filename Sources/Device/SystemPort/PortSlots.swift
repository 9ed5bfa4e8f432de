import Synchronization

/// The frameworks' storage for one process of an app: one object per type, created on first use.
///
/// It replaces an app's global variables, so that several apps can share a Linux process.
public final class PortSlots: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Creates storage without objects.
    public init() {}

    /// - Parameter make: creates the object; must not ask for another slot.
    /// - Returns: the only object of its type.
    package func slot<Slot: AnyObject & Sendable>(_ make: () -> Slot) -> Slot {
        objects.withLock { objects in
            if let slot = objects[ObjectIdentifier(Slot.self)] as? Slot { return slot }
            let slot = make()
            objects[ObjectIdentifier(Slot.self)] = slot
            return slot
        }
    }

    /// Removes all objects.
    public func removeAll() {
        let old = objects.withLock { objects in
            let old = objects
            objects = [:]
            return old
        }
        withExtendedLifetime(old) {}
    }
}
