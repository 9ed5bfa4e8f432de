extension UIViewController {
    /// The outermost container that it is in; itself if it is in none.
    var root: UIViewController {
        var outermost = self
        while let parent = outermost.parent { outermost = parent }
        return outermost
    }

    /// Returns the nearest container of a type.
    private func container<Container: UIViewController>(_ type: Container.Type) -> Container? {
        var next = parent
        while let each = next {
            if let found = each as? Container { return found }
            next = each.parent
        }
        return nil
    }

    /// The navigation controller that contains it.
    public var navigationController: UINavigationController? { container(UINavigationController.self) }
    /// The tab bar controller that contains it.
    public var tabBarController: UITabBarController? { container(UITabBarController.self) }

    /// Adds a child, which leaves the parent that it had.
    func adopt(_ child: UIViewController) {
        guard child.parent !== self else { return }
        child.willMove(toParent: self)
        child.leaveParent()
        child.parent = self
        children.append(child)
    }

    func leaveParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// Adds a child whose appearance this container drives.
    func contain(_ child: UIViewController) {
        adopt(child)
        child.isDriven = true
        child.didMove(toParent: self)
    }

    /// Removes a child whose appearance this container drives.
    func release(_ child: UIViewController) {
        child.willMove(toParent: nil)
        child.viewIfLoaded?.removeFromSuperview()
        child.leaveParent()
        child.isDriven = false
    }
}
