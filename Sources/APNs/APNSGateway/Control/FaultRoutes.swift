import Hummingbird
import PushModel

extension ControlEndpoint {
    /// Adds routes for faults, scripts and the fault log.
    func addFaults(to router: Router<BasicRequestContext>) {
        router.post("faults") { request, _ in
            var json = try StrictJSONReader(try await request.json())
            let seed = try json.optional("seed", .integer(in: FaultScript.seeds)).map { UInt64($0) }
            let fault = try Fault(reading: &json)
            try json.finish()
            return Response(.created, json: gateway.add(fault, seed: seed).json)
        }
        router.get("faults") { _, _ in Response("faults", gateway.faults.map(\.json)) }
        router.get("faults/:id") { _, context in
            let id = try context.number("id")
            guard let fault = gateway.faults.first(where: { $0.id == id }) else { throw unknownFault(id) }
            return Response(json: fault.json)
        }
        router.delete("faults/:id") { _, context in
            let id = try context.number("id")
            guard gateway.liftFault(id) else { throw unknownFault(id) }
            return Response(status: .noContent)
        }
        router.delete("faults") { _, _ in
            gateway.liftFaults()
            return Response(status: .noContent)
        }
        router.post("scripts") { request, _ in
            Response(.created, json: gateway.run(try FaultScript(json: try await request.json())).json)
        }
        router.get("scripts") { _, _ in Response("scripts", gateway.scripts.map(\.json)) }
        router.delete("scripts/:id") { _, context in
            let id = try context.number("id")
            guard gateway.endScript(id) else { throw ControlRefusal.notFound("There is no script \(id).") }
            return Response(status: .noContent)
        }
        router.get("log") { request, _ in
            let after = request.uri.queryParameters["after"] ?? "0"
            guard let number = Int(after) else {
                throw ControlRefusal.bad("'after' is '\(after)'; expected the number of an entry.")
            }
            return Response("entries", gateway.faultLog(after: number).map(\.json))
        }
    }

    private func unknownFault(_ id: Int) -> ControlRefusal {
        .notFound("There is no fault \(id): it was never set, was lifted, has ended or has nothing left to do.")
    }
}

extension BasicRequestContext {
    /// A number in the request path.
    func number(_ name: String) throws -> Int {
        let text = try parameters.require(name)
        guard let number = Int(text) else { throw ControlRefusal.bad("'\(text)' is not a number.") }
        return number
    }
}
