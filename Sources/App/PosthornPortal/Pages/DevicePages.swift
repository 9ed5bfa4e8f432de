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
        router.page("/devices", of: portal) { try await list($0) }
        router.page("/devices/:device", of: portal) { try await show($0) }
        router.page("/devices/:device/why", of: portal) { try why($0) }
    }

    // MARK: - The list

    /// `by`: what `text` is: `registration_id` (the default), `tag` or `alias`.
    private func list(_ visit: AppVisit) async throws -> Response {
        let (app, texts, request) = (visit.app, visit.texts, visit.request)
        let (by, text) = (request.wish("by") ?? "registration_id", request.wish("text"))
        var values: JSONObject = [
            "text": .orNull(text), "by_\(by)": true, "is_filtered": .bool(text != nil),
        ]
        if by == "registration_id", let text {
            if let id = RegistrationID(text), portal.registry.device(id, of: app.id) != nil {
                return .redirect(to: "/portal/apps/\(app.key)/devices/\(id.text)", type: .normal)
            }
            values["unknown"] = .string(texts.text("devices", "unknown", with: ["id": text]))
        } else {
            let page = try await page(by: by, text: text, visit)
            values["devices"] = .array(page.prefix(Self.size).map { .object(row($0, texts)) })
            if page.count > Self.size {
                let last = page[Self.size - 1].registrationID
                values["next"] = .string(Query(["by": by, "text": text, "after": last]).text)
            }
        }
        if request.wish("after") != nil { values["first"] = .string(Query(["by": by, "text": text]).text) }
        values["is_later"] = .bool(request.wish("after") != nil)
        values["counts"] = try await counts(visit)
        return visit.page("devices", title: texts["devices", "title"], values, section: "devices")
    }

    /// Returns the numbers of the app's devices; those that no notification reaches only if there are some.
    private func counts(_ visit: AppVisit) async throws -> JSONValue? {
        let found = try await portal.devices(of: visit.app, for: visit.request, visit.context)
        guard var counts = found else { return nil }
        counts["others"] = .array(
            ["without_token", "refused", "push_off"].compactMap { key in
                guard let count = counts[key], count != 0 else { return nil }
                return ["label": .string(visit.texts["devices", key]), "count": count]
            }
        )
        return .object(counts)
    }

    /// Returns the devices of a page, and one more if there is a further page.
    private func page(by: String, text: String?, _ visit: AppVisit) async throws -> [DeviceAnswer] {
        let query = Query([
            "tag": by == "tag" ? text : nil, "alias": by == "alias" ? text : nil,
            "after": visit.request.wish("after"), "limit": "\(Self.size + 1)",
        ])
        let list: DeviceListAnswer = try await visit.read("/posthorn/v1/devices\(query.text)")
        return list.devices
    }

    /// Returns the members of a device for a page.
    private func row(_ device: DeviceAnswer, _ texts: Catalogue) -> JSONObject {
        var row = JSONCoding.object(of: device)
        row["seen"] = .string(portal.shown(device.lastSeen))
        row["environment_label"] = .string(texts["apps", device.environment.rawValue])
        let permission = device.permission.map { "permission_\($0)" } ?? "not_reported"
        row["permission_label"] = .string(texts["devices", permission])
        row["attribute_lines"] = .string(
            (device.attributes.object?.members ?? []).map { "\($0.key)=\($0.value.string ?? "")" }.joined(
                separator: "\n"
            )
        )
        row["is_push_off"] = .bool(!device.pushOn)
        row["has_no_token"] = .bool(device.token == nil)
        return row
    }

    // MARK: - One device

    private func show(_ visit: AppVisit) async throws -> Response {
        let texts = visit.texts
        let id = try device(visit)
        let device: DeviceAnswer = try await visit.read("/posthorn/v1/devices/\(id)")
        let pushes: MessageListAnswer = try await visit.read("/posthorn/v1/messages?limit=\(Self.pushes)")
        let channels = device.channelTokens ?? []
        let values: JSONObject = [
            "device": .object(row(device, texts)),
            "pushes": .array(
                pushes.messages.map { push in
                    [
                        "msg_id": .string(push.msgID), "text": .orNull(push.text),
                        "at": .string(portal.shown(push.acceptedAt)),
                    ]
                }
            ),
            "channels": .array(
                channels.map { channel in
                    var row = JSONCoding.object(of: channel)
                    row["environment_label"] = .string(texts["apps", channel.environment.rawValue])
                    return .object(row)
                }
            ),
            "has_channels": .bool(!channels.isEmpty), "tag_limit": .number(JPushLimits.tagBytes),
        ]
        let title = device.alias ?? id
        return visit.page("device", title: title, values, section: "devices")
    }

    /// Leads to the page that tells what became of a push on the device.
    private func why(_ visit: AppVisit) throws -> Response {
        let id = try device(visit)
        let text = visit.request.wish("message") ?? ""
        guard let message = MessageID(text) else {
            let problem = visit.texts.text("devices", "no_message", with: ["text": text])
            throw PortalProblem(.badRequest, message: problem)
        }
        return .redirect(to: "/portal/apps/\(visit.app.key)/messages/\(message)/devices/\(id)", type: .normal)
    }

    /// Returns the registration id that the path names as `:device`.
    ///
    /// - Throws: 404 if no device of the app has it.
    private func device(_ visit: AppVisit) throws -> String {
        let text = try visit.context.parameters.require("device")
        guard let id = RegistrationID(text), portal.registry.device(id, of: visit.app.id) != nil else {
            throw PortalProblem(.notFound, message: visit.texts.text("devices", "unknown", with: ["id": text]))
        }
        return id.text
    }
}
