import CSymbols
import Synchronization

/// An Objective-C exception as raised by Apple's frameworks: a programming error, which ends the process.
public struct RaisedException: Hashable, Sendable, CustomStringConvertible {
    /// The name, such as `NSInternalInconsistencyException`.
    public var name: String
    /// The reason, as the exception has it.
    public var reason: String

    /// Creates an exception.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'" }

    @TaskLocal private static var catcher: Catcher?

    /// Runs `body` without ending the process on an exception: the call that raises it does nothing more.
    ///
    /// - Returns: the exceptions raised, in order.
    public static func catching(_ body: () throws -> Void) rethrows -> [RaisedException] {
        let catcher = Catcher()
        try $catcher.withValue(catcher, operation: body)
        return catcher.caught.withLock { $0 }
    }

    /// Ends the process with Apple's message, before and after the backtrace, unless within ``catching(_:)``.
    package static func raise(_ reason: String, name: String = "NSInternalInconsistencyException") {
        let exception = RaisedException(name: name, reason: reason)
        guard let catcher else { end(exception.description) }
        catcher.caught.withLock { $0.append(exception) }
    }

    /// Ends the process. The reason stands before and after the backtrace.
    package static func end(_ reason: String) -> Never {
        unsafe repeat_after_backtrace("\n\(reason)\n")
        fatalError(reason)
    }
}

private final class Catcher: Sendable {
    let caught = Mutex<[RaisedException]>([])
}
