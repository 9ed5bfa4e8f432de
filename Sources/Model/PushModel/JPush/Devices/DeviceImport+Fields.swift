extension DeviceImport {
    /// Reads fields of the usual form; nil for any others, which ``init(_:)`` reads or refuses.
    package init?(_ fields: DeviceFields, in octets: [UInt8]) {
        func text(_ place: DeviceFields.Place) -> String { String(decoding: octets[place.range], as: UTF8.self) }
        guard let place = fields[.token], place.isText,
            let token = DeviceToken(digits: octets.span.extracting(place.range))
        else { return nil }
        self.init(token: token)
        if let place = fields[.registrationID], !place.isEmpty {
            guard place.isText, let id = RegistrationID(text(place)) else { return nil }
            registrationID = id
        }
        if let place = fields[.environment], !place.isEmpty {
            guard place.isText, let environment = APNSEnvironment(rawValue: text(place)) else { return nil }
            self.environment = environment
        }
        if let place = fields[.alias] {
            let name = text(place)
            guard place.isText, place.isEmpty || JPushLimits.isTag(name) else { return nil }
            alias = place.isEmpty ? .cleared : .set(name)
        }
        if let place = fields[.tags] {
            guard let tags = Self.tags(place, in: octets) else { return nil }
            self.tags = tags
        }
        if let place = fields[.attributes], !place.isEmpty {
            guard let attributes = try? Self.attributes(place.json(in: octets)) else { return nil }
            self.attributes = attributes
        }
        for field in Field.facts {
            guard let place = fields[field], !place.isEmpty else { continue }
            let fact = text(place)
            guard place.isText, Self.isFact(fact) else { return nil }
            facts[field] = fact
        }
    }

    /// Returns the tags of a text, with commas or semicolons between them, or of an array of strings; nil for any other form.
    private static func tags(_ place: DeviceFields.Place, in octets: [UInt8]) -> [String]? {
        let quote = UInt8(ascii: "\"")
        var rest = octets[place.range]
        if !place.isText {
            guard rest.popFirst() == UInt8(ascii: "["), rest.popLast() == UInt8(ascii: "]") else { return nil }
        }
        var tags: [String] = []
        while !rest.isEmpty {
            let end =
                rest.firstIndex { $0 == CSVReader.comma || $0 == UInt8(ascii: ";") && place.isText } ?? rest.endIndex
            var part = rest[..<end]
            rest = rest[end...].dropFirst()
            while part.first == UInt8(ascii: " ") { _ = part.popFirst() }
            while part.last == UInt8(ascii: " ") { _ = part.popLast() }
            if !place.isText {
                // No name has a quotation mark, nor an escape for one.
                guard part.popFirst() == quote, part.popLast() == quote else { return nil }
            } else if part.isEmpty {
                continue
            }
            let tag = String(decoding: part, as: UTF8.self)
            guard JPushLimits.isTag(tag), tags.count < JPushLimits.tagsPerDevice else { return nil }
            tags.append(tag)
        }
        let isSorted = zip(tags, tags.dropFirst()).allSatisfy { ExactText($0) < ExactText($1) }
        return isSorted ? tags : Set(exactly: tags).texts
    }
}

extension DeviceFields.Place {
    /// Whether this is an empty text.
    fileprivate var isEmpty: Bool { isText && range.isEmpty }
}

/// The body of a request to import devices: `{"devices":[…],"environment":…}`.
package struct DeviceImportBody {
    package var devices: [DeviceImport] = []
    /// The environment for devices without one; nil if the body has none.
    package var environment: APNSEnvironment?

    /// Parses a body with at most `limit` devices.
    ///
    /// - Throws: 1002 and 1003 for its first error.
    package init(parsing body: [UInt8], limit: Int) throws(JPushError) {
        let list: DeviceList
        do { list = try DeviceList(parsing: body, upTo: limit, and: "environment") } catch {
            throw .missing("The body is not JSON: \(error).")
        }
        guard let count = list.count else { throw .missing("'devices' is missing; expected an array of objects.") }
        guard count <= limit else {
            throw .badValue("'devices' has \(count) members; expected at most \(limit).")
        }
        if let value = list.other, value != .null {
            guard let given = value.string.flatMap(APNSEnvironment.init(rawValue:)) else {
                throw .badValue("'environment' is \(value.text); expected 'production' or 'development'.")
            }
            environment = given
        }
        devices.reserveCapacity(count)
        for (index, fields) in list.devices.enumerated() {
            do throws(DeviceImport.Problem) {
                guard let fields else { throw DeviceImport.Problem("It is not an object.") }
                if let device = DeviceImport(fields, in: body) {
                    devices.append(device)
                } else {
                    devices.append(try DeviceImport(fields.object(in: body)))
                }
            } catch { throw .badValue("'devices[\(index)]': \(error)") }
        }
    }
}
