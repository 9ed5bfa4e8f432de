import APNSGateway
import AppleDeveloper
import Foundation
import PushDevice
package import PushModel
import PushService

/// The address of a portal, and a user who may do everything there.
package struct PortalLogin: Sendable {
    package var url: String
    package var user: String
    package var password: String

    package init(url: String, user: String, password: String) {
        self.url = url
        self.user = user
        self.password = password
    }
}

extension Stack {
    /// Describes this stack for other programs in one object, in which a missing value is null.
    ///
    /// `tokens` is the sample tokens of the gateway's app. `portal` is the portal at the port of the service; nil for
    /// none.
    package func description(tokens: SampleTokens, portal: PortalLogin? = nil) async throws -> JSONMembers {
        var devices: [JSONMembers] = []
        for phone in phones {
            devices.append([
                "name": phone.device.name, "registrationID": try await registrationID(of: phone).text,
                "token": phone.device.token(of: Self.bundleID),
            ])
        }
        return [
            "api": [
                "url": api.url, "appKey": api.appKey, "masterSecret": api.masterSecret,
                "devKey": developer.developer.key.text, "devSecret": developer.secret,
                "groupKey": group.group.key.text, "groupSecret": group.masterSecret,
            ] as JSONMembers,
            "link": ["url": linkURL] as JSONMembers, "apns": try await apns(tokens), "devices": devices,
            "portal": [
                "url": portal?.url, "user": portal?.user, "password": portal?.password,
            ] as JSONMembers,
        ]
    }

    private func apns(_ tokens: SampleTokens) async throws -> JSONMembers {
        let port = gateway.server.port(for: settings.environment) ?? 0
        let appID = try AppID(bundleID: Self.bundleID, hasPush: true)
        let folder = URL(filePath: gateway.caPath).deletingLastPathComponent().path(percentEncoded: false)
        let certificates = try PushCertificateFiles(of: appID, by: gateway.authority, at: Date()).write(to: folder)
        return [
            "host": gateway.host, "port": port, "ca": gateway.caPath,
            "keyFile": gateway.keyPath, "keyID": gateway.key.id,
            "teamID": gateway.key.teamID, "topic": Self.bundleID,
            "environment": settings.environment.rawValue, "control": try await gateway.controlURL,
            "console": try await gateway.consoleURL,
            "management": gateway.server.managementPort(for: settings.environment),
            "courier": gateway.server.courierURL,
            "p12": [
                "development": certificates[.development], "production": certificates[.production],
                "password": PushCertificateFiles.password,
            ] as JSONMembers,
            "tokens": [
                "valid": tokens.valid, "unregistered": tokens.unregistered, "otherTopic": tokens.otherTopic,
                "otherEnvironment": tokens.otherEnvironment,
            ] as JSONMembers,
        ]
    }
}
