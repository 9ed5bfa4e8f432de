import Dispatch
import SystemPort

/// Transfers a value of an app's own to the queue or task that the framework promises to run it on.
///
/// `@unchecked Sendable`: Apple's signatures take delegates and handlers that need not be Sendable and specify where
/// they are called; the framework complies, which the compiler cannot verify.
package struct Handoff<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
