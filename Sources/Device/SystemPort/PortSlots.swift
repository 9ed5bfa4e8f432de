import Synchronization

/// What frameworks keep for one process of an app: one object of a type each, made when it is first asked for.
///
/// It takes the place of an app's global variables, so several apps can share a Linux process.
public final class PortSlots: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    public init() {}

    /// - Parameter make: makes the object; must not ask for another slot.
    /// - Returns: the one object of its type.
    package func slot<Slot: AnyObject & Sendable>(_ make: () -> Slot) -> Slot {
        objects.withLock { objects in
            if let slot = objects[ObjectIdentifier(Slot.self)] as? Slot { return slot }
            let slot = make()
            objects[ObjectIdentifier(Slot.self)] = slot
            return slot
        }
    }

    /// Lets go of everything.
    package func removeAll() {
        let old = objects.withLock { objects in
            let old = objects
            objects = [:]
            return old
        }
        withExtendedLifetime(old) {}
    }
}
