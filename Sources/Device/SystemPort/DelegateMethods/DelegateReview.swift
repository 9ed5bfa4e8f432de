import PushModel

/// Compares the methods of a delegate's class with what its protocols require.
///
/// Without Objective-C a delegate's optional method is found through the protocol's conformance only: a method that does not take
/// part in it is not called, and neither the compiler nor the run says so.
struct DelegateReview {
    /// The delegate's class first, then those that it derives from.
    private let classes: [DelegateClass]
    private let requirements: [DelegateClass.Requirement]
    private let families: [DelegateFamily]

    init(of type: AnyClass) {
        classes = DelegateClass.chain(of: type)
        requirements = classes.flatMap(\.requirements)
        let owners = Set(requirements.map(\.owner))
        families = DelegateFamily.all.filter { owners.contains($0.name) }
    }

    /// The methods that the system never calls, in the order of the program's symbols.
    var uncalledMethods: [UncalledMethod] {
        classes.indices.flatMap { level in classes[level].methods.compactMap { uncalled($0, at: level) } }
    }

    /// Returns why a method of the class at a level of the chain is never called; nil for one that is, or does not look as if it were.
    private func uncalled(_ method: MethodSignature, at level: Int) -> UncalledMethod? {
        let namesakes = requirements.filter { $0.method.name == method.name }
        guard let first = namesakes.first else { return unknown(method, at: level) }
        guard let match = namesakes.first(where: { $0.method.matches(method) }) else {
            // Another of its overloads may be the one.
            let isDeclared = classes.flatMap(\.methods).contains { other in
                namesakes.contains { $0.method.matches(other) }
            }
            let nearest =
                namesakes.max { $0.method.agreement(with: method) < $1.method.agreement(with: method) } ?? first
            if isDeclared { return nil }
            return uncalled(method, at: level, of: first.owner, difference(of: method, from: nearest.method))
        }
        let conforming = classes.lastIndex { $0.requirements.contains { $0.owner == match.owner } } ?? level
        guard level < conforming,
            !classes[conforming...].contains(where: { $0.methods.contains(where: method.matches) })
        else { return nil }
        return uncalled(method, at: level, of: match.owner, .isInSubclass(of: classes[conforming].shortName))
    }

    private func uncalled(
        _ method: MethodSignature,
        at level: Int,
        of family: String,
        _ reason: UncalledMethod.Reason
    ) -> UncalledMethod {
        let family = String(family.split(separator: ".").last ?? "")
        return UncalledMethod(owner: classes[level].shortName, name: method.name, family: family, reason: reason)
    }

    /// A method whose name no requirement has.
    private func unknown(_ method: MethodSignature, at level: Int) -> UncalledMethod? {
        guard let family = families.first(where: { $0.covers(method) }) else { return nil }
        let declared = requirements.map(\.method.name).filter { $0.hasPrefix(family.verb) }
        let reason: UncalledMethod.Reason? =
            if family.further.contains(method.name) {
                .isNotDeclared
            } else {
                (declared + family.further).first { NameDistance.areNear(method.name, $0) }
                    .map { .isMisspelt(expected: $0) }
            }
        return reason.map { uncalled(method, at: level, of: family.name, $0) }
    }

    private func difference(of method: MethodSignature, from wanted: MethodSignature) -> UncalledMethod.Reason {
        for (number, (found, expected)) in zip(method.types, wanted.types).enumerated() where found != expected {
            let label = method.labels[number]
            let part = label == "_" ? "parameter \(number + 1)" : "the parameter \(label)"
            return .hasOtherType(of: part, found: Self.readable(found), expected: Self.readable(expected))
        }
        return .hasOtherType(
            of: "the result",
            found: Self.readable(method.result),
            expected: Self.readable(wanted.result)
        )
    }

    /// The type without the names of modules of the system.
    private static func readable(_ type: String) -> String {
        ["Swift.", "UIKit.", "FoundationEssentials.", "Foundation.", "UserNotifications.", "CoreLocation."]
            .reduce(type == "()" ? "Void" : type) { $0.replacing($1, with: "") }
    }
}

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

extension NameDistance {
    /// - Returns: whether a method's name is probably a misspelling of the other: up to three letters differ, or a label has a
    ///   longer form, as in Objective-C.
    static func areNear(_ first: String, _ second: String) -> Bool {
        let labels = (first.split(separator: ":"), second.split(separator: ":"))
        guard labels.0.count == labels.1.count else { return false }
        let areForms = zip(labels.0, labels.1).allSatisfy { isForm($0, of: $1) || isForm($1, of: $0) }
        return areForms || edits(from: first, to: second) <= 3
    }

    private static func isForm(_ long: Substring, of short: Substring) -> Bool {
        long == short || short.count >= 8 && long.hasPrefix(short)
    }
}
