import Hummingbird
import PushModel
import PushService

/// A developer's apps and their certificates: `/v1/app`.
///
/// Source: JPush REST API, "Admin API v1". Some clients send an unexpected body where none is needed, so it is not read there.
struct AdminRoutes: Sendable {
    let controller: DeveloperController

    private static var done: Response { Response(json: ["success": "Synchronized success"]) }

    func add(to group: RouterGroup<APIContext>) {
        func add(
            _ path: String,
            _ answer: @escaping @Sendable (Request, APIContext, Developer) async throws -> Response
        ) {
            let error = JPushError.adminMethodNotAllowed
            group.refuseMethods(besides: [.post], at: path, code: error.code, texts: [.get: error.message])
            APIResource(group: group, path: RouterPath(path)).on(.post, by: callingDeveloper, answer)
        }
        add("v1/app") { request, _, developer in
            let made = try await controller.create(try AppDraft(parsing: try await request.bytes()), for: developer)
            return Response([
                "app_key": made.app.key.text, "is_new_created": made.isNew, "android_package": made.package,
                "master_secret": made.masterSecret,
            ])
        }
        add("v1/app/:appKey/delete") { _, context, developer in
            try await controller.delete(try context.parameters.require("appKey"), of: developer)
            return Self.done
        }
        add("v1/app/:appKey/certificate") { request, context, developer in
            let form: MultipartForm
            let body = try await request.bytes()
            do { form = try MultipartForm(body, of: request) } catch {
                throw JPushError.badAdminParameter("The body is not a form: \(error).")
            }
            try await controller.upload(Self.uploads(form), to: try context.parameters.require("appKey"), of: developer)
            return Self.done
        }
    }

    /// Returns the uploads; an empty file counts as none.
    private static func uploads(_ form: MultipartForm) -> [DeveloperController.CertificateUpload] {
        [(APNSEnvironment.development, "dev"), (.production, "pro")].compactMap { environment, prefix in
            guard let file = form["\(prefix)CertificateFile"], !file.content.isEmpty else { return nil }
            let passPhrase = form["\(prefix)CertificatePassword"].map { String(decoding: $0.content, as: UTF8.self) }
            return DeveloperController.CertificateUpload(
                environment: environment,
                p12: Array(file.content),
                passPhrase: passPhrase ?? ""
            )
        }
    }
}
