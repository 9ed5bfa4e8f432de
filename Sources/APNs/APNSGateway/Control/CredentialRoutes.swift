import DeviceLink
import Foundation
import Hummingbird
import PushModel

extension ControlEndpoint {
    /// Adds routes for device tokens, keys, provider tokens, certificates and outages.
    func addCredentials(to router: Router<BasicRequestContext>) {
        addTokens(to: router)
        addKeys(to: router)
        addProviderTokens(to: router)
        router.delete("certificates/:serial") { _, context in
            let text = try context.parameters.require("serial")
            guard let serial = [UInt8](hexadecimal: text), !serial.isEmpty else {
                throw ControlRefusal.bad(
                    "'\(text)' is not a serial number; expected an even number of hexadecimal digits."
                )
            }
            gateway.credentials.revokeCertificate(serial)
            return Response(status: .noContent)
        }
        router.get("outage") { _, _ in Response(json: ["reason": .orNull(gateway.outage?.rawValue)]) }
        router.put("outage") { request, _ in
            var json = try StrictJSONReader(try await request.json())
            let reasons = [APNSReason.internalServerError, .serviceUnavailable, .shutdown]
            gateway.credentials.outage = try json.need("reason", .word(of: reasons.map { ($0.rawValue, $0) }))
            try json.finish()
            return Response(status: .noContent)
        }
        router.delete("outage") { _, _ in
            gateway.credentials.outage = nil
            return Response(status: .noContent)
        }
    }

    private func addTokens(to router: Router<BasicRequestContext>) {
        router.post("tokens") { request, _ in
            var json = try StrictJSONReader(try await request.json())
            let topic = try json.need("topic", .topic)
            let environment: APNSEnvironment = try json.need("environment", .word)
            let count = try json.optional("count", .integer(in: 1...100_000)) ?? 1
            try json.finish()
            let tokens = (0..<count).map { _ in gateway.issueToken(topic: topic, environment: environment) }
            return Response(.created, json: ["tokens": .strings(tokens.map(\.hexadecimal))])
        }
        router.get("tokens") { request, _ in
            let tokens = try facts.tokens(request.parameters).map { number, token, facts in
                var json = JSONObject(present: ["number": number, "token": token.hexadecimal])
                json.add(facts.json)
                return json
            }
            return Response("tokens", tokens)
        }
        router.get("tokens/:token") { _, context in Response(json: try facts(try token(context)).json) }
        router.put("tokens/:token") { request, context in
            let token = try token(context)
            var json = try StrictJSONReader(try await request.json())
            if let topic = try json.optional("topic", .topic) {
                let device = try json.need("device", .text, orMissing: "the id of the device")
                let environment: APNSEnvironment = try json.need("environment", .word)
                try json.finish()
                try gateway.adopt(token, for: .init(device: device, topic: topic, environment: environment))
                return Response(json: try facts(token).json)
            }
            _ = try facts(token)
            let words: [(String, Bool)] = [("unregistered", false), ("expired", true)]
            let isOld = try json.need(
                "state",
                .word(of: words),
                orMissing: "'unregistered' or 'expired': a dead token cannot be revived"
            )
            let since = try json.optional("since", .integer(in: 0...Int64(4e15))).map {
                Date(timeIntervalSince1970: Double($0) / 1000)
            }
            try json.finish()
            if isOld { gateway.expireToken(token, since: since) } else { gateway.unregisterToken(token, since: since) }
            return Response(json: try facts(token).json)
        }
    }

    private func token(_ context: BasicRequestContext) throws -> DeviceToken {
        let text = try context.parameters.require("token")
        guard let token = DeviceToken(written: text) else {
            throw ControlRefusal.bad("'\(text)' is not a device token; expected an even number of hexadecimal digits.")
        }
        return token
    }

    private func facts(_ token: DeviceToken) throws(ControlRefusal) -> TokenFacts {
        guard let facts = gateway.facts(about: token) else {
            throw .notFound(
                "The gateway has issued no such device token; POST /tokens issues tokens, PUT with a topic adopts one."
            )
        }
        return facts
    }
}

extension JSONForm<String> {
    fileprivate static var topic: Self {
        Self("a bundle id: letters, digits, '.', '-' and '_'") { value in
            value.string.flatMap { !$0.isEmpty && $0.isWrittenLikeTopic ? $0 : nil }
        }
    }
}
