import PushModel

/// The settings of the device itself, and what is connected to it.
struct DeviceSettings: Sendable {
    /// How permission prompts are answered.
    fileprivate(set) var prompts: PromptPolicy
    /// Selects among the strings files of an app.
    fileprivate(set) var language = "en"
    /// The country of the App Store, which is not that of the locale.
    fileprivate(set) var storefront = "USA"
    fileprivate(set) var focus: Focus?
    fileprivate(set) var isLowPower = false
    fileprivate(set) var isCarConnected = false
    /// The times of the summaries; initially the times that iOS proposes.
    fileprivate(set) var summaryTimes = [TimeOfDay(hour: 8), TimeOfDay(hour: 18)]
}

extension DeviceState {
    mutating func setPrompts(_ policy: PromptPolicy) { settings.prompts = policy }

    mutating func setLanguage(_ language: String) {
        settings.language = language
        for bundleID in bundleIDs { sendFacts(bundleID) }
    }

    mutating func setStorefront(_ country: String) {
        settings.storefront = country
        emitChange("storefront \(country)")
    }

    mutating func setFocus(_ focus: Focus?) {
        settings.focus = focus
        emitChange(focus.map { "focus \($0.name)" } ?? "no focus")
    }

    mutating func setLowPower(_ isOn: Bool) {
        settings.isLowPower = isOn
        emitChange(isOn ? "low power" : "full power")
        releaseHeld()
        planFetch()
    }

    mutating func setCarConnected(_ isConnected: Bool) {
        settings.isCarConnected = isConnected
        emitChange(isConnected ? "car connected" : "car disconnected")
    }

    /// Sets the times of the summary; without any, what is held is shown at once.
    mutating func setSummaryTimes(_ times: [TimeOfDay]) {
        settings.summaryTimes = times
        if times.isEmpty { showSummary() } else { planSummary() }
    }
}
