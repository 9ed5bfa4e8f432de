/// A method of a delegate that looks as if the system called it, and that it does not call.
struct UncalledMethod: Hashable {
    /// The class that declares the method, and the method's name.
    var owner: String
    var name: String
    /// The protocol's name without its module.
    var family: String
    var reason: Reason

    enum Reason: Hashable {
        /// The class that declares the conformance is a superclass without this method.
        case isInSubclass(of: String)
        /// A type differs: that of a parameter, or of the result.
        case hasOtherType(of: String, found: String, expected: String)
        /// A method of Apple's protocol that the one here does not declare.
        case isNotDeclared
        /// Probably another method of the protocol.
        case isMisspelt(expected: String)
    }

    /// The reason and what to do.
    var sentence: String { "\(owner).\(name) is never called: \(advice)" }

    private var advice: String {
        switch reason {
        case .isInSubclass(let conforming):
            """
            \(conforming) declares the conformance to \(family), and without Objective-C only its methods, and overrides of them, \
            are found. Declare the method in \(conforming) too and override it here.
            """
        case .hasOtherType(let part, let found, let expected):
            "\(part) is \(found), and \(expected) in \(family). Change the type."
        case .isNotDeclared:
            "Posthorn's \(family) does not declare this method of Apple's. An iPhone calls it; here only your own code can."
        case .isMisspelt(let expected):
            "\(family) has no such method. If you mean \(expected), correct the name; a method of your own needs another one."
        }
    }
}
