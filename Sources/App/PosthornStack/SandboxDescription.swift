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
    package func description(tokens: SampleTokens, portal: PortalLogin? = nil) async throws -> JSONValue {
        var devices: [JSONValue] = []
        for phone in phones {
            devices.append([
                "name": .string(phone.device.name), "registrationID": .string(try await registrationID(of: phone).text),
                "token": .orNull(phone.device.token(of: Self.bundleID)?.hexadecimal),
            ])
        }
        return [
            "api": [
                "url": .string(api.url), "appKey": .string(api.appKey), "masterSecret": .string(api.masterSecret),
                "devKey": .string(developer.developer.key.text), "devSecret": .string(developer.secret),
                "groupKey": .string(group.group.key.text), "groupSecret": .string(group.masterSecret),
            ],
            "link": ["url": .string(linkURL)], "apns": try await apns(tokens), "devices": .array(devices),
            "portal": [
                "url": .orNull(portal?.url), "user": .orNull(portal?.user), "password": .orNull(portal?.password),
            ],
        ]
    }

    private func apns(_ tokens: SampleTokens) async throws -> JSONValue {
        let port = gateway.server.port(for: settings.environment) ?? 0
        let appID = try AppID(bundleID: Self.bundleID, hasPush: true)
        let folder = URL(filePath: gateway.caPath).deletingLastPathComponent().path(percentEncoded: false)
        let certificates = try PushCertificateFiles(of: appID, by: gateway.authority, at: Date()).write(to: folder)
        return [
            "host": .string(gateway.host), "port": .number(port), "ca": .string(gateway.caPath),
            "keyFile": .string(gateway.keyPath), "keyID": .string(gateway.key.id),
            "teamID": .string(gateway.key.teamID), "topic": .string(Self.bundleID),
            "environment": .string(settings.environment.rawValue), "control": try await .orNull(gateway.controlURL),
            "console": try await .orNull(gateway.consoleURL),
            "management": .orNull(gateway.server.managementPort(for: settings.environment)),
            "courier": .string(gateway.server.courierURL),
            "p12": [
                "development": .orNull(certificates[.development]), "production": .orNull(certificates[.production]),
                "password": .string(PushCertificateFiles.password),
            ],
            "tokens": [
                "valid": .string(tokens.valid.hexadecimal), "unregistered": .string(tokens.unregistered.hexadecimal),
                "otherTopic": .string(tokens.otherTopic.hexadecimal),
                "otherEnvironment": .string(tokens.otherEnvironment.hexadecimal),
            ],
        ]
    }
}
