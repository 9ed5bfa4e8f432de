public import Foundation

/// The sheet for sharing. It is presented like any controller; nobody chooses on it.
@preconcurrency @MainActor
open class UIActivityViewController: UIViewController {
    /// The items to share.
    public let activityItems: [Any]
    /// The services that are not offered; stored only.
    open var excludedActivityTypes: [UIActivity.ActivityType]?
    /// Receives the user's choice; never called here.
    open var completionWithItemsHandler: ((UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void)?

    /// Creates a sheet; the app's own services are not offered.
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        self.activityItems = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) {
        activityItems = []
        super.init(coder: coder)
    }
}

/// A service of the sheet for sharing.
@preconcurrency @MainActor
open class UIActivity: NSObject {
    /// The name of a service.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates a name from its raw value.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// AirDrop.
        public static let airDrop = Self("com.apple.UIKit.activity.AirDrop")
        /// The clipboard.
        public static let copyToPasteboard = Self("com.apple.UIKit.activity.CopyToPasteboard")
        /// Mail.
        public static let mail = Self("com.apple.UIKit.activity.Mail")
        /// Messages.
        public static let message = Self("com.apple.UIKit.activity.Message")
        /// Printing.
        public static let print = Self("com.apple.UIKit.activity.Print")
        /// The pictures of the device.
        public static let saveToCameraRoll = Self("com.apple.UIKit.activity.SaveToCameraRoll")
        /// The picture of a contact.
        public static let assignToContact = Self("com.apple.UIKit.activity.AssignToContact")
        /// Safari's reading list.
        public static let addToReadingList = Self("com.apple.UIKit.activity.AddToReadingList")
        /// The home screen.
        public static let addToHomeScreen = Self("com.apple.UIKit.activity.AddToHomeScreen")
        /// A book.
        public static let openInIBooks = Self("com.apple.UIKit.activity.OpenInIBooks")
        /// A PDF document to draw on.
        public static let markupAsPDF = Self("com.apple.UIKit.activity.MarkupAsPDF")
        /// SharePlay.
        public static let sharePlay = Self("com.apple.UIKit.activity.SharePlay")
        /// Facebook.
        public static let postToFacebook = Self("com.apple.UIKit.activity.PostToFacebook")
        /// Twitter.
        public static let postToTwitter = Self("com.apple.UIKit.activity.PostToTwitter")
        /// Sina Weibo.
        public static let postToWeibo = Self("com.apple.UIKit.activity.PostToWeibo")
        /// Tencent Weibo.
        public static let postToTencentWeibo = Self("com.apple.UIKit.activity.TencentWeibo")
        /// Flickr.
        public static let postToFlickr = Self("com.apple.UIKit.activity.PostToFlickr")
        /// Vimeo.
        public static let postToVimeo = Self("com.apple.UIKit.activity.PostToVimeo")
    }

    public override nonisolated init() { super.init() }
}
