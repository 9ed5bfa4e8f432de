import CObjectCreation
public import Foundation

/// A row of a table. Its values are kept; Posthorn draws nothing.
///
/// Source: Apple, `UITableViewCell`.
@preconcurrency @MainActor
open class UITableViewCell: UIView {
    /// The labels of a cell. Raw values: Apple, `UITableViewCellStyle`.
    public enum CellStyle: Int, Sendable {
        case `default` = 0
        case value1 = 1
        case value2 = 2
        case subtitle = 3
    }

    /// The mark at the end of a cell. Raw values: Apple, `UITableViewCellAccessoryType`.
    public enum AccessoryType: Int, Sendable {
        case none = 0
        case disclosureIndicator = 1
        case detailDisclosureButton = 2
        case checkmark = 3
        case detailButton = 4
    }

    /// The look of a selected cell. Raw values: Apple, `UITableViewCellSelectionStyle`.
    public enum SelectionStyle: Int, Sendable {
        case none = 0
        case blue = 1
        case gray = 2
        case `default` = 3
    }

    /// The line below a cell. Raw values: Apple, `UITableViewCellSeparatorStyle`.
    public enum SeparatorStyle: Int, Sendable {
        case none = 0
        case singleLine = 1
    }

    /// The way in which a row is edited. Raw values: Apple, `UITableViewCellEditingStyle`.
    public enum EditingStyle: Int, Sendable {
        case none = 0
        case delete = 1
        case insert = 2
    }

    public let reuseIdentifier: String?
    public let contentView = UIView()
    open private(set) lazy var textLabel: UILabel? = UILabel()
    /// The second label; nil in the default style.
    open private(set) lazy var detailTextLabel: UILabel? = style == .default ? nil : UILabel()
    open private(set) lazy var imageView: UIImageView? = UIImageView()
    open var accessoryType = AccessoryType.none
    open var accessoryView: UIView?
    open var selectionStyle = SelectionStyle.default
    open var isSelected = false
    open var isHighlighted = false
    private let style: CellStyle

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

    open func prepareForReuse() {}
    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
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
