public import Foundation
import SystemPort

/// A list of rows. Nothing is drawn and nobody scrolls: it asks its data source when the app asks it.
///
/// ``reloadData()`` asks for the numbers of sections and rows, and forgets the cells; ``cellForRow(at:)`` asks for a cell once and
/// keeps it, as if all rows were on the screen. Source: Apple, `UITableView`.
@preconcurrency @MainActor
open class UITableView: UIScrollView {
    /// The form of a table. Raw values: Apple, `UITableViewStyle`.
    public enum Style: Int, Sendable {
        case plain = 0
        case grouped = 1
        case insetGrouped = 2
    }

    /// The animation of a change, which takes no time here. Raw values: Apple, `UITableViewRowAnimation`.
    public enum RowAnimation: Int, Sendable {
        case fade = 0
        case right = 1
        case left = 2
        case top = 3
        case bottom = 4
        case none = 5
        case middle = 6
        case automatic = 100
    }

    /// The place of a row that the table scrolls to. Raw values: Apple, `UITableViewScrollPosition`.
    public enum ScrollPosition: Int, Sendable {
        case none = 0
        case top = 1
        case middle = 2
        case bottom = 3
    }

    public static let automaticDimension: CGFloat = -1

    public let style: Style
    open weak var dataSource: (any UITableViewDataSource)?
    open var rowHeight: CGFloat = UITableView.automaticDimension
    open var estimatedRowHeight: CGFloat = UITableView.automaticDimension
    open var separatorStyle = UITableViewCell.SeparatorStyle.singleLine
    open var separatorColor: UIColor?
    open var tableHeaderView: UIView?
    open var tableFooterView: UIView?
    open var backgroundView: UIView?
    open var allowsSelection = true
    open var refreshControl: UIRefreshControl?
    open private(set) var indexPathForSelectedRow: IndexPath?
    /// The number of rows in each section; nil until the data source is asked.
    private var counts: [Int]?
    private var cells: [IndexPath: UITableViewCell] = [:]
    private var classes: [String: UITableViewCell.Type] = [:]
    private var nibs: [String: UINib] = [:]

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        style = .plain
        super.init(coder: coder)
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }

    // MARK: Rows

    open func reloadData() {
        counts = nil
        for cell in cells.values { cell.removeFromSuperview() }
        cells = [:]
        indexPathForSelectedRow = nil
        _ = rows
    }

    private var rows: [Int] {
        if let counts { return counts }
        guard let dataSource else { return [] }
        let found = (0..<dataSource.numberOfSections(in: self)).map {
            dataSource.tableView(self, numberOfRowsInSection: $0)
        }
        counts = found
        return found
    }

    open var numberOfSections: Int { rows.count }
    open func numberOfRows(inSection section: Int) -> Int { rows.indices.contains(section) ? rows[section] : 0 }

    /// Returns the cell of a row; nil if there is no such row.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? {
        if let cell = cells[indexPath] { return cell }
        guard let dataSource, (0..<numberOfRows(inSection: indexPath.section)).contains(indexPath.row) else {
            return nil
        }
        let cell = dataSource.tableView(self, cellForRowAt: indexPath)
        (delegate as? any UITableViewDelegate)?.tableView(self, willDisplay: cell, forRowAt: indexPath)
        cells[indexPath] = cell
        addSubview(cell)
        return cell
    }

    open func indexPath(for cell: UITableViewCell) -> IndexPath? { cells.first { $0.value === cell }?.key }
    /// The cells that the data source has been asked for, in the order of their rows.
    open var visibleCells: [UITableViewCell] { cells.sorted { $0.key < $1.key }.map(\.value) }
    open var indexPathsForVisibleRows: [IndexPath]? { cells.keys.sorted() }

    // The table looks at its data source again after changes.
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }
    open func beginUpdates() {}
    open func endUpdates() {}

    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        if let completion { Transitions.current.add { completion(true) } }
    }

    /// Selects a row, without a call of the delegate.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        indexPathForSelectedRow = indexPath
    }

    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        if indexPathForSelectedRow == indexPath { indexPathForSelectedRow = nil }
    }

    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

    // MARK: Reusable cells

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    open func register(_ nib: UINib?, forCellReuseIdentifier identifier: String) { nibs[identifier] = nib }

    /// Creates a cell of the registered class. Nothing scrolls away, so none is used again.
    ///
    /// - Returns: nil if no class is registered.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        if let nib = nibs[identifier] { _ = nib.instantiate(withOwner: self) }
        return classes[identifier].map { UITableViewCell.make($0, reuseIdentifier: identifier) }
    }

    /// Creates a cell of the registered class; raises an exception if none is registered.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        if let cell = dequeueReusableCell(withIdentifier: identifier) { return cell }
        RaisedException.raise(
            "unable to dequeue a cell with identifier \(identifier) - must register a nib or a class for the identifier"
        )
        return UITableViewCell(style: .default, reuseIdentifier: identifier)
    }
}

/// The control that reloads a table. Nobody pulls it.
@preconcurrency @MainActor
open class UIRefreshControl: UIControl {
    open private(set) var isRefreshing = false

    open func beginRefreshing() { isRefreshing = true }
    open func endRefreshing() { isRefreshing = false }
}

extension IndexPath {
    public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }

    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    public var item: Int {
        get { self[1] }
        set { self[1] = newValue }
    }
}
