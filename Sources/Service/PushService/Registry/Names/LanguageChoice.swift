import PushModel

/// Chooses the alerts for devices by their languages, once for each language of the devices.
struct LanguageChoice {
    private let devices: NamesOfDevices
    private var alerts = LocalizedAlerts()
    /// The places of the alerts by number of the devices' languages.
    private var places: [UInt16: Int?] = [:]

    init(of devices: NamesOfDevices) { self.devices = devices }

    /// Returns the place of the alert for the device at a place; nil for the plain alert.
    mutating func place(at device: Int, among alerts: LocalizedAlerts) -> Int? {
        guard !alerts.isEmpty else { return nil }
        if alerts != self.alerts {
            self.alerts = alerts
            places = [:]
        }
        let number = devices.number(at: device)
        if let place = places[number] { return place }
        let place = alerts.place(for: devices.names[number])
        places[number] = .some(place)
        return place
    }
}
