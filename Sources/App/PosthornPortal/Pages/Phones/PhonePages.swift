import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushDevice
import PushModel
import PushService

/// The emulated phones: the list, a phone with its timeline, *Try it*, and a run opened again.
extension Visit {
    /// The greatest number of entries of the timeline that a page gets when it opens.
    private static let opening = 200
    /// The greatest size of an attachment, as on iOS: 50 MB for a film.
    private static let attachmentLimit = 50 << 20

    // MARK: - Pages

    func listPhones() async throws -> Response {
        let phones = portal.phones.all.map { phone in
            let state = phone.device.phoneState
            var row = facts(state)
            row["is_connected"] = state.isConnected
            row["notifications"] = state.list.count
            return row
        }
        let canAdd = portal.phones.canAdd
        let list: AppListAnswer? = canAdd ? try await portal.perform(.appList, in: context) : nil
        let values: PageValues = [
            "phones": phones, "can_add": canAdd, "systems": Array(SystemProfile.releases.reversed()),
            "apps": list?.apps,
        ]
        return page("phones", title: texts["phone", "phones"], values)
    }

    func showPhone() throws -> Response {
        let phone = try portal.phone(context)
        let state = phone.device.phoneState
        var values = facts(state)
        values["time"] = state.date
        values["bundle_id"] = phone.bundleID
        values["prompt"] = state.promptSubject.map { texts["phone", "prompt_\($0.rawValue)"] }
        values["list"] = state.list.map { note -> PageValues in
            ["app": note.appName, "title": note.title, "body": note.body]
        }
        return page("phone", title: state.name, values, section: "phones")
    }

    private func facts(_ state: PhoneState) -> PageValues {
        let front = state.front.flatMap { front in state.apps.first { $0.id == front }?.name }
        return [
            "name": state.name, "system": state.system, "front": front ?? texts["phone", "home_screen"],
            "path": "/portal/phones/" + (state.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""),
            "is_locked": state.isLocked,
        ]
    }

    func showReplay() -> Response { page("replay", title: texts["phone", "replay"], section: "phones") }

    func tryIt() -> Response {
        let wish = request.wish("os").flatMap { Int($0) }
        let major = wish.flatMap { SystemProfile.majors.contains($0) ? $0 : nil } ?? 17
        let rows = MatrixRow.all(iOS: major).map { $0.values(in: texts) }
        let systems = SystemProfile.majors.reversed().map { number -> PageValues in
            ["number": number, "is_current": number == major]
        }
        let values: PageValues = ["rows": rows, "os": major, "systems": systems, "count": rows.count]
        return page("try", title: texts["phone", "try_it"], values, section: "phones")
    }

    // MARK: - Data

    /// Streams the phone's state after each change, and the new entries of its timeline.
    func followPhone() throws -> Response {
        let recorder = try portal.phone(context).recorder
        let device = try portal.phone(context).device
        let seen = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) }
        let place = try portal.streams.take(context.signedIn())
        return EventStream.response(on: context.channel, at: place) { send in
            var last = seen ?? max(0, recorder.lastNumber - Self.opening)
            for await _ in recorder.changes() {
                let entries = recorder.entries(after: last)
                last = entries.last?.number ?? last
                let update: PageValues = [
                    "state": try JSONValue(parsing: Array(device.phoneState.json.utf8)),
                    "entries": entries.map { entry in
                        var entry = entry
                        entry.after = nil
                        return PageValues(of: entry)
                    },
                ]
                try await send(EventStream.Event(name: "phone", id: "\(last)", data: .object(update.json)))
            }
        }
    }

    func downloadRun() throws -> Response {
        var response = Response(ByteBuffer(bytes: try portal.phone(context).recorder.run.data), as: Response.json)
        response.headers[.contentDisposition] = "attachment; filename=\"run.posthorn.json\""
        return response
    }

    /// Serves a file of a notification that is on the phone's screen.
    func showAttachment() throws -> Response {
        let state = try portal.phone(context).device.phoneState
        let shown = state.list + [state.banner, state.expanded?.notification].compactMap(\.self)
        let notification = request.parameter("notification")
        let id = request.parameter("attachment")
        guard
            let found = shown.first(where: { $0.id == notification })?.attachments.first(where: { $0.id == id }),
            let type = Self.mediaTypes[found.type],
            let size = try? FileManager.default.attributesOfItem(atPath: found.path)[.size] as? Int,
            size <= Self.attachmentLimit, let data = FileManager.default.contents(atPath: found.path)
        else { throw PortalProblem(.notFound, "not_found") }
        return Response(ByteBuffer(bytes: data), as: type)
    }

    /// The media types of the uniform types that iOS accepts as attachments.
    private static let mediaTypes = [
        "public.png": "image/png", "public.jpeg": "image/jpeg", "com.compuserve.gif": "image/gif",
        "public.mp3": "audio/mpeg", "public.mpeg-4-audio": "audio/mp4", "com.microsoft.waveform-audio": "audio/wav",
        "public.aiff-audio": "audio/aiff", "public.mpeg": "video/mpeg", "public.mpeg-2-video": "video/mpeg",
        "public.mpeg-4": "video/mp4", "public.avi": "video/x-msvideo",
    ]
}

extension PortalEnvironment {
    /// Returns the phone that the path names as `:name`.
    ///
    /// - Throws: 404 if there is none.
    func phone(_ context: PortalContext) throws -> PortalPhone {
        let text = try context.parameters.require("name")
        guard let phone = phones[text] ?? text.removingPercentEncoding.flatMap({ phones[$0] }) else {
            throw PortalProblem(.notFound, "not_found")
        }
        return phone
    }
}
