public import Foundation

extension IndexPath {
    /// Creates the place of a row in a section.
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    /// Creates the place of an item in a section.
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    /// The first number.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    /// The second number, of a row.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    /// The second number, of an item.
    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
