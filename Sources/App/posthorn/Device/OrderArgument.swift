import ArgumentParser
import Foundation
import PosthornStack
import PushDevice
import PushModel
import SystemPort

/// Reads the arguments of `posthorn device`. Each function throws an error with the text found and the text expected.
enum OrderArgument {
    /// Reads a duration: `+90s`, `+5m`, `+1h` or `+2d`.
    static func seconds(_ text: String) throws(ValidationError) -> Int64 {
        guard let seconds = TimeSpan.seconds(text.hasPrefix("+") ? text.dropFirst() : Substring(text)) else {
            throw ValidationError("'clock' takes 'next' or a time such as +90s, +5m, +1h or +2d; found '\(text)'.")
        }
        return Int64(seconds)
    }

    /// Reads the argument of `clock`.
    static func clock(_ text: String) throws(ValidationError) -> DeviceOrder {
        switch text {
        case "next": return .turnClockToNext
        case "firing": return .turnClockToFiring
        default:
            if let date = try? Date(text, strategy: .iso8601) { return .turnClockTo(date.timeIntervalSince1970) }
            return .turnClock(seconds: try seconds(text))
        }
    }

    /// Reads settings such as `sounds=off`.
    static func settings(_ words: [String]) throws(ValidationError) -> DeviceOrder.SettingsChange {
        var change = DeviceOrder.SettingsChange()
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            let name = parts.first ?? ""
            let value = parts.count == 2 ? parts[1] : ""
            let isOn = ["on": true, "off": false][value]
            switch name {
            case "sounds" where isOn != nil: change.sounds = isOn
            case "badges" where isOn != nil: change.badges = isOn
            case "banners" where isOn != nil: change.banners = isOn
            default:
                if name == "previews", let previews = SettingsRecord.Previews(rawValue: value) {
                    change.previews = previews
                } else if name == "grouping", let grouping = SettingsRecord.Grouping(rawValue: value) {
                    change.grouping = grouping
                } else {
                    throw ValidationError(
                        "'settings' takes sounds, badges or banners=on or off, previews=always, whenUnlocked or never, and "
                            + "grouping=automatic, byApp or off; found '\(word)'."
                    )
                }
            }
        }
        return change
    }

    static func location(_ text: String) throws(ValidationError) -> DeviceOrder {
        let numbers = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1], abs(latitude) <= 90,
            abs(longitude) <= 180
        else {
            throw ValidationError(
                "'location' takes LATITUDE,LONGITUDE in degrees, such as 52.52,13.40; found '\(text)'."
            )
        }
        return .location(latitude: latitude, longitude: longitude)
    }

    /// Reads `LATITUDE,LONGITUDE[,RADIUS]`; 100 m without a radius.
    static func place(_ text: String, isExit: Bool) throws(ValidationError) -> DeviceOrder.LocalNotification.Place {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard (2...3).contains(numbers.count), let latitude = numbers[0], let longitude = numbers[1],
            abs(latitude) <= 90, abs(longitude) <= 180, case let radius? = numbers.count == 3 ? numbers[2] : 100,
            radius > 0
        else {
            throw ValidationError(
                "--at-place takes LATITUDE,LONGITUDE[,RADIUS] in degrees and metres, such as 52.52,13.40,200; found '\(text)'."
            )
        }
        return DeviceOrder.LocalNotification.Place(
            latitude: latitude,
            longitude: longitude,
            radius: radius,
            isExit: isExit
        )
    }

    static func access(_ text: String) throws(ValidationError) -> LocationAuthorization {
        let words: [String: LocationAuthorization] = [
            "never": .denied, "ask": .notDetermined, "while-using": .whenInUse, "always": .always,
        ]
        if let access = words[text] { return access }
        throw ValidationError(
            "'location-access' takes one of 'never', 'ask', 'while-using', 'always'; found '\(text)'."
        )
    }

    static func timeOfDay(_ text: String) throws(ValidationError) -> TimeOfDay {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
            (0...59).contains(minute)
        else { throw ValidationError("'summary' takes 'on', 'off' or times such as 8:00 18:30; found '\(text)'.") }
        return TimeOfDay(hour: hour, minute: minute)
    }

    static func storefront(_ text: String) throws(ValidationError) -> String {
        try require(
            text.utf8.count == 3 && text.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }),
            "'storefront' takes a country's three capital letters, such as CHN; found '\(text)'."
        )
        return text
    }

    static func url(_ text: String, of option: String = "'open-url'") throws(ValidationError) -> URL {
        guard let url = URL(string: text), url.scheme != nil else {
            throw ValidationError("\(option) takes a URL with its scheme, such as myapp://news/1; found '\(text)'.")
        }
        return url
    }

    static func timeZone(_ text: String) throws(ValidationError) -> String {
        guard TimeZone(iana: text) != nil else {
            let expected = TimeZone.expectedName(insteadOf: text, such: "Europe/Berlin")
            throw ValidationError("'time-zone' is '\(text)'; expected \(expected).")
        }
        return text
    }

    static func isOn(_ text: String) throws(ValidationError) -> Bool {
        if let isOn = ["on": true, "off": false][text] { return isOn }
        throw ValidationError("Expected 'on' or 'off'; found '\(text)'.")
    }
}

extension OrderArgument {
    /// Reads `UUID,MAJOR,MINOR,METRES`.
    static func beacon(_ text: String) throws(ValidationError) -> NearbyBeacon {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 4, let uuid = UUID(uuidString: parts[0]), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2]), let distance = Double(parts[3]), distance >= 0, distance.isFinite
        else {
            throw ValidationError(
                "'beacons' takes UUID,MAJOR,MINOR,METRES, such as E2C56DB5-DFFB-48D2-B060-D0F5A71096E0,7,1,2.5; found '\(text)'."
            )
        }
        return NearbyBeacon(uuid: uuid, major: major, minor: minor, distance: distance)
    }

    /// Reads `key=value` words.
    ///
    /// - Returns: a dictionary of texts; nil without any.
    static func userInfo(_ words: [String]) throws(ValidationError) -> InfoValue? {
        var info: [InfoValue: InfoValue] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try require(parts.count == 2 && !parts[0].isEmpty, "--user-info takes key=value; found '\(word)'.")
            info[.string(parts[0])] = .string(parts[1])
        }
        return info.isEmpty ? nil : .dictionary(info)
    }
}
