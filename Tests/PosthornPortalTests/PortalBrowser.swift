import Foundation
import Logging
import PosthornStack
import PushClock
import PushService
import TestSupport
import Testing

@testable import PosthornPortal

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A browser without scripts.
struct PortalBrowser {
    private let session = URLSession(configuration: .ephemeral)
    private let portal: String
    /// The service at whose port the portal is.
    let core: ServiceCore

    /// Runs a stack with a portal whose administrator is `ana`, and calls `body` with her password.
    static func run(
        _ clock: TurnableClock,
        _ body: @escaping @Sendable (_ stack: Stack, _ browser: PortalBrowser, _ password: String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let made = Announcement<(portal: Portal, core: ServiceCore)>()
            var settings = Stack.Settings(folder: folder.path) { ($0.clock, $0.phones) = (clock, 0) }
            settings.pages = { core, caller, settings in
                let portal = try Portal(
                    core: core,
                    caller: caller,
                    settings: settings,
                    phones: PhoneShelf(),
                    logger: Logger(label: "test")
                )
                made.make(.success((portal, core)))
                return portal
            }
            try await Stack.run(settings, logger: Logger(label: "test")) { stack in
                let (made, core) = try await made.value
                let password = try await made.createAdministrator("ana")
                try await body(stack, PortalBrowser(portal: stack.api.url + "/portal", core: core), password)
            }
        }
    }

    func call(
        _ method: String,
        _ path: String,
        _ body: String = "",
        type: String = "application/json",
        token: String = ""
    ) async throws -> (status: Int, String) {
        let url = try #require(URL(string: portal + path))
        var request = URLRequest(url: url)
        request.httpMethod = method
        if !body.isEmpty { request.httpBody = Data(body.utf8) }
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.setValue(token, forHTTPHeaderField: "X-CSRF-Token")
        let (data, response) = try await session.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }

    /// Signs in and returns the token of the session.
    func signIn(_ name: String, _ password: String) async throws -> String {
        let form = "name=\(name)&password=\(password)"
        let (status, page) = try await call("POST", "/sign-in", form, type: "application/x-www-form-urlencoded")
        #expect(status == 200)
        return String(try #require(page.firstMatch(of: #/name="csrf" content="(\w+)"/#)).1)
    }
}
