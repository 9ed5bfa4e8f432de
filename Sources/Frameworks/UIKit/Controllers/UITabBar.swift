/// An item in a tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBarItem: UIBarItem {
    /// The text of the red badge; nil for none. Stored only.
    open var badgeValue: String?
    /// The colour of the badge; stored only.
    open var badgeColor: UIColor?
    /// The picture while the tab is selected; nil for the same.
    open var selectedImage: UIImage?

    /// Creates an item with title, picture and tag.
    public convenience init(title: String?, image: UIImage?, tag: Int) {
        self.init()
        self.title = title
        self.image = image
        self.tag = tag
    }

    /// Creates an item with title and pictures.
    public convenience init(title: String?, image: UIImage?, selectedImage: UIImage?) {
        self.init(title: title, image: image, tag: 0)
        self.selectedImage = selectedImage
    }
}

/// A tab bar. Its values are kept; Posthorn draws no bar.
@preconcurrency @MainActor
open class UITabBar: UIView {
    /// The tabs; nil for none.
    open var items: [UITabBarItem]?
    /// The colour of the bar; stored only.
    open var barTintColor: UIColor?
    /// Whether content shows through the bar; stored only.
    open var isTranslucent = true
}
