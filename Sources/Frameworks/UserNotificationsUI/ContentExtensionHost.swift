import Foundation
import Synchronization
package import SystemPort
import UIKit
import UserNotifications

/// Runs a content extension: one view controller, called on the main actor, with its device bound.
package final class ContentExtensionHost: AppEndpoint {
    private let port: any SystemPort
    private let make: @MainActor @Sendable () -> any UNNotificationContentExtension
    private let isTerminated = Mutex(false)
    @MainActor private var controller: (any UNNotificationContentExtension)?

    /// Creates the host of an extension on its process. The extension is made once, before its first event.
    package init(port: any SystemPort, make: @escaping @MainActor @Sendable () -> any UNNotificationContentExtension) {
        self.port = port
        self.make = make
    }

    package func deliver(_ event: SystemEvent, reply: @escaping EventReplyHandler) {
        // Not awaited: it ends with the extension's method, and the event has its reply.
        Task { @MainActor in
            guard !isTerminated.withLock({ $0 }) else { return }
            CurrentPort.with(port) { handle(event, reply) }
            reply(.returned)
        }
    }

    package func terminate() { isTerminated.withLock { $0 = true } }
}

@MainActor
extension ContentExtensionHost {
    private func handle(_ event: SystemEvent, _ reply: @escaping EventReplyHandler) {
        switch event.kind {
        case .contentExtension(let record, let actions, let ratio):
            ShownActions.of(port).records.withLock { $0 = actions }
            let controller = make()
            self.controller = controller
            place(controller, ratio)
            reply(.ran("UNNotificationContentExtension.didReceive(_:)"))
            controller.didReceive(UNNotification(record))
            reply(.responded)
        case .contentExtensionResponse(let record):
            guard let controller else { return reply(.notImplemented) }
            let gate = AnswerGate<UInt> { reply(.extensionOption($0)) }
            let isImplemented = MethodProbe.reaches {
                controller.didReceive(UNNotificationResponse.make(record)) { gate.answer($0.rawValue) }
            }
            if isImplemented { reply(.ran("UNNotificationContentExtension.didReceive(_:completionHandler:)")) }
            gate.decide(open: true)
        case .contentExtensionMedia(let plays):
            guard let controller else { return reply(.notImplemented) }
            let name = plays ? "mediaPlay()" : "mediaPause()"
            let isImplemented = MethodProbe.reaches { plays ? controller.mediaPlay() : controller.mediaPause() }
            if isImplemented { reply(.ran("UNNotificationContentExtension.\(name)")) }
        default: return reply(.notImplemented)
        }
        if let controller { reply(.contentView(Self.content(of: controller))) }
    }

    /// Sets up the controller's context and its view, as wide as the screen.
    private func place(_ controller: any UNNotificationContentExtension, _ ratio: Double) {
        guard let controller = controller as? UIViewController else { return }
        controller.extensionContext = NSExtensionContext(port: port)
        let width = UIScreen.main.bounds.width
        controller.loadView(in: CGRect(x: 0, y: 0, width: width, height: width * ratio))
    }

    private static func content(of controller: any UNNotificationContentExtension) -> ContentViewRecord {
        let screen = controller as? UIViewController
        let preferred = screen?.preferredContentSize.height ?? 0
        let height = preferred > 0 ? preferred : screen?.viewIfLoaded?.frame.height ?? 0
        return ContentViewRecord(
            title: screen?.title ?? "",
            height: Double(height),
            mediaButton: mediaButton(of: controller)
        )
    }

    private static func mediaButton(of controller: any UNNotificationContentExtension) -> MediaButtonRecord? {
        let type = controller.mediaPlayPauseButtonType
        let frame = controller.mediaPlayPauseButtonFrame
        guard type != .none, frame.width > 0, frame.height > 0 else { return nil }
        var tint = UIColor.white
        let isTinted = MethodProbe.reaches { tint = controller.mediaPlayPauseButtonTintColor }
        return MediaButtonRecord(
            isOverlay: type == .overlay,
            frame: [frame.minX, frame.minY, frame.width, frame.height].map(Double.init),
            tint: isTinted ? tint.parts.map(Double.init) : nil
        )
    }
}

/// Content extensions that are programs of their own. `NSExtensionMain()` finds this class by its name.
final class ContentExtensionPoint: ExtensionPoint {
    static func host(of principal: AnyClass, port: any SystemPort) -> (any AppEndpoint)? {
        guard let type = principal as? any (UIViewController & UNNotificationContentExtension).Type else { return nil }
        return ContentExtensionHost(port: port) { make(type) }
    }

    @MainActor
    private static func make<Controller: UIViewController & UNNotificationContentExtension>(
        _ type: Controller.Type
    ) -> Controller { ObjectCreation.make(type) }
}
