import CObjectCreation
public import Foundation

/// A row of a table. Its values are kept; Posthorn draws nothing.
///
/// Source: Apple, `UITableViewCell`.
@preconcurrency @MainActor
open class UITableViewCell: UIView {
    /// The labels of a cell. Raw values: Apple, `UITableViewCellStyle`.
    public enum CellStyle: Int, Sendable {
        /// One label; a second, grey one at the other side; one in colour with one beside it; and a second, smaller one below it.
        case `default`, value1, value2, subtitle
    }

    /// The mark at the end of a cell. Raw values: Apple, `UITableViewCellAccessoryType`.
    public enum AccessoryType: Int, Sendable {
        /// Nothing, an arrow, a sign for details with an arrow, a mark, and a sign for details.
        case none, disclosureIndicator, detailDisclosureButton, checkmark, detailButton
    }

    /// The look of a selected cell. Raw values: Apple, `UITableViewCellSelectionStyle`.
    public enum SelectionStyle: Int, Sendable {
        /// No change, blue (since iOS 7 grey), grey, and as the system draws it.
        case none, blue, gray, `default`
    }

    /// The line below a cell. Raw values: Apple, `UITableViewCellSeparatorStyle`.
    public enum SeparatorStyle: Int, Sendable {
        /// No line.
        case none = 0
        /// A line.
        case singleLine = 1
    }

    /// The way in which a row is edited. Raw values: Apple, `UITableViewCellEditingStyle`.
    public enum EditingStyle: Int, Sendable {
        /// Not at all, by deleting the row, and by inserting a row.
        case none, delete, insert
    }

    /// The identifier by which cells are used again; nil for never.
    public let reuseIdentifier: String?
    /// The view of the content.
    public let contentView = UIView()
    /// The label; of all styles.
    open private(set) lazy var textLabel: UILabel? = UILabel()
    /// The second label; nil in the default style.
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : UILabel()
    /// The view of the picture.
    open private(set) lazy var imageView: UIImageView? = UIImageView()
    /// The sign at the end; stored only.
    open var accessoryType = AccessoryType.none
    /// A view in place of the sign; nil for none.
    open var accessoryView: UIView?
    /// How a selected cell looks; stored only.
    open var selectionStyle = SelectionStyle.default
    /// Whether the cell is selected.
    open var isSelected = false
    /// Whether the cell is touched.
    open var isHighlighted = false
    private let style: CellStyle

    /// Creates a cell.
    public init(style: CellStyle, reuseIdentifier: String?) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: .zero)
        addSubview(contentView)
    }

    public required init?(coder: NSCoder) {
        style = .default
        reuseIdentifier = nil
        super.init(coder: coder)
        addSubview(contentView)
    }

    public override convenience init(frame: CGRect) {
        self.init(style: .default, reuseIdentifier: nil)
        self.frame = frame
    }

    /// The cell is about to be used for another row. Overrides call `super`.
    open func prepareForReuse() {}
    /// Sets the selection, without an animation.
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
    /// Sets the highlight, without an animation.
    open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }

    /// Creates a cell of a registered class, with its `init(style:reuseIdentifier:)`.
    static func make(_ type: UITableViewCell.Type, reuseIdentifier: String) -> UITableViewCell {
        let pointer = unsafe unsafeBitCast(type as AnyClass, to: UnsafeRawPointer.self)
        // The initialiser takes over the string.
        let name = UnsafeMutablePointer<String?>.allocate(capacity: 1)
        defer { unsafe name.deallocate() }
        unsafe name.initialize(to: reuseIdentifier)
        let object = unsafe Unmanaged<UITableViewCell>.fromOpaque(create_table_view_cell(pointer, 0, name))
        return unsafe object.takeRetainedValue()
    }
}
