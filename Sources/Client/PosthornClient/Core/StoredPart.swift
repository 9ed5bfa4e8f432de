import Foundation

/// A part of the client's state, which is stored under a name of its own: a receipt does not write the queue again.
enum StoredPart: Hashable, Sendable {
    indirect case state(SavedState)
    case queue(RequestQueue)
    case receipts(ReceiptOutbox)
    case position(SavedPosition)

    enum Key: String {
        case state
        case queue
        case receipts
        case position
    }

    var key: Key {
        switch self {
        case .state: .state
        case .queue: .queue
        case .receipts: .receipts
        case .position: .position
        }
    }

    /// The part as JSON. All but operations that wait are written without `JSONEncoder`, which takes ten times as long.
    func encoded() throws -> Data {
        switch self {
        case .state(let state): Data(state.json.utf8)
        case .queue(let queue) where !queue.kept.isEmpty: try JSONEncoder().encode(queue)
        case .queue(let queue): Data(#"{"lastNumber":\#(queue.reserved)}"#.utf8)
        case .receipts(let outbox): Data(outbox.json.utf8)
        case .position(let position): Data(position.json.utf8)
        }
    }
}

/// The parts that an earlier process has stored.
struct StoredParts: Hashable, Sendable {
    /// Nil at the first start, or if it is damaged.
    var state: SavedState?
    var queue = RequestQueue()
    var receipts = ReceiptOutbox()
    var position = SavedPosition()
    /// Whether parts are in the state, as an older version has stored them, and have to be stored before the state is.
    var isWhole = false

    init(state: SavedState? = nil) { self.state = state }

    /// Reads the parts.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - log: is told of a damaged part, which begins anew: registering again is better than an app without pushes.
    /// - Throws: the store's error if it cannot be read.
    init(from store: any StateStore, log: (String) -> Void) throws {
        let whole = try store.data(for: StoredPart.Key.state.rawValue)
        var isWhole = false
        func read<Part: Decodable & Equatable>(_ key: StoredPart.Key, none: Part) throws -> Part {
            let own = key == .state ? whole : try store.data(for: key.rawValue)
            guard let data = own ?? whole else { return none }
            do {
                let part = try JSONDecoder().decode(Part.self, from: data)
                if own == nil, part != none { isWhole = true }
                return part
            } catch {
                log("The client's stored \(key.rawValue) is damaged, and begins anew: \(error)")
                return none
            }
        }
        state = try read(.state, none: state)
        queue = try read(.queue, none: queue)
        receipts = try read(.receipts, none: receipts)
        position = try read(.position, none: position)
        self.isWhole = isWhole
    }
}
