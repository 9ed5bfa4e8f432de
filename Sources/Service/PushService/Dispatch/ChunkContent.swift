import Foundation
import PushModel

/// What is sent to the devices of a chunk: the same push to all, or of a batch one of its own to each.
struct ChunkContent: Sendable {
    /// One for all, or one for each place. Nil stands for a push that cannot be read.
    private let composers: [PushComposer?]
    private let ids: [MessageID]
    /// Pushes a second at most; nil is no limit.
    let rate: Int64?
    /// When APNs is to give up.
    let expiresAt: Date

    /// * `zone`: that of the service.
    /// * `unreadable`: is told of each push that cannot be read.
    init(
        of message: Message,
        expiresAt: Date,
        app: App,
        zone: TimeZone,
        apnsIDs: APNsIDCodec,
        unreadable: (MessageID, any Error) -> Void
    ) {
        var rate: Int64?
        func composer(_ id: MessageID, _ read: () throws -> (Message, PushRequest)) -> PushComposer? {
            do {
                let (message, request) = try read()
                if request.options.rate != nil { rate = request.options.rate }
                return PushComposer(
                    request,
                    message: message,
                    expiresAt: expiresAt,
                    app: app,
                    zone: zone,
                    apnsIDs: apnsIDs
                )
            } catch {
                unreadable(id, error)
                return nil
            }
        }
        if let batch = message.batch {
            ids = batch.entries.map(\.id)
            composers = batch.entries.indices.map { place in
                composer(batch.entries[place].id) { try batch.push(at: place) }
            }
            rate = nil
        } else {
            ids = [message.id]
            composers = [composer(message.id) { (message, try PushRequest(parsing: message.body, file: .allowed)) }]
        }
        self.rate = rate
        self.expiresAt = expiresAt
    }

    /// Whether any push changes badges by what they are.
    var changesBadges: Bool { composers.contains { $0?.badge != nil } }

    /// Whether any push may be held back from somebody.
    var hasQuietHours: Bool { composers.contains { $0?.quietHours != nil } }

    func composer(at place: Int) -> PushComposer? { composers[composers.count == 1 ? 0 : place] }

    /// The id of the push that the device at this place is sent.
    func message(at place: Int) -> MessageID { ids[ids.count == 1 ? 0 : place] }
}
