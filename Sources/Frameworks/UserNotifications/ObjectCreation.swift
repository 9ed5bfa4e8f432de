import CObjectCreation
package import Foundation

/// The creation of delegates and extensions whose class is known at run time only: from an Info.plist, for example.
package enum ObjectCreation {
    /// Creates an object with the class's own `init()`, as `[[Class alloc] init]` does on Apple's systems.
    ///
    /// A class without an `init()`, because only another initialiser sets all its stored properties, ends the process with
    /// Swift's message, as there: "Use of unimplemented initializer 'init()' for class".
    package static func make<T: NSObject>(_ type: T.Type) -> T {
        let pointer = unsafe unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        let object = unsafe Unmanaged<NSObject>.fromOpaque(create_nsobject(pointer)).takeRetainedValue()
        return unsafe unsafeDowncast(object, to: type)
    }
}
