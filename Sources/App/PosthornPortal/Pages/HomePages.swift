import Hummingbird
import PushModel
import PushService

/// The first page: the apps.
struct HomePages: Sendable {
    let portal: PortalEnvironment

    func add(to router: RouterGroup<PortalContext>) {
        router.get("") { _, context in
            let apps = try await portal.perform(.appList, in: context)["apps"] ?? []
            let texts = portal.library.current.catalogue(context.language)
            return portal.page("apps", title: texts["apps", "title"], ["apps": apps], section: "apps", context)
        }
    }
}
