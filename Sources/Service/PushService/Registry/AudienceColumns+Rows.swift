extension AudienceColumns {
    /// Applies the store's state of many devices, unless a newer one is known.
    mutating func apply(_ rows: AudienceRows) {
        guard let last = rows.indices.last.map(rows.ordinal(ofRow:)) else { return }
        if last >= count { grow(to: Int(last) + 1) }
        guard rows.indices.allSatisfy({ isBlank(rows.ordinal(ofRow: $0)) }) else {
            return apply(rows[...])
        }
        for row in rows.indices { set(rows.entry(row)) }
        addNames(of: rows)
    }
}
