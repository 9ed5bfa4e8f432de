import CObjectCreation
package import Foundation

/// The creation of delegates and extensions whose class is known at run time only: from an Info.plist, for example.
package enum ObjectCreation {
    /// Creates an object with the class's own `init()`, as `[[Class alloc] init]` does on Apple's systems.
    ///
    /// A class without an `init()`, because only another initialiser sets all its stored properties, ends the process with
    /// Swift's message, as there: "Use of unimplemented initializer 'init()' for class".
    package static func make<T: NSObject>(_ type: T.Type) -> T {
        if let type = type as? any OwnCreation.Type { return unsafe unsafeDowncast(type.makeObject(), to: T.self) }
        let pointer = unsafe unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = unsafe Unmanaged<NSObject>.fromOpaque(create_nsobject(pointer)).takeRetainedValue()
        return unsafe unsafeDowncast(object, to: type)
    }
}

/// A class whose objects are not created with `NSObject`'s `init()`.
package protocol OwnCreation: NSObject {
    /// Creates an object on the main thread, with the initialiser that the system uses.
    static func makeObject() -> NSObject
}
