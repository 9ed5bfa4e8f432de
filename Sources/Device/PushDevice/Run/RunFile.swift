public import Foundation

/// A run of a phone as a file: what happened, in order, and the phone's state after each step.
///
/// `Documentation/RunFile.md` describes the format.
public struct RunFile: Hashable, Sendable, Codable {
    /// The value of the member `format`.
    public static let formatName = "posthorn-run"
    /// The version that this code writes and reads.
    public static let currentVersion = 1

    /// Always ``formatName``.
    public var format = Self.formatName
    /// The version of the format.
    public var version = Self.currentVersion
    /// The phone's name.
    public var phone: String
    /// The version of iOS.
    public var system: String
    /// The state before the first entry.
    public var start: PhoneState
    /// The entries, oldest first.
    public var entries: [Entry]

    /// An event on the phone.
    public struct Entry: Hashable, Sendable, Codable {
        /// Counts the events of the phone, from 1.
        public var number = 0
        /// The time on the phone's clock.
        public var date: Date
        /// The bundle id of the app; absent for the phone itself.
        public var app: String?
        /// The name of the event, such as `bannerShown` or `callback`.
        public var event: String
        /// Its details in words; empty without any.
        public var detail: String
        /// The app's state, for a callback.
        public var state: String?
        /// The id of the notification or the Live Activity, if the event is about one.
        public var notification: String?
        /// The phone's state after the event; absent if the event changed nothing but the time.
        public var after: PhoneState?
    }

    /// A file that is not a run, or that another version wrote.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        /// The reason, and what to do.
        public var description: String
    }
}

extension RunFile {
    /// Reads a file.
    ///
    /// - Parameter data: the contents of the file.
    /// - Throws: ``Problem``.
    public init(reading data: Data) throws(Problem) {
        struct Head: Decodable {
            var format: String?
            var version: Int?
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let head = try? decoder.decode(Head.self, from: data), head.format == Self.formatName else {
            throw Problem(description: "This is not a run: expected JSON with \"format\": \"\(Self.formatName)\".")
        }
        guard head.version == Self.currentVersion else {
            let found = head.version.map { "\($0)" } ?? "missing"
            throw Problem(
                description: "The run's version is \(found); expected \(Self.currentVersion). "
                    + "Open it with the Posthorn that wrote it, or record it again."
            )
        }
        do { self = try decoder.decode(Self.self, from: data) } catch {
            throw Problem(description: "The run is damaged: \(error)")
        }
    }

    /// The contents of the file: JSON in UTF-8 with sorted keys.
    public var data: Data { get throws { try Self.encoder().encode(self) } }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
