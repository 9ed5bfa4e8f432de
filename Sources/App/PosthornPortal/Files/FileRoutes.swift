import HTTPTypes
import Hummingbird
import NIOCore

/// The scripts and styles, at addresses that change with their content.
struct FileRoutes: Sendable {
    let library: PageLibrary

    func add(to router: Router<PortalContext>) {
        router.get("portal/files/:version/:name") { _, context in
            let version = try context.parameters.require("version")
            let name = try context.parameters.require("name")
            guard let response = library.current.response(name, version: version) else { throw HTTPError(.notFound) }
            return response
        }
    }
}

extension PageLibrary {
    /// Returns a script or a style sheet; nil if there is none with this name.
    ///
    /// `version`: the version of the page that asks for it.
    func response(_ name: String, version: String) -> Response? {
        guard let (bytes, type) = file(name) else { return nil }
        // An older page asks for an older version, and gets the present one without keeping it.
        let isCurrent = version == files.version && !isReloading
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-store",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
