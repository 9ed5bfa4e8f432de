public import Foundation

/// A view larger than its frame. Its values are kept; nobody scrolls it but the app.
///
/// Source: Apple, `UIScrollView`.
@preconcurrency @MainActor
open class UIScrollView: UIView {
    /// The receiver of scrolling.
    open weak var delegate: (any UIScrollViewDelegate)?
    /// The size of the content, in points.
    open var contentSize = CGSize.zero
    /// The place of the content that is at the upper left, in points.
    open var contentOffset = CGPoint.zero
    /// The space around the content, in points.
    open var contentInset = UIEdgeInsets.zero
    /// Whether the user can scroll; stored only.
    open var isScrollEnabled = true
    /// Whether it stops at pages; stored only.
    open var isPagingEnabled = false
    /// Whether it bounces at the end; stored only.
    open var bounces = true
    /// Whether it bounces if all content is visible; stored only.
    open var alwaysBounceVertical = false
    /// Whether the bar at the side is shown; stored only.
    open var showsVerticalScrollIndicator = true
    /// Whether the bar below is shown; stored only.
    open var showsHorizontalScrollIndicator = true

    /// Scrolls at once.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) { self.contentOffset = contentOffset }
    /// Does nothing.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {}

    /// The area of the content: here the bounds.
    public var contentLayoutGuide: UILayoutGuide { safeAreaLayoutGuide }
    /// The area of the view: here the bounds.
    public var frameLayoutGuide: UILayoutGuide { safeAreaLayoutGuide }
}

/// The delegate of a scroll view. Nobody scrolls, so none of its methods is called.
///
/// Source: Apple, `UIScrollViewDelegate`.
@preconcurrency @MainActor
public protocol UIScrollViewDelegate: AnyObject {
    /// The view was scrolled. It never occurs here.
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

extension UIScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}
