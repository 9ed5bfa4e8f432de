import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The devices of an app: the list, and one with its tags and alias.
struct DevicePages: Sendable {
    let portal: PortalEnvironment

    /// The numbers of devices on a page, and of pushes to choose from.
    private static let (size, pushes) = (50, 50)

    func add(to router: RouterGroup<PortalContext>) {
        router.get("apps/:app/devices") { try await list($0, $1) }
        router.get("apps/:app/devices/:device") { try await show($0, $1) }
        router.get("apps/:app/devices/:device/why") { try await why($0, $1) }
    }

    // MARK: - The list

    /// `by`: what `text` is: `registration_id` (the default), `tag` or `alias`.
    private func list(_ request: Request, _ context: PortalContext) async throws -> Response {
        let app = try await portal.app(context)
        let texts = portal.library.current.catalogue(context.language)
        let (by, text) = (request.wish("by") ?? "registration_id", request.wish("text"))
        var values: JSONObject = [
            "text": text.map { .string($0) } ?? .null, "by_\(by)": true, "is_filtered": .bool(text != nil),
        ]
        if by == "registration_id", let text {
            if let id = RegistrationID(text), portal.registry.device(id, of: app.id) != nil {
                return .redirect(to: "/portal/apps/\(app.key)/devices/\(id.text)", type: .normal)
            }
            values["unknown"] = .string(texts.text("devices", "unknown", with: ["id": text]))
        } else {
            let page = try await page(of: app, by: by, text: text, request, context)
            values["devices"] = .array(page.prefix(Self.size).map { .object(row($0, texts)) })
            if page.count > Self.size, let last = page.dropLast().last?["registration_id"]?.string {
                values["next"] = .string(Query(["by": by, "text": text, "after": last]).text)
            }
        }
        if request.wish("after") != nil { values["first"] = .string(Query(["by": by, "text": text]).text) }
        values["is_later"] = .bool(request.wish("after") != nil)
        values["counts"] = try await counts(of: app, in: texts, for: request, context)
        return portal.page(
            "devices",
            title: texts["devices", "title"],
            values,
            app: app,
            section: "devices",
            in: context
        )
    }

    /// Returns the numbers of the app's devices; those that no notification reaches only if there are some.
    private func counts(
        of app: App,
        in texts: Catalogue,
        for request: Request,
        _ context: PortalContext
    ) async throws -> JSONValue? {
        guard var counts = try await portal.devices(of: app, for: request, context) else { return nil }
        counts["others"] = .array(
            ["without_token", "refused", "push_off"].compactMap { key in
                guard let count = counts[key], count != 0 else { return nil }
                return ["label": .string(texts["devices", key]), "count": count]
            }
        )
        return .object(counts)
    }

    /// Returns the devices of a page, and one more if there is a further page.
    private func page(
        of app: App,
        by: String,
        text: String?,
        _ request: Request,
        _ context: PortalContext
    ) async throws -> [JSONObject] {
        let query = Query([
            "tag": by == "tag" ? text : nil, "alias": by == "alias" ? text : nil, "after": request.wish("after"),
            "limit": "\(Self.size + 1)",
        ])
        let answer = try await portal.get("/posthorn/v1/devices\(query.text)", as: app, for: request, context)
        return answer.object?["devices"]?.array?.compactMap(\.object) ?? []
    }

    /// Returns the members of a device for a page.
    private func row(_ device: JSONObject, _ texts: Catalogue) -> JSONObject {
        var row = device
        row["seen"] = .string(portal.shown(device["last_seen"]?.string))
        row["environment_label"] = .string(texts["apps", device["environment"]?.string ?? "production"])
        let permission = device["permission"]?.string.map { "permission_\($0)" } ?? "not_reported"
        row["permission_label"] = .string(texts["devices", permission])
        row["is_push_off"] = .bool(device["push_on"] == false)
        row["has_no_token"] = .bool(device["token"]?.string == nil)
        return row
    }

    // MARK: - One device

    private func show(_ request: Request, _ context: PortalContext) async throws -> Response {
        let app = try await portal.app(context)
        let texts = portal.library.current.catalogue(context.language)
        let id = try device(of: app, context)
        let device = try await portal.get("/posthorn/v1/devices/\(id)", as: app, for: request, context).object ?? [:]
        let path = "/posthorn/v1/messages?limit=\(Self.pushes)"
        let pushes = try await portal.get(path, as: app, for: request, context).object?["messages"]?.array ?? []
        let channels = device["channel_tokens"]?.array?.compactMap(\.object) ?? []
        let values: JSONObject = [
            "device": .object(row(device, texts)),
            "pushes": .array(
                pushes.compactMap(\.object).map { push in
                    [
                        "msg_id": push["msg_id"] ?? .null, "text": push["text"] ?? .null,
                        "at": .string(portal.shown(push["accepted_at"]?.string)),
                    ]
                }
            ),
            "channels": .array(
                channels.map { channel in
                    var channel = channel
                    channel["environment_label"] = .string(
                        texts["apps", channel["environment"]?.string ?? "production"]
                    )
                    return .object(channel)
                }
            ),
            "has_channels": .bool(!channels.isEmpty), "tag_limit": .integer(Int64(JPushLimits.tagBytes)),
        ]
        let title = device["alias"]?.string ?? id
        return portal.page("device", title: title, values, app: app, section: "devices", in: context)
    }

    /// Leads to the page that tells what became of a push on the device.
    private func why(_ request: Request, _ context: PortalContext) async throws -> Response {
        let app = try await portal.app(context)
        let id = try device(of: app, context)
        let text = request.wish("message") ?? ""
        guard let message = MessageID(text) else {
            let texts = portal.library.current.catalogue(context.language)
            throw PortalProblem(.badRequest, message: texts.text("devices", "no_message", with: ["text": text]))
        }
        return .redirect(to: "/portal/apps/\(app.key)/messages/\(message)/devices/\(id)", type: .normal)
    }

    /// Returns the registration id that the path names as `:device`.
    ///
    /// - Throws: 404 if no device of the app has it.
    private func device(of app: App, _ context: PortalContext) throws -> String {
        let text = try context.parameters.require("device")
        guard let id = RegistrationID(text), portal.registry.device(id, of: app.id) != nil else {
            let texts = portal.library.current.catalogue(context.language)
            throw PortalProblem(.notFound, message: texts.text("devices", "unknown", with: ["id": text]))
        }
        return id.text
    }
}
