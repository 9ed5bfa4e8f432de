import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PushDevice
import PushModel
import PushService

/// The emulated phones: the list, a phone with its timeline, *Try it*, and a run opened again.
struct PhonePages: Sendable {
    let portal: PortalEnvironment

    /// The greatest number of entries of the timeline that a page gets when it opens.
    private static let opening = 200
    /// The greatest size of an attachment, as on iOS: 50 MB for a film.
    private static let attachmentLimit = 50 << 20

    func add(to router: RouterGroup<PortalContext>) {
        router.get("phones") { _, context in try await list(context) }
        router.get("phones/:name") { _, context in try page(context) }
        router.get("phones/:name/events") { request, context in try events(request, context) }
        router.get("phones/:name/run") { _, context in try run(context) }
        router.get("phones/:name/attachment") { request, context in try attachment(request, context) }
        router.get("replay") { _, context in
            let texts = portal.texts(context)
            return portal.page("replay", title: texts["phone", "replay"], section: "phones", in: context)
        }
        router.get("try") { request, context in tryIt(request, context) }
    }

    // MARK: - Pages

    private func list(_ context: PortalContext) async throws -> Response {
        let texts = portal.texts(context)
        let phones = portal.phones.all.map { phone -> JSONValue in
            let state = phone.device.phoneState
            return [
                "name": .string(state.name), "path": .string(Self.path(state.name)), "system": .string(state.system),
                "front": .string(state.frontName ?? texts["phone", "home_screen"]), "is_locked": .bool(state.isLocked),
                "is_connected": .bool(state.isConnected), "notifications": .number(state.list.count),
            ]
        }
        let systems = SystemProfile.majors.reversed().map { JSONValue.string("\($0).0") }
        let canAdd = portal.phones.canAdd
        let list: AppListAnswer? = canAdd ? try await portal.perform(.appList, in: context) : nil
        let values: JSONObject = [
            "phones": .array(phones), "can_add": .bool(canAdd), "systems": .array(systems),
            "apps": JSONCoding.json(of: list?.apps ?? []),
        ]
        return portal.page("phones", title: texts["phone", "phones"], values, section: "phones", in: context)
    }

    private func page(_ context: PortalContext) throws -> Response {
        let phone = try portal.phone(context)
        let state = phone.device.phoneState
        let texts = portal.texts(context)
        let values: JSONObject = [
            "name": .string(state.name), "path": .string(Self.path(state.name)), "system": .string(state.system),
            "time": .date(state.date), "front": .string(state.frontName ?? texts["phone", "home_screen"]),
            "is_locked": .bool(state.isLocked), "bundle_id": .string(phone.bundleID),
            "prompt": state.promptSubject.map { .string(texts["phone", "prompt_\($0.rawValue)"]) } ?? .null,
            "list": .array(
                state.list.map { ["app": .string($0.appName), "title": .string($0.title), "body": .string($0.body)] }
            ),
        ]
        return portal.page("phone", title: state.name, values, section: "phones", in: context)
    }

    private func tryIt(_ request: Request, _ context: PortalContext) -> Response {
        let texts = portal.texts(context)
        let major =
            request.wish("os").flatMap { Int($0) }.flatMap { SystemProfile.majors.contains($0) ? $0 : nil } ?? 17
        let rows = MatrixRow.all(iOS: major).map { $0.values(in: texts) }
        let systems = SystemProfile.majors.reversed().map { number -> JSONValue in
            ["number": .number(number), "is_current": .bool(number == major)]
        }
        let values: JSONObject = [
            "rows": .array(rows), "os": .number(major), "systems": .array(systems), "count": .number(rows.count),
        ]
        return portal.page("try", title: texts["phone", "try_it"], values, section: "phones", in: context)
    }

    // MARK: - Data

    /// Streams the phone's state after each change, and the new entries of its timeline.
    private func events(_ request: Request, _ context: PortalContext) throws -> Response {
        let recorder = try portal.phone(context).recorder
        let device = try portal.phone(context).device
        let seen = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) }
        let place = try portal.streams.take(context.signedIn())
        return EventStream.response(on: context.channel, at: place) { send in
            var last = seen ?? max(0, recorder.lastNumber - Self.opening)
            for await _ in recorder.changes() {
                let entries = recorder.entries(after: last)
                last = entries.last?.number ?? last
                let update: JSONObject = [
                    "state": try JSONValue(parsing: Array(device.phoneState.json.utf8)),
                    "entries": .array(entries.map(\.line)),
                ]
                try await send(EventStream.Event(name: "phone", id: "\(last)", data: .object(update)))
            }
        }
    }

    private func run(_ context: PortalContext) throws -> Response {
        let phone = try portal.phone(context)
        var response = Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try phone.recorder.run.data))
        )
        response.headers[.contentDisposition] = "attachment; filename=\"run.posthorn.json\""
        return response
    }

    /// Serves a file of a notification that is on the phone's screen.
    private func attachment(_ request: Request, _ context: PortalContext) throws -> Response {
        let state = try portal.phone(context).device.phoneState
        let shown = state.list + [state.banner, state.expanded?.notification].compactMap(\.self)
        let (notification, id) = (request.parameter("notification"), request.parameter("attachment"))
        guard
            let found = shown.first(where: { $0.id == notification })?.attachments.first(where: { $0.id == id }),
            let type = Self.mediaTypes[found.type],
            let size = try? FileManager.default.attributesOfItem(atPath: found.path)[.size] as? Int,
            size <= Self.attachmentLimit, let data = FileManager.default.contents(atPath: found.path)
        else { throw PortalProblem(.notFound, "not_found") }
        return Response(
            status: .ok,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }

    /// The media types of the uniform types that iOS accepts as attachments.
    private static let mediaTypes = [
        "public.png": "image/png", "public.jpeg": "image/jpeg", "com.compuserve.gif": "image/gif",
        "public.mp3": "audio/mpeg", "public.mpeg-4-audio": "audio/mp4", "com.microsoft.waveform-audio": "audio/wav",
        "public.aiff-audio": "audio/aiff", "public.mpeg": "video/mpeg", "public.mpeg-2-video": "video/mpeg",
        "public.mpeg-4": "video/mp4", "public.avi": "video/x-msvideo",
    ]

    private static func path(_ name: String) -> String {
        "/portal/phones/" + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }
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

extension Request {
    /// Returns a parameter of the query as it is.
    fileprivate func parameter(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map { String($0) }
    }
}

extension PhoneState {
    /// The name of the app in the foreground.
    fileprivate var frontName: String? { front.flatMap { front in apps.first { $0.id == front }?.name } }
}

extension RunFile.Entry {
    /// The entry without the state, for the timeline.
    fileprivate var line: JSONValue {
        var line: JSONObject = [
            "number": .number(number), "date": .date(date), "event": .string(event), "detail": .string(detail),
        ]
        line["app"] = app.map { .string($0) }
        line["state"] = state.map { .string($0) }
        line["notification"] = notification.map { .string($0) }
        return .object(line)
    }
}
