/// Carries a value of an app's own over to the queue or task that the framework promises to run it on.
///
/// `@unchecked Sendable`: Apple's signatures take delegates and handlers that need not be Sendable and say where they
/// are called; the framework keeps to that, which the compiler cannot see.
package struct Handoff<Value>: @unchecked Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}
