import JPush

// A file with this import alone: JPush's header brings Foundation.
enum SavedTags {
    static func restore(from defaults: UserDefaults = .standard) {
        let tags = Set(defaults.stringArray(forKey: "tags") ?? [])
        JPUSHService.setTags(tags, completion: nil, seq: 1)
    }
}
