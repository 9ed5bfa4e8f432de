import Foundation
import PushModel

/// The content for the devices of a chunk: the same push for all, or, in a batch, a separate one for each.
struct ChunkContent: Sendable {
    /// One composer for all places, or one for each. Nil stands for a push that cannot be read.
    private let composers: [PushComposer?]
    private let ids: [MessageID]
    /// The push whose notification devices are asked to remove; nil for any other content.
    let takesBack: MessageID?
    /// The maximum number of pushes per second; nil for no limit.
    let rate: Int64?
    /// The date when APNs stops trying to deliver.
    let expiresAt: Date

    /// Reads the pushes of a message, in the service's time zone; calls `unreadable` for each that cannot be read.
    init(
        of message: Message,
        expiresAt: Date,
        app: App,
        zone: TimeZone,
        apnsIDs: APNSIDCodec,
        unreadable: (MessageID, any Error) -> Void
    ) {
        var rate: Int64?
        let ids = message.ids
        composers = ids.indices.map { place in
            do {
                let (push, request) = try message.push(at: place)
                if message.batch == nil { rate = request.options.rate }
                return PushComposer(
                    request,
                    message: push,
                    expiresAt: expiresAt,
                    app: app,
                    zone: zone,
                    apnsIDs: apnsIDs
                )
            } catch {
                unreadable(ids[place], error)
                return nil
            }
        }
        self.ids = ids
        takesBack = message.takesBack
        self.rate = rate
        self.expiresAt = expiresAt
    }

    /// Whether any push changes badges.
    var changesBadges: Bool { composers.contains { $0?.badge != nil } }

    /// Whether any push may be held back because of quiet hours.
    var hasQuietHours: Bool { composers.contains { $0?.quietHours != nil } }

    /// Whether any push has variables in its alert.
    var hasVariables: Bool { composers.contains { $0?.hasVariables == true } }

    /// Whether any push has alerts by language.
    var hasLanguages: Bool { composers.contains { $0?.languages.isEmpty == false } }

    /// The tokens that the push is sent to, if they are not those for notifications. A batch has none.
    var channel: ChannelKey? { composers.count == 1 ? composers[0]?.channel : nil }

    /// The topic that devices can decline, with the time zone of those that have reported none; nil for none. A batch has none.
    var topic: (name: String, zone: TimeZone)? {
        guard composers.count == 1, let composer = composers[0], let name = composer.topic else { return nil }
        return (name, composer.zone)
    }

    /// The push that must not have been opened on a device; nil for none. A batch has none.
    var unlessOpened: MessageID? { composers.count == 1 ? composers[0]?.unlessOpened : nil }

    func composer(at place: Int) -> PushComposer? { composers[composers.count == 1 ? 0 : place] }

    /// Returns the id of the push for the device at this place.
    func messageID(at place: Int) -> MessageID { ids[ids.count == 1 ? 0 : place] }
}
