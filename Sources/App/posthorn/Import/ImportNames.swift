import PushModel

/// The aliases and tags that the texts of an export become, with `_` for each character that they cannot have.
///
/// Several texts can become one name. Only the first of them in the file gets it: a push to one must not reach the others. Each name with
/// a `_` takes about 32 bytes here.
struct ImportNames {
    /// The hash of the text that has a name, by the hash of the name.
    private var texts: [Int: Int] = [:]

    /// Returns the alias for an id; nil for one that is too long, of which `remarks` gets one.
    ///
    /// - Throws: if another id has it.
    mutating func alias(for id: String, remarks: inout [String]) throws(DeviceImport.Problem) -> String? {
        let alias = Self.name(for: id)
        guard Self.fits(alias, shown: "the alias '\(id.prefix(40))…'", remarks: &remarks) else { return nil }
        guard give(alias, to: id, in: .alias) else {
            throw DeviceImport.Problem(
                "'\(id.prefix(80))' would have the alias '\(alias)', which stands for another id of the file; change one of them."
            )
        }
        return alias
    }

    /// Returns the tags for texts, without those that do not fit; `remarks` gets one for each of these.
    mutating func tags(for texts: [String], _ remarks: inout [String]) -> [String] {
        let tags = texts.filter { !$0.isEmpty }.compactMap { text -> String? in
            let tag = Self.name(for: text)
            let shown = text.count > 40 ? text.prefix(40) + "…" : text
            guard Self.fits(tag, shown: "'\(shown)'", remarks: &remarks) else { return nil }
            guard give(tag, to: text, in: .tags) else {
                remarks.append("'\(shown)' would be '\(tag)', which stands for another tag of the file")
                return nil
            }
            return tag
        }
        let excess = tags.count - JPushLimits.tagsPerDevice
        if excess > 0 {
            remarks.append("a device has at most \(JPushLimits.tagsPerDevice); the last \(excess) are too many")
        }
        return Array(tags.prefix(JPushLimits.tagsPerDevice))
    }

    /// Adds an attribute, with `_` for characters that its name cannot have; `remarks` gets one if it does not fit.
    static func add(
        _ name: String,
        _ text: String,
        to attributes: inout [String: String],
        remarks: inout [String]
    ) {
        let name = name.replacing(/[^0-9A-Za-z_]/, with: "_")
        guard attributes[name] == nil else { return remarks.append("a second attribute '\(name)'") }
        do {
            attributes = try AttributeEdit(.object([name: .string(text)])).attributes(after: attributes)
        } catch { remarks.append(String(error.message.dropLast())) }
    }

    private static func fits(_ name: String, shown: String, remarks: inout [String]) -> Bool {
        let bytes = name.utf8.count
        guard bytes > JPushLimits.tagBytes else { return true }
        remarks.append("\(shown) has \(bytes) bytes; at most \(JPushLimits.tagBytes) are allowed")
        return false
    }

    private static func name(for text: String) -> String {
        let scalars = text.unicodeScalars.map { JPushLimits.isTag(String($0)) ? $0 : "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Gives a name to a text; returns false if another one has it.
    private mutating func give(_ name: String, to text: String, in field: DeviceImport.Field) -> Bool {
        guard name.utf8.contains(UInt8(ascii: "_")) else { return true }
        var hasher = Hasher()
        hasher.combine(field)
        hasher.combine(ExactText(name))
        let key = hasher.finalize()
        let own = ExactText(text).hashValue
        guard texts[key, default: own] == own else { return false }
        texts[key] = own
        return true
    }
}
