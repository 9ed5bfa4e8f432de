public import PushModel

/// The links of a domain that an app opens, as the domain's `apple-app-site-association` says: the value of `applinks`.
///
/// Source: Apple, "Supporting associated domains" and `applinks`: the first component that matches decides; `*` matches any text, `?` any
/// character. The older form with `paths` is read too.
public struct SiteAssociation: Hashable, Sendable {
    /// The pattern of some links; a part that is nil matches everything.
    struct Component: Hashable {
        var path: String?
        /// Patterns of query items by their names.
        var query: [String: String] = [:]
        var fragment: String?
        var isExclusion = false
        var isCaseSensitive = true
    }

    struct Detail: Hashable {
        /// The apps; an empty list means each app that declares the domain.
        var appIDs: [String]
        var components: [Component]
    }

    private var details: [Detail]

    /// Reads the JSON object of an `apple-app-site-association`, with `applinks` in it.
    ///
    /// - Throws: a ``SiteAssociationProblem`` that names the member and what was expected.
    public init(_ file: JSONObject) throws(SiteAssociationProblem) {
        guard let links = file["applinks"]?.object else {
            throw SiteAssociationProblem(member: "applinks", expected: "an object")
        }
        guard let details = links["details"]?.array else {
            throw SiteAssociationProblem(member: "applinks.details", expected: "an array")
        }
        self.details = []
        for (number, detail) in details.enumerated() {
            self.details.append(try Detail(detail, named: "applinks.details[\(number)]"))
        }
    }

    /// Returns whether the app opens a link.
    func opens(_ link: SiteLink, bundleID: String) -> Bool {
        for detail in details where detail.belongs(to: bundleID) {
            if let component = detail.components.first(where: { $0.matches(link) }) { return !component.isExclusion }
        }
        return false
    }
}

/// A mistake in an `apple-app-site-association`.
public struct SiteAssociationProblem: Error, Hashable, CustomStringConvertible {
    /// The place of the mistake, such as `applinks.details[0]`.
    public let member: String
    /// The value that belongs there.
    public let expected: String

    /// The mistake as a sentence.
    public var description: String { "'\(member)' of the apple-app-site-association is not \(expected)." }
}

/// The parts of a link that a site association looks at.
struct SiteLink {
    var path: String
    var query: [(name: String, value: String)]
    var fragment: String
}

extension SiteAssociation.Detail {
    fileprivate init(_ value: JSONValue, named name: String) throws(SiteAssociationProblem) {
        guard let object = value.object else { throw SiteAssociationProblem(member: name, expected: "an object") }
        let single = object["appID"]?.string.map { [$0] }
        appIDs = object["appIDs"]?.array?.compactMap(\.string) ?? single ?? []
        if let paths = object["paths"]?.array?.compactMap(\.string) {
            components = paths.map { path in
                let isExclusion = path.hasPrefix("NOT ")
                return .init(path: isExclusion ? String(path.dropFirst(4)) : path, isExclusion: isExclusion)
            }
            return
        }
        guard let patterns = object["components"]?.array else {
            throw SiteAssociationProblem(member: name + ".components", expected: "an array, and there are no 'paths'")
        }
        components = []
        for (number, pattern) in patterns.enumerated() {
            guard let pattern = pattern.object else {
                throw SiteAssociationProblem(member: name + ".components[\(number)]", expected: "an object")
            }
            components.append(SiteAssociation.Component(pattern))
        }
    }

    /// Whether the entry is for an app; an id in the file begins with the prefix of the team.
    fileprivate func belongs(to bundleID: String) -> Bool {
        appIDs.isEmpty || appIDs.contains { $0 == bundleID || $0.hasSuffix("." + bundleID) }
    }
}

extension SiteAssociation.Component {
    fileprivate init(_ object: JSONObject) {
        path = object["/"]?.string
        for item in object["?"]?.object?.members ?? [] { query[item.key] = item.value.string }
        fragment = object["#"]?.string
        isExclusion = object["exclude"]?.bool ?? false
        isCaseSensitive = object["caseSensitive"]?.bool ?? true
    }

    fileprivate func matches(_ link: SiteLink) -> Bool {
        guard matches(path, link.path), matches(fragment, link.fragment) else { return false }
        return query.allSatisfy { name, pattern in
            let values = link.query.filter { $0.name == name }.map(\.value)
            // An item that is not there matches what an empty one would.
            return (values.isEmpty ? [""] : values).allSatisfy { matches(pattern, $0) }
        }
    }

    private func matches(_ pattern: String?, _ text: String) -> Bool {
        guard let pattern else { return true }
        return isCaseSensitive
            ? Wildcards.match(Array(pattern), Array(text))
            : Wildcards.match(Array(pattern.lowercased()), Array(text.lowercased()))
    }
}

private enum Wildcards {
    /// Whether a text matches a pattern, in a time that grows with the product of their lengths at most.
    static func match(_ pattern: [Character], _ text: [Character]) -> Bool {
        var place = 0
        var position = 0
        var star = -1
        var resumption = 0
        while position < text.count {
            if place < pattern.count, pattern[place] == "*" {
                star = place
                resumption = position
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[position] {
                place += 1
                position += 1
            } else if star >= 0 {
                resumption += 1
                place = star + 1
                position = resumption
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}
