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
        /// One list, sections with space between them, and sections with round corners.
        case plain, grouped, insetGrouped
    }

    /// The animation of a change, which takes no time here. Raw values: Apple, `UITableViewRowAnimation`.
    public enum RowAnimation: Int, Sendable {
        /// By fading, to the right, to the left, upwards, downwards, at once, and to the middle; rows change at once here.
        case fade, right, left, top, bottom, none, middle
        /// The system's choice.
        case automatic = 100
    }

    /// The place of a row that the table scrolls to. Raw values: Apple, `UITableViewScrollPosition`.
    public enum ScrollPosition: Int, Sendable {
        /// As near as it is, at the top, in the middle, and at the bottom.
        case none, top, middle, bottom
    }

    /// A height that comes from the content.
    public static let automaticDimension: CGFloat = -1

    /// The style; looks the same here.
    public let style: Style
    /// The source of sections, rows and cells.
    open weak var dataSource: (any UITableViewDataSource)?
    /// The height of rows, in points; stored only.
    open var rowHeight: CGFloat = UITableView.automaticDimension
    /// The height of rows that were not laid out yet, in points; stored only.
    open var estimatedRowHeight: CGFloat = UITableView.automaticDimension
    /// The lines between rows; stored only.
    open var separatorStyle = UITableViewCell.SeparatorStyle.singleLine
    /// The colour of these lines; stored only.
    open var separatorColor: UIColor?
    /// The view above the first section.
    open var tableHeaderView: UIView?
    /// The view below the last section.
    open var tableFooterView: UIView?
    /// The view behind the rows.
    open var backgroundView: UIView?
    /// Whether rows can be selected; stored only.
    open var allowsSelection = true
    /// The control by which the user loads the rows again; nil for none.
    open var refreshControl: UIRefreshControl?
    /// The row that was selected; nil for none.
    open private(set) var indexPathForSelectedRow: IndexPath?
    /// The number of rows in each section; nil until the data source is asked.
    private var counts: [Int]?
    private var cells: [IndexPath: UITableViewCell] = [:]
    private var classes: [String: UITableViewCell.Type] = [:]
    private var nibs: [String: UINib] = [:]

    /// Creates a table without rows.
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

    /// Asks the data source for everything again, and makes all cells.
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

    /// The number of sections at the last loading.
    open var numberOfSections: Int { rows.count }
    /// Returns the number of rows of a section at the last loading; 0 for an unknown section.
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

    /// Returns the place of a cell; nil if it is not in the table.
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { cells.first { $0.value === cell }?.key }
    /// The cells that the data source has been asked for, in the order of their rows.
    open var visibleCells: [UITableViewCell] { cells.sorted { $0.key < $1.key }.map(\.value) }
    /// The places of all rows: nothing is scrolled out of sight.
    open var indexPathsForVisibleRows: [IndexPath]? { cells.keys.sorted() }

    // The table looks at its data source again after changes.
    /// Loads all rows again.
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    /// Loads all rows again.
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    /// Loads all rows again.
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) { reloadData() }
    /// Loads all rows again.
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) { reloadData() }
    /// Does nothing: changes apply at once.
    open func beginUpdates() {}
    /// Does nothing: changes apply at once.
    open func endUpdates() {}

    /// Runs `updates`, then `completion` with true.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        updates?()
        if let completion { Transitions.current.add { completion(true) } }
    }

    /// Selects a row, without a call of the delegate.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        indexPathForSelectedRow = indexPath
    }

    /// Ends the selection of a row, without telling the delegate.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {
        if indexPathForSelectedRow == indexPath { indexPathForSelectedRow = nil }
    }

    /// Does nothing: nothing is scrolled.
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {}

    // MARK: Reusable cells

    /// Sets the class of the cells for an identifier; nil removes it.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        classes[identifier] = cellClass as? UITableViewCell.Type
    }

    /// Sets the nib of the cells for an identifier; nil removes it.
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
