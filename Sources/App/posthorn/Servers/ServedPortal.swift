import APNSGateway
import Foundation
import Logging
import PosthornPortal
import PosthornStack
import PushClock
import PushService

/// The portal of a service that this process runs.
struct ServedPortal: Sendable {
    let phones: PhoneShelf
    private let made = Announcement<Portal>()
    private let logger: Logger

    init(phones: PhoneShelf, logger: Logger) {
        self.phones = phones
        self.logger = logger
    }

    /// The portal, once the service has made it.
    var value: Portal { get async throws { try await made.value } }

    var make: ServiceNode.PageMaker {
        { core, caller, settings in
            let portal = try Portal(
                core: core,
                caller: caller,
                settings: settings,
                phones: phones,
                reloading: Self.folder,
                logger: logger
            )
            made.make(.success(portal))
            return portal
        }
    }

    /// Shows the phones of a stack, and lets people add others, which live as long as this process.
    func showPhones(of stack: Stack) {
        for phone in stack.phones.compactMap({ Self.portalPhone($0, of: stack) }) { phones.add(phone) }
        phones.setMaker { name, system, app in
            let phone = try await stack.makePhone(name: name, system: system, for: app)
            guard let shown = Self.portalPhone(phone, of: stack) else { throw CancellationError() }
            return shown
        }
    }

    /// Returns a phone of a stack for the portal; nil if its clock cannot be turned.
    private static func portalPhone(_ phone: PushLabPhone, of stack: Stack) -> PortalPhone? {
        guard let clock = phone.clock as? TurnableClock else { return nil }
        let courier = stack.gateway.server.courierURL
        return PortalPhone(device: phone.device, bundleID: phone.bundleID, courier: courier, clock: clock)
    }

    /// The folder whose files replace those in the binary, for work on the portal.
    static var folder: URL? {
        #if DEBUG
        EnvironmentSettings["POSTHORN_PORTAL_FILES"].map { URL(filePath: $0) }
        #else
        nil
        #endif
    }
}
