import HTTPTypes
import Hummingbird
import NIOCore

/// The scripts and styles, at addresses that change with their content.
struct FileRoutes: Sendable {
    let library: PageLibrary

    func add(to router: Router<PortalContext>) {
        router.get("portal/files/:version/:name") { _, context in
            let library = library.current
            let version = try context.parameters.require("version")
            let name = try context.parameters.require("name")
            guard let (bytes, type) = library.file(name) else { throw HTTPError(.notFound) }
            // An older page asks for an older version, and gets the present one without keeping it.
            let isCurrent = version == library.files.version && !library.isReloading
            return Response(
                status: .ok,
                headers: [
                    .contentType: type, .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-store",
                ],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        }
    }
}
