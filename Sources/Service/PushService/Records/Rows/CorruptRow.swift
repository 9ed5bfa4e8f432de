import PushModel

/// A row with a value that no version of Posthorn writes.
package struct CorruptRow: Error, CustomStringConvertible {
    package var table: String
    package var column: String
    package var found: String

    package init(table: String, column: String, found: String) {
        self.table = table
        self.column = column
        self.found = found
    }

    package var description: String {
        "The database holds '\(found)' in \(table).\(column), which no version of Posthorn writes. Restore a backup."
    }
}
