import Foundation
import PosthornTesting
import PushClock
import PushDevice
import Testing
import UIKit

/// An app of before iOS 13.
@MainActor
private protocol OldNames {
    static func statusBar() -> CGRect
}

private enum Names: OldNames {
    @available(*, deprecated)
    static func statusBar() -> CGRect { UIApplication.shared.statusBarFrame }
}

@Suite("Names of UIKit that public sources use")
@MainActor
struct PublicNameTests {
    @Test("A date picker keeps its date between the earliest and the latest one, and begins with the present")
    func datePicker() async throws {
        let start = try Date("2026-03-02T07:00:00Z", strategy: .iso8601)
        let phone = await TestPhone(clock: VirtualClock(date: start)).opening { PlainApp() }
        let first = await phone.device.inside(InstalledApp.lab.bundleID) { UIDatePicker().date }
        #expect(first == start)
        let picker = UIDatePicker()
        picker.datePickerMode = .date
        picker.preferredDatePickerStyle = .wheels
        picker.setDate(start, animated: true)
        #expect(picker.date == start)
        picker.minimumDate = start.addingTimeInterval(60)
        #expect(picker.date == picker.minimumDate)
        picker.minimumDate = nil
        picker.maximumDate = start.addingTimeInterval(-60)
        #expect(picker.date == picker.maximumDate)
        picker.minimumDate = start
        #expect(picker.date == start)
        var changes = 0
        picker.addAction(UIAction { _ in changes += 1 }, for: .valueChanged)
        picker.sendActions(for: .valueChanged)
        #expect(changes == 1)
    }

    @Test("A layer keeps its layers in their order, and has one superlayer")
    func sublayers() {
        let view = UIView()
        let first = CALayer()
        let second = CALayer()
        view.layer.addSublayer(first)
        view.layer.insertSublayer(second, at: 0)
        #expect(view.layer.sublayers?.map(ObjectIdentifier.init) == [second, first].map(ObjectIdentifier.init))
        let other = CALayer()
        other.addSublayer(first)
        #expect(first.superlayer === other && view.layer.sublayers?.count == 1)
        second.removeFromSuperlayer()
        #expect(second.superlayer == nil && view.layer.sublayers == nil)
    }

    @Test("The top item of a navigation bar is that of the controller on top")
    func topItem() {
        let root = UIViewController()
        let next = UIViewController()
        next.navigationItem.title = "Next"
        let stack = UINavigationController(rootViewController: root)
        #expect(stack.navigationBar.topItem === root.navigationItem && stack.navigationBar.backItem == nil)
        stack.pushViewController(next, animated: false)
        #expect(stack.navigationBar.topItem?.title == "Next" && stack.navigationBar.backItem === root.navigationItem)
        stack.popViewController(animated: false)
        #expect(stack.navigationBar.items?.count == 1 && stack.navigationBar.topItem === root.navigationItem)
        #expect(UINavigationBar().topItem == nil)
    }

    @Test("A controller has a popover if that is its style, and keeps where it begins")
    func popover() {
        let controller = UIViewController()
        #expect(controller.popoverPresentationController == nil)
        let view = UIView()
        controller.modalPresentationStyle = .popover
        controller.popoverPresentationController?.sourceView = view
        controller.popoverPresentationController?.permittedArrowDirections = [.up, .down]
        #expect(controller.popoverPresentationController?.sourceView === view)
        #expect(controller.popoverPresentationController?.permittedArrowDirections.rawValue == 3)
        #expect(UIPopoverArrowDirection.any.rawValue == 15)
        let sheet = UIActivityViewController(activityItems: [], applicationActivities: nil)
        sheet.popoverPresentationController?.sourceView = view
        sheet.excludedActivityTypes = [
            .addToReadingList, .assignToContact, .openInIBooks, .postToVimeo, .postToFacebook,
        ]
        #expect(sheet.excludedActivityTypes?.first?.rawValue == "com.apple.UIKit.activity.AddToReadingList")
    }

    @Test("Nobody has switched accessibility on, and the status bar is the upper part of the screen")
    func screen() {
        UIAccessibility.post(notification: .announcement, argument: "Sent")
        #expect(!UIAccessibility.isVoiceOverRunning && !UIAccessibility.isReduceMotionEnabled)
        #expect(!UIAccessibility.isReduceTransparencyEnabled && !UIAccessibility.isBoldTextEnabled)
        #expect(UIAccessibility.Notification.announcement.rawValue == 1008)
        let names: any OldNames.Type = Names.self
        #expect(names.statusBar() == CGRect(x: 0, y: 0, width: 390, height: 47))
    }
}
