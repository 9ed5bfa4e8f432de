import Foundation
import PushModel

/// What is sent to the devices of a chunk: the same push to all, or of a batch one of its own to each.
struct ChunkContent {
    /// One for all, or one for each place. Nil stands for a push that cannot be read.
    private let composers: [PushComposer?]
    private let ids: [MessageID]

    /// * `unreadable`: is told of each push that cannot be read.
    init(
        of message: Message,
        expiresAt: Date,
        app: App,
        apnsIDs: APNsIDCodec,
        unreadable: (MessageID, any Error) -> Void
    ) {
        func composer(_ id: MessageID, _ read: () throws -> (Message, PushRequest)) -> PushComposer? {
            do {
                let (message, request) = try read()
                return PushComposer(request, message: message, expiresAt: expiresAt, app: app, apnsIDs: apnsIDs)
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
        } else {
            ids = [message.id]
            composers = [composer(message.id) { (message, try PushRequest(parsing: message.body, file: .allowed)) }]
        }
    }

    /// Whether any push changes badges by what they are.
    var changesBadges: Bool { composers.contains { $0?.badge != nil } }

    func composer(at place: Int) -> PushComposer? { composers[composers.count == 1 ? 0 : place] }

    /// The id of the push that the device at this place is sent.
    func message(at place: Int) -> MessageID { ids[ids.count == 1 ? 0 : place] }
}
