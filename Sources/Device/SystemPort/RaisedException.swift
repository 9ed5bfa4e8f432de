import Synchronization

/// What Apple's frameworks raise as an Objective-C exception: a mistake of the program, which ends the process.
public struct RaisedException: Hashable, Sendable, CustomStringConvertible {
    /// Such as `NSInternalInconsistencyException`.
    public var name: String
    public var reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'" }

    @TaskLocal private static var catcher: Catcher?

    /// Runs `body`, in which an exception does not end the process: the call that raises it does nothing more.
    ///
    /// - Returns: what was raised, in order.
    public static func catching(_ body: () throws -> Void) rethrows -> [RaisedException] {
        let catcher = Catcher()
        try $catcher.withValue(catcher, operation: body)
        return catcher.caught.withLock { $0 }
    }

    /// Ends the process with Apple's line, unless ``catching(_:)`` surrounds the call.
    package static func raise(_ reason: String, name: String = "NSInternalInconsistencyException") {
        let exception = RaisedException(name: name, reason: reason)
        guard let catcher else { fatalError(exception.description) }
        catcher.caught.withLock { $0.append(exception) }
    }
}

private final class Catcher: Sendable {
    let caught = Mutex<[RaisedException]>([])
}
