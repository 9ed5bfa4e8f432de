public import Foundation

/// A nib, by its name. Posthorn cannot read it: to create its objects raises an exception that names it.
///
/// Source: Apple, `UINib`.
@preconcurrency @MainActor
open class UINib: NSObject {
    /// An option for the creation of a nib's objects.
    public struct OptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Objects for the nib from outside.
        public static let externalObjects = Self(rawValue: "UINibExternalObjects")
    }

    let name: String
    private let bundle: Bundle?

    /// Creates a nib; its file is not read, because nothing can compile it on Linux.
    public init(nibName name: String, bundle bundleOrNil: Bundle?) {
        self.name = name
        bundle = bundleOrNil
    }

    /// Raises an exception; returns nothing within `RaisedException.catching(_:)`.
    open func instantiate(withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil) -> [Any] {
        MissingNib.raise(name, in: bundle)
        return []
    }
}

extension Bundle {
    /// Raises an exception; returns nil within `RaisedException.catching(_:)`.
    @MainActor
    public func loadNibNamed(_ name: String, owner: Any?, options: [UINib.OptionsKey: Any]? = nil) -> [Any]? {
        MissingNib.raise(name, in: self)
        return nil
    }
}
