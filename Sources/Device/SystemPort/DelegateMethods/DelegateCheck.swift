import Foundation
import Synchronization

/// Warns of a delegate's methods that the system never calls: on standard error, once for each class, and in the events of each
/// device on which the app uses the class.
///
/// The methods are found among the program's symbols, so a stripped program gives no warnings, and neither does a method that an
/// optimised build left out because nothing calls it.
package enum DelegateCheck {
    private static let reviews = Mutex<[ObjectIdentifier: [String]]>([:])

    /// Reviews an object that the app of a process has just made a delegate.
    package static func review(_ delegate: AnyObject, on port: any SystemPort) {
        let type: AnyClass = type(of: delegate)
        let warnings = warnings(about: type)
        guard !warnings.isEmpty, Seen.of(port).insert(type) else { return }
        for warning in warnings { port.call(.warn(warning)) }
    }

    /// - Returns: the same sentences at each call.
    package static func warnings(about type: AnyClass) -> [String] {
        let (warnings, isNew) = reviews.withLock { reviews in
            if let known = reviews[ObjectIdentifier(type)] { return (known, false) }
            let found = DelegateReview(of: type).uncalledMethods.map(\.sentence)
            reviews[ObjectIdentifier(type)] = found
            return (found, true)
        }
        if isNew {
            let text = warnings.map { "warning: \($0)\n" }.joined()
            // Not reported: a program without standard error has nobody to warn.
            try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
        }
        return warnings
    }

    /// The classes that were delegates in one process of an app.
    private final class Seen: PortSlot {
        private let types = Mutex<Set<ObjectIdentifier>>([])

        func insert(_ type: AnyClass) -> Bool { types.withLock { $0.insert(ObjectIdentifier(type)).inserted } }
    }
}
