import CallbackMatrix
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PosthornStack
import PushDevice
import PushModel
import PushService
import UserNotifications

/// The calls of the phone page's scripts.
///
/// - `POST portal/api/phones` adds a phone: `{"system": "15.0", "app": "7b4b94cca0d185d611e53cca"}`. Without `app`, the key of an app of
///   the service, the phone's app is the stack's own.
/// - `POST portal/api/phones/NAME/order` carries out a ``DeviceOrder``: `{"order": {"tap": {}}, "app": "com.example.app"}`.
/// - `POST portal/api/matrix/OS/NUMBER` runs a case of the callback matrix.
extension Visit {
    /// The greatest number of bytes of an order.
    private static let limit = 1 << 16

    /// The body of an order.
    private struct Order: Decodable {
        var order: DeviceOrder
        /// The bundle id of the app that the order is for; the phone's first app if absent.
        var app: String?
    }

    private struct Wish: Decodable {
        var system: String
        var app: String?
    }

    func runCase() async throws -> Response {
        let os = try context.parameters.require("os", as: Int.self)
        let number = try context.parameters.require("number", as: Int.self)
        let rows = SystemProfile.majors.contains(os) ? MatrixRow.all(iOS: os) : []
        guard rows.indices.contains(number) else { throw PortalProblem(.notFound, "not_found") }
        return Response(await rows[number].run())
    }

    func addPhone() async throws -> Response {
        let wish = try await body(Wish.self)
        let system = wish.system
        guard SystemProfile.releases.contains(system) else {
            throw PortalProblem(.badRequest, "unknown_system")
        }
        var app: App?
        if let key = wish.app {
            app = if let key = AppKey(key) { try await portal.registry.app(key) } else { nil }
            guard app != nil else { throw PortalProblem(.notFound, "not_found") }
        }
        try await portal.admit("phone.add", in: context)
        let name = try await portal.phones.makePhone(system: system, for: app)
        await portal.record("phone.add", of: name, detail: "iOS \(system)", ok: true, in: context)
        return Response(["name": name])
    }

    func order() async throws -> Response {
        let phone = try portal.phone(context)
        let body = try await self.body(Order.self)
        let app = body.app ?? phone.bundleID
        guard phone.device.condition(of: app) != nil else { throw PortalProblem(.notFound, "not_found") }
        defer { phone.recorder.notifyFollowers() }
        do {
            let reply = try await body.order.perform(
                on: phone.device,
                app: app,
                courier: phone.courier,
                clock: phone.clock
            )
            switch reply {
            case .content(let text): return Response(["content": try JSONValue(parsing: Array(text.utf8))])
            case .done(let isSettled): return Response(["settled": isSettled])
            }
        } catch let problem as DeviceOrderProblem {
            throw PortalProblem(.conflict, message: problem.description)
        }
    }

    private func body<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let bytes = try await request.body.collect(upTo: Self.limit)
        do { return try JSONDecoder().decode(type, from: Data(Array(buffer: bytes))) } catch {
            throw PortalProblem(.badRequest, "no_order")
        }
    }
}

/// A case of the callback matrix as *Try it* shows it.
struct MatrixRow: Sendable {
    let number: Int
    let row: MatrixCase
    let system: SystemProfile

    /// Returns the cases of a version of iOS with a notification, in the order of the table.
    static func all(iOS major: Int) -> [MatrixRow] {
        let system = SystemProfile.iOS(major)
        return MatrixCase.all(iOS: major).filter(\.hasNotification).enumerated().map { number, row in
            MatrixRow(number: number, row: row, system: system)
        }
    }

    /// The case as a page shows it.
    func values(in texts: Catalogue) -> PageValues {
        [
            "number": number, "id": row.id, "label": label(in: texts),
            "case": "\(row)", "expected": row.sequence, "banner": row.hasBanner,
            "listed": row.isListed,
        ]
    }

    /// Describes the case in words: no two cases of a version have the same.
    func label(in texts: Catalogue) -> String {
        func text(_ key: String) -> String { texts["phone", key] }
        var act = text("act_\(row.act)")
        if case .button(let name) = row.act { act = texts.text("phone", "act_button", with: ["name": name]) }
        let usual = [
            text("start_\(row.start.rawValue)"), row.payload, act, text("delegate_\(row.delegate.rawValue)"),
            text("permission_\(row.permission)"),
        ]
        let unusual = [
            row.hasBackgroundMode ? nil : text("no_background_mode"), answer(in: texts),
            row.clearsOnActivation ? text("clears_on_activation") : nil,
            row.zeroesBadge ? text("zeroes_badge") : nil,
        ]
        return (usual + unusual.compactMap(\.self)).joined(separator: " · ")
    }

    /// Names the options that `willPresent` returns, if they are not all.
    private func answer(in texts: Catalogue) -> String? {
        let names: [(UNNotificationPresentationOptions, String)] = [
            (.banner, ".banner"), (.list, ".list"), (.sound, ".sound"), (.badge, ".badge"), (.alert, ".alert"),
        ]
        let returned = names.filter { row.options.contains($0.0) }.map(\.1)
        guard returned != [".banner", ".list", ".sound", ".badge"] else { return nil }
        return texts.text("phone", "returns", with: ["options": "[\(returned.joined(separator: ", "))]"])
    }

    /// Runs the case on a phone of its own, in virtual time.
    func run() async -> PageValues {
        let outcome = await MatrixStage(row, system: system).run()
        return [
            "case": "\(row)", "callbacks": outcome.sequence,
            "banner": !outcome.banners.isEmpty, "listed": !outcome.listed.isEmpty,
            "differences": outcome.differences(from: row),
        ]
    }
}
