import Foundation
import PushClock
import PushModel
import PushService
import PushStoreSQLite

let importRoads = [
    Road(name: "start", unit: "device", house: "start") { try await start($0) },
    Road(name: "import", unit: "row", house: "import") { try await add($0) },
]

extension DeviceImport {
    /// Makes a row with an alias and three tags: two that a tenth of the devices have, and one that a hundredth has.
    init(number: Int) {
        var random = SplitMix(seed: UInt64(number))
        self.init(token: DeviceToken(words: SIMD4(random.next(), random.next(), random.next(), random.next())))
        alias = .set("alias\(number)")
        tags = ["hundredth\(number % 100)", "other\(number / 10 % 10)", "tenth\(number % 10)"]
    }
}

/// A batch of new devices, as the command sends it.
private func add(_ meter: Meter) async throws {
    let house = try await House()
    var next = 0
    try await meter.measure(units: DeviceImporter.limit) {
        // The first rows make the tags.
        let rows = (next..<next + (next == 0 ? 100 : DeviceImporter.limit)).map(DeviceImport.init(number:))
        next += rows.count
        return rows
    } _: { rows in
        try await house.importDevices(rows)
    }
    try house.remove()
}

/// What a start reads: all devices of a store that the service before has closed.
private func start(_ meter: Meter) async throws {
    let count = 10_000
    let clock = VirtualClock()
    let folder = try House.makeFolder()
    func makeStore(_ name: String, devices: Int) async throws -> any PushStore {
        let path = "\(folder)/\(name).sqlite"
        let store = try SQLiteStore(path: path)
        let app = try await House.makeApp(in: store, at: clock.date).app
        let importer = DeviceImporter(
            store: store,
            registry: try await Registry(store: store, keys: House.keys),
            clock: clock
        )
        for start in stride(from: 0, to: devices, by: DeviceImporter.limit) {
            let rows = (start..<min(start + DeviceImporter.limit, devices)).map(DeviceImport.init(number:))
            _ = try await importer.add(rows, of: app.id, environment: .production)
        }
        try store.close()
        return try SQLiteStore(path: path)
    }
    let all = try await makeStore("all", devices: count)
    var stores = [all, try await makeStore("few", devices: 100)]
    var registry: Registry?
    try await meter.measure(units: count) {
        // Its memory is not freed on the road.
        registry = nil
        return stores.removeLast()
    } _: { store in
        registry = try await Registry(store: store, keys: House.keys)
    }
    guard let registry, let app = try await all.apps().first,
        registry.resolve(.all, of: app.id, environment: .production, at: clock.date).reachable.count == count
    else { throw UnexpectedAnswer("Not all devices were read.") }
    try FileManager.default.removeItem(atPath: folder)
}
