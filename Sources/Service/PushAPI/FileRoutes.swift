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
            group.resource("v3/files/\(kind.rawValue)", [.post]).on(.post, by: owner) { request, _, owner in
                Response(["file_id": try await upload(request, kind, owner: owner).id])
            }
        }
        group.resource("v3/files", [.get]).on(.get, by: owner) { _, _, owner in
            let files = try await files.files(of: owner)
            return Response(["total_count": files.count, "files": files.map(json)])
        }
        let one = group.resource("v3/files/:file", [.get, .delete, .post])
        one.on(.get, by: owner) { _, context, owner in
            Response(json: json(try await files.file(try context.parameters.require("file"), of: [owner])))
        }
        one.on(.delete, by: owner) { _, context, owner in
            try await files.delete(try context.parameters.require("file"), of: owner)
            return .done
        }
        one.on(.post, by: owner) { _, context, _ in
            let kind = try context.parameters.require("file")
            throw JPushError.badValue("There are no files of '\(kind)'; expected 'alias' or 'registration_id'.")
        }
    }

    @Sendable
    private func owner(_ context: APIContext) throws -> String {
        try context.group?.key.text ?? caller(context).key.text
    }

    private func upload(_ request: Request, _ kind: TargetKind, owner: String) async throws -> AudienceFile {
        let body: [UInt8]
        do {
            body = Array(buffer: try await request.body.collect(upTo: PushAPI.uploadLimit))
        } catch is NIOTooManyBytesError { throw FileController.tooLarge }
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
        .object(
            JSONObject(present: [
                "file_id": file.id, "type": file.kind.rawValue, "file_name": file.name,
                "create_time": file.createdAt.time(in: timeZone),
                "expire_time": file.tellsExpiry ? file.expiresAt.time(in: timeZone) : nil,
            ])
        )
    }
}
