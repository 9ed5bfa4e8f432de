import Foundation
import Hummingbird
import NIOCore
import PushModel
import PushService

/// Uploaded audience files: `/v3/files`.
///
/// Pushes refer to them. Each app and each group has its own.
///
/// Source: JPush REST API v3, "File API". A group authenticates with its own key, not with a developer's (our choice).
struct FileRoutes: Sendable {
    let files: FileController
    let timeZone: TimeZone

    func add(to group: RouterGroup<APIContext>) {
        for kind in [TargetKind.alias, .registrationID] {
            let path = "v3/files/\(kind.rawValue)"
            group.post(RouterPath(path)) { request, context in
                let file = try await upload(request, kind, owner: try owner(context))
                return Response(json: ["file_id": .string(file.id)])
            }
            group.refuseMethods(besides: [.post], at: path, code: 1001)
        }
        group.get("v3/files") { _, context in
            let files = try await files.files(of: try owner(context))
            return Response(json: ["total_count": .number(files.count), "files": .array(files.map(json))])
        }
        group.refuseMethods(besides: [.get], at: "v3/files", code: 1001)
        let one = "v3/files/:file"
        group.get(RouterPath(one)) { _, context in
            let file = try await files.file(try context.parameters.require("file"), of: try owner(context))
            return Response(json: json(file))
        }
        group.delete(RouterPath(one)) { _, context in
            try await files.delete(try context.parameters.require("file"), of: try owner(context))
            return Response.done
        }
        group.post(RouterPath(one)) { _, context -> Response in
            let kind = try context.parameters.require("file")
            throw JPushError.badValue("There are no files of '\(kind)'; expected 'alias' or 'registration_id'.")
        }
        group.refuseMethods(besides: [.get, .delete, .post], at: one, code: 1001)
    }

    private func owner(_ context: APIContext) throws -> String {
        try context.group?.key.text ?? caller(context).key.text
    }

    private func upload(_ request: Request, _ kind: TargetKind, owner: String) async throws -> AudienceFile {
        let body: [UInt8]
        do {
            body = Array(buffer: try await request.body.collect(upTo: PushAPI.uploadLimit))
        } catch is NIOTooManyBytesError {
            throw FileController.tooLarge
        }
        let form: MultipartForm
        do { form = try MultipartForm(body, of: request) } catch {
            throw JPushError.badValue("The upload cannot be read: \(error).")
        }
        guard let file = form["filename"] else {
            throw JPushError.missing("Missing part 'filename', which holds the file.")
        }
        return try await files.create(
            file.content,
            name: file.fileName,
            kind: kind,
            hours: try form["ttl"].map(Self.hours),
            owner: owner
        )
    }

    private static func hours(_ part: MultipartForm.Part) throws(JPushError) -> Int {
        let text = String(decoding: part.content, as: UTF8.self)
        guard let hours = Int(text) else {
            throw .badValue("'ttl' is '\(text.prefix(40))'; expected hours as a whole number.")
        }
        return hours
    }

    private func json(_ file: AudienceFile) -> JSONValue {
        var object: JSONObject = ["file_id": .string(file.id), "type": .string(file.kind.rawValue)]
        object["file_name"] = file.name.map { .string($0) }
        object["create_time"] = .string(file.createdAt.time(in: timeZone))
        if file.tellsExpiry { object["expire_time"] = .string(file.expiresAt.time(in: timeZone)) }
        return .object(object)
    }
}
