#if os(iOS) || os(Linux) && canImport(UIKit)

/// A value that is handed to the main thread.
///
/// `@unchecked Sendable`: it is used there only, after it was handed over.
final class Boxed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

#endif
