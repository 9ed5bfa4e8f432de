// The callbacks of appearing and disappearing. A container passes them on to the children whose views are in its own; the parent's
// come before the children's.

extension UIViewController {
    /// Begins to make a child appear or disappear, in a container that passes on the callbacks itself.
    ///
    /// Source: Apple, `beginAppearanceTransition(_:animated:)`.
    public func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        if isAppearing {
            guard appearance == .disappeared || appearance == .disappearing else { return }
            loadViewIfNeeded()
            appearance = .appearing
            isLaidOut = false
            isAnimated = animated
            viewWillAppear(animated)
        } else {
            guard appearance == .appeared || appearance == .appearing else { return }
            appearance = .disappearing
            isAnimated = animated
            viewWillDisappear(animated)
        }
        for child in childrenToForward { child.beginAppearanceTransition(isAppearing, animated: animated) }
    }

    /// Ends what ``beginAppearanceTransition(_:animated:)`` began.
    public func endAppearanceTransition() {
        switch appearance {
        case .appearing:
            layOut()
            appearance = .appeared
            viewDidAppear(isAnimated)
        case .disappearing:
            appearance = .disappeared
            viewDidDisappear(isAnimated)
        case .appeared, .disappeared: return
        }
        for child in childrenToForward { child.endAppearanceTransition() }
    }

    /// Makes the callbacks between appearing and having appeared.
    func layOut() {
        guard appearance == .appearing, !isLaidOut else { return }
        isLaidOut = true
        viewIsAppearing(isAnimated)
        viewWillLayoutSubviews()
        viewIfLoaded?.layoutIfNeeded()
        viewDidLayoutSubviews()
        for child in childrenToForward { child.layOut() }
    }

    private var childrenToForward: [UIViewController] {
        guard shouldAutomaticallyForwardAppearanceMethods, let view = viewIfLoaded else { return [] }
        return children.filter { $0.viewIfLoaded?.isDescendant(of: view) == true }
    }

    /// Follows the view into a window or out of it.
    func viewChangedWindow() {
        guard !isDriven else { return }
        // A parent on the way in or out makes its children appear itself.
        if let parent, parent.appearance == .disappeared || !parent.shouldAutomaticallyForwardAppearanceMethods {
            return
        }
        let isVisible = viewIfLoaded?.window != nil
        guard isVisible != (appearance == .appeared || appearance == .appearing) else { return }
        beginAppearanceTransition(isVisible, animated: false)
        Transitions.current.add { [self] in endAppearanceTransition() }
    }

    /// Replaces one controller by another on the screen, as a container does. Source of the order: logs of apps.
    static func replace(_ leaving: UIViewController?, by arriving: UIViewController?, animated: Bool) {
        arriving?.loadViewIfNeeded()
        leaving?.beginAppearanceTransition(false, animated: animated)
        arriving?.beginAppearanceTransition(true, animated: animated)
        arriving?.layOut()
        leaving?.endAppearanceTransition()
        arriving?.endAppearanceTransition()
    }

    /// Whether it is on the screen, or on its way there.
    var isVisible: Bool { appearance == .appearing || appearance == .appeared }
}
