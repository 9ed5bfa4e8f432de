import HTTPTypes
import Hummingbird
import PushModel
import PushService

/// The devices of an app: the list, and one with its tags and alias.
extension AppVisit {
    /// The numbers of devices on a page, and of pushes to choose from.
    private static let size = 50
    private static let pushes = 50

    // MARK: - The list

    /// `by`: what `text` is: `registration_id` (the default), `tag` or `alias`.
    func listDevices() async throws -> Response {
        let by = request.wish("by") ?? "registration_id"
        let text = request.wish("text")
        let after = request.wish("after")
        var values: PageValues = [
            "text": text, "by_\(by)": true, "is_filtered": text != nil, "is_later": after != nil,
            "counts": try await counts(),
        ]
        if by == "registration_id", let text {
            if let id = RegistrationID(text), portal.registry.device(id, of: app.id) != nil {
                return redirect(to: "devices/\(id.text)")
            }
            values["unknown"] = texts.text("devices", "unknown", with: ["id": text])
        } else {
            let query = Query([
                "tag": by == "tag" ? text : nil, "alias": by == "alias" ? text : nil, "after": after,
                // One more tells that there is a further page.
                "limit": "\(Self.size + 1)",
            ])
            let list: DeviceListAnswer = try await read("/posthorn/v1/devices\(query.text)")
            let page = list.devices
            values["devices"] = page.prefix(Self.size).map(row)
            if page.count > Self.size {
                values["next"] = Query(["by": by, "text": text, "after": page[Self.size - 1].registrationID]).text
            }
        }
        if after != nil { values["first"] = Query(["by": by, "text": text]).text }
        return page("devices", values)
    }

    /// Returns the numbers of the app's devices; those that no notification reaches only if there are some.
    private func counts() async throws -> JSONObject? {
        var counts = try await portal.devices(of: app, for: request, context)
        let others = ["without_token", "refused", "push_off"].compactMap { key -> JSONValue? in
            guard let count = counts?[key], count != 0 else { return nil }
            return ["label": .string(texts["devices", key]), "count": count]
        }
        counts?["others"] = .array(others)
        return counts
    }

    /// Returns the members of a device for a page.
    private func row(_ device: RegisteredDeviceAnswer) -> PageValues {
        var row = PageValues(of: device)
        row["seen"] = portal.shown(device.lastSeen)
        row["environment_label"] = texts["apps", device.environment.rawValue]
        row["permission_label"] = texts["devices", device.permission.map { "permission_\($0)" } ?? "not_reported"]
        let attributes = (device.attributes.object?.members ?? []).map { "\($0.key)=\($0.value.string ?? "")" }
        row["attribute_lines"] = attributes.joined(separator: "\n")
        row["is_push_off"] = !device.pushOn
        row["has_no_token"] = device.token == nil
        if let date = device.separatedAt, let id = device.separatedAs {
            row["shared_text"] = texts.text("devices", "shared_text", with: ["date": portal.shown(date), "id": id])
        }
        return row
    }

    // MARK: - One device

    func showDevice() async throws -> Response {
        let id = try device()
        let device: RegisteredDeviceAnswer = try await read("/posthorn/v1/devices/\(id)")
        let pushes: MessageListAnswer = try await read("/posthorn/v1/messages?limit=\(Self.pushes)")
        let channels = device.channelTokens ?? []
        let values: PageValues = [
            "device": row(device),
            "pushes": pushes.messages.map { push -> PageValues in
                ["msg_id": push.msgID, "text": push.text, "at": portal.shown(push.acceptedAt)]
            },
            "channels": channels.map { channel in
                var row = PageValues(of: channel)
                row["environment_label"] = texts["apps", channel.environment.rawValue]
                return row
            },
            "has_channels": !channels.isEmpty, "tag_limit": JPushLimits.tagBytes,
        ]
        return page("device", title: device.alias ?? id, values, section: "devices")
    }

    /// Leads to the page that tells what became of a push on the device.
    func chooseMessage() throws -> Response {
        let id = try device()
        let text = request.wish("message") ?? ""
        guard let message = MessageID(text) else {
            throw PortalProblem(.badRequest, message: texts.text("devices", "no_message", with: ["text": text]))
        }
        return redirect(to: "messages/\(message)/devices/\(id)")
    }

    /// Returns the registration id that the path names as `:device`.
    ///
    /// - Throws: 404 if no device of the app has it.
    private func device() throws -> String {
        let text = try context.parameters.require("device")
        guard let id = RegistrationID(text), portal.registry.device(id, of: app.id) != nil else {
            throw PortalProblem(.notFound, message: texts.text("devices", "unknown", with: ["id": text]))
        }
        return id.text
    }
}
