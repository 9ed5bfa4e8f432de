import Hummingbird
import PushModel

/// Images of notifications on Android: `/v3/images`.
///
/// They do not apply to iOS, where a service extension downloads the image.
///
/// Source: JPush REST API v3, "Image API"; refusing them on a server for iOS only is our choice.
struct ImageRoutes: Sendable {
    func add(to group: RouterGroup<APIContext>) {
        for name in ["byurls", "byfiles"] {
            for (path, method) in [("v3/images/\(name)", HTTPRequest.Method.post), ("v3/images/\(name)/:media", .put)] {
                group.resource(path, [method]).on(method, by: { _ in }) { _, _, _ in
                    throw JPushError.notServed(
                        """
                        Images are for notifications on Android, and Posthorn delivers to iOS; nothing was done. There, send \
                        'mutable-content' and let the app's service extension fetch the picture.
                        """
                    )
                }
            }
        }
    }
}

/// A resource of the JPush REST API v3 that this version does not serve: `/v3/test/model`.
enum UnsupportedRoutes {
    static func add(to group: RouterGroup<APIContext>) {
        for method in [HTTPRequest.Method.get, .post, .put, .delete] {
            group.on("v3/test/model/**", method: method) { request, _ -> Response in
                throw JPushError.notServed(
                    "\(method) \(request.uri.path) is not served by this version of Posthorn; nothing was done."
                )
            }
        }
    }
}
