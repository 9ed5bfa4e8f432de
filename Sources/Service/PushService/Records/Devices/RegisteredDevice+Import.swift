package import Foundation
package import PushModel

// An imported device waits for its app: nobody has its secret. When the app registers as a device of its own and sends the token,
// that device inherits the imported data.
extension RegisteredDevice {
    /// Whether the device is known only from a file, and no app has registered as it.
    package var isImported: Bool { secretHash.bytes.isEmpty }

    /// Takes over imported data where the app has set none.
    package mutating func inherit(from imported: RegisteredDevice) {
        if alias == nil { setAlias(imported.alias, isProved: imported.isAliasProved) }
        mobile = mobile ?? imported.mobile
        if attributes.isEmpty { attributes = imported.attributes }
        zone = zone ?? imported.zone
        language = language ?? imported.language
        let all = Set(exactly: tags + imported.tags)
        if all.count <= JPushLimits.tagsPerDevice { tags = all.texts }
    }

    /// Retires the device: no audience includes it, and it counts as inactive.
    package mutating func retire() {
        lastSeen = Date(timeIntervalSince1970: 0)
        token = nil
        alias = nil
        mobile = nil
        attributes = [:]
        tags = []
    }

    /// Whether the device was retired with ``retire()``.
    package var isRetired: Bool { isImported && token == nil && lastSeen.timeIntervalSince1970 == 0 }

    /// Takes on a reported or imported language, with `-` for `_`; a text that names none counts as none.
    mutating func read(language text: String?) {
        // Most devices report what they have reported before.
        guard let text, text != language, LanguageTag(text) != nil else { return }
        language = text.replacing("_", with: "-")
    }

    /// Applies a row of a file to a device that no app has registered as.
    ///
    /// `date` is the time at which it counts as seen: only the file says when such a device was seen.
    package mutating func apply(_ row: DeviceImport, environment: APNSEnvironment, seenAt date: Date) {
        // Not for every file of a day: an unchanged device costs no write.
        if date.timeIntervalSince(lastSeen) > 86_400 { lastSeen = date }
        token = row.token
        self.environment = row.environment ?? environment
        // The file comes from the app's backend.
        if case .set(let alias) = row.alias {
            setAlias(alias, isProved: true)
        } else {
            alias = row.alias.text(after: alias)
        }
        if let tags = row.tags { self.tags = tags }
        if let edit = row.attributes, let attributes = try? edit.attributes(after: attributes) {
            self.attributes = attributes
        }
        zone = row.facts[.zone].flatMap { TimeZone(iana: $0)?.identifier } ?? zone
        read(language: row.facts[.language])
        appVersion = row.facts[.appVersion] ?? appVersion
        system = row.facts[.system] ?? system
    }
}
