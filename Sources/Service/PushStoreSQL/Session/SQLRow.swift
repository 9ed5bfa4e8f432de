package import Foundation
package import PushModel
package import PushService

/// A row of a result. Columns count from 0.
package protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func optionalInt64(_ column: Int) -> Int64?
    func optionalText(_ column: Int) -> String?
    func optionalBytes(_ column: Int) -> [UInt8]?
    func int64(_ column: Int) -> Int64
    func text(_ column: Int) -> String
    func bytes(_ column: Int) -> [UInt8]
    func bool(_ column: Int) -> Bool
    /// Passes the octets of a text to `body`, which costs no memory; none for null.
    func withOctets(_ column: Int, _ body: (Span<UInt8>) -> Void)
}

extension SQLRow {
    package func int(_ column: Int) -> Int { Int(int64(column)) }
    package func optionalInt(_ column: Int) -> Int? { optionalInt64(column).map { Int($0) } }
    package func app(_ column: Int) -> App.ID { App.ID(truncatingIfNeeded: int64(column)) }
    package func message(_ column: Int) -> MessageID { MessageID(int64(column)) }
    package func ordinal(_ column: Int) -> DeviceOrdinal { DeviceOrdinal(truncatingIfNeeded: int64(column)) }
    package func ordinals(_ column: Int) -> OrdinalList { OrdinalList(packed: bytes(column)) }
    package func places(_ column: Int) -> PlaceSet { PlaceSet(bytes: bytes(column)) }
    package func date(_ column: Int) -> Date { Date(milliseconds: int64(column)) }
    package func optionalDate(_ column: Int) -> Date? { optionalInt64(column).map { Date(milliseconds: $0) } }

    /// Returns one of the words that the column with this place and name of a table may have.
    ///
    /// - Throws: ``CorruptRow`` for an unknown word.
    package func word<Word: RawRepresentable<String>>(_ column: Int, _ name: String, of table: String) throws -> Word {
        try value(column, name, of: table) { Word(rawValue: $0) }
    }

    /// Returns the value that the text of a column with this place and name of a table stands for.
    ///
    /// - Throws: ``CorruptRow`` for a text that stands for none.
    package func value<Value>(
        _ column: Int,
        _ name: String,
        of table: String,
        reading convert: (String) -> Value?
    ) throws -> Value {
        let found = text(column)
        guard let value = convert(found) else { throw CorruptRow(table: table, column: name, found: found) }
        return value
    }
}
