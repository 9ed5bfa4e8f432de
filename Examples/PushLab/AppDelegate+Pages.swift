import Foundation
import UIKit

#if canImport(JPush)
import JPush
#endif

// The app's pages, and in-app messages: JPush shows one only while it knows that a page is visible.

extension AppDelegate: @preconcurrency JPUSHInAppMessageDelegate {
    /// Reports the initial page, on which in-app messages are shown from now on.
    func enterFirstPage() {
        JPUSHService.setInAppMessageDelegate(self)
        JPUSHService.pageEnter(to: page.name)
    }

    /// Opens a page. The screen reads the page with each line of the log, so the line comes last.
    func go(to page: DeepLink.Page) {
        let previous = self.page
        self.page = page
        if page.name != previous.name {
            // In this order, so that a visible message stays: one disappears when no page is left.
            JPUSHService.pageEnter(to: page.name)
            JPUSHService.pageLeave(previous.name)
        }
        log.add("page", "\(page)")
        // Not awaited: it ends with the system's answer, which the log shows.
        if page == .settings { Task { await readSettings() } }
    }

    public func jPush(inAppMessageDidShow inAppMessage: JPushInAppMessage) {
        log.add("jPush(inAppMessageDidShow:)", inAppMessage.title ?? "")
    }

    public func jPush(inAppMessageDidClick inAppMessage: JPushInAppMessage) {
        log.add("jPush(inAppMessageDidClick:)", inAppMessage.title ?? "")
        follow(inAppMessage.extras ?? [:])
    }
}
