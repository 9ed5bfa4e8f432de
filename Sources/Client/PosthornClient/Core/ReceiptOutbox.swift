/// The receipts that the service does not have yet, and the last ones that it has.
struct ReceiptOutbox: Hashable, Sendable, Decodable {
    /// The number of receipts that are kept.
    static let most = 1000
    /// The number of sent receipts that are recognised when they are reported again.
    static let mostRemembered = 1000

    private(set) var receipts: [Receipt] = []
    /// Receipts that the service has, oldest first.
    private var reported: [Receipt] = []

    private enum CodingKeys: CodingKey { case receipts, reported }

    init() {}

    /// The stored form. The reported ones may be a thousand.
    var json: String {
        #"{"receipts":[\#(Self.json(receipts))],"reported":[\#(Self.json(reported))]}"#
    }

    private static func json(_ receipts: [Receipt]) -> String {
        var text = ""
        for receipt in receipts {
            if !text.isEmpty { text += "," }
            text += #"{"event":"\#(receipt.event.rawValue)","messageID":\#(receipt.messageID),"time":\#(receipt.time)}"#
        }
        return text
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        receipts = (try? values.given(.receipts)) ?? []
        reported = (try? values.given(.reported)) ?? []
    }

    /// Adds a receipt, unless the same event of the push was reported before.
    ///
    /// - Returns: whether it is new.
    mutating func add(_ receipt: Receipt) -> Bool {
        guard !receipts.contains(where: receipt.isSame(as:)), !reported.contains(where: receipt.isSame(as:)) else {
            return false
        }
        receipts.append(receipt)
        if receipts.count > Self.most { receipts.removeFirst() }
        return true
    }

    /// Moves sent receipts to those that are recognised.
    mutating func settle(_ sent: [Receipt]) {
        receipts.removeAll { receipt in sent.contains(where: receipt.isSame(as:)) }
        reported += sent
        if reported.count > Self.mostRemembered { reported.removeFirst(reported.count - Self.mostRemembered) }
    }
}
