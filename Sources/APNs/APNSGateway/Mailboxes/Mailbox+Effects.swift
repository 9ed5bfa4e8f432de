extension Mailbox {
    /// The effects of taking in a push, in order. Nearly always there are one or two, which need no memory of their own.
    package struct Effects: Hashable, Sendable {
        private var first: Effect?
        private var second: Effect?
        /// The effects after ``second``.
        private var others: [Effect] = []

        init() {}

        init(_ effect: Effect) { first = effect }

        mutating func append(_ effect: Effect) {
            if first == nil {
                first = effect
            } else if second == nil {
                second = effect
            } else {
                others.append(effect)
            }
        }

        mutating func append(contentsOf effects: some Sequence<Effect>) {
            for effect in effects { append(effect) }
        }
    }
}

extension Mailbox.Effects: Sequence {
    package struct Iterator: IteratorProtocol {
        private let effects: Mailbox.Effects
        private var index = 0

        fileprivate init(_ effects: Mailbox.Effects) { self.effects = effects }

        package mutating func next() -> Mailbox.Effect? {
            defer { index += 1 }
            return effects.effect(at: index)
        }
    }

    package var underestimatedCount: Int { (first == nil ? 0 : 1) + (second == nil ? 0 : 1) + others.count }

    package func makeIterator() -> Iterator { Iterator(self) }

    fileprivate func effect(at index: Int) -> Mailbox.Effect? {
        switch index {
        case 0: first
        case 1: second
        default: index - 2 < others.count ? others[index - 2] : nil
        }
    }
}
