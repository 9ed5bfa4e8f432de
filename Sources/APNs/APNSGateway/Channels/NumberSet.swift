/// A set of small numbers: a sorted array while it is sparse, a bit for each number once that takes less memory.
struct NumberSet: Hashable, Sendable {
    private enum Storage: Hashable, Sendable {
        case sparse([UInt32])
        case dense([UInt64])
    }

    private var storage = Storage.sparse([])
    private(set) var count = 0

    init() {}

    init(_ numbers: some Sequence<UInt32>) {
        var last: UInt32?
        var sorted = numbers.sorted()
        sorted.removeAll { number in
            defer { last = number }
            return number == last
        }
        count = sorted.count
        storage = .sparse(sorted)
        densify()
    }

    func contains(_ number: UInt32) -> Bool {
        switch storage {
        case .sparse(let numbers):
            let place = Self.place(of: number, in: numbers)
            return place < numbers.count && numbers[place] == number
        case .dense(let words):
            let (word, bit) = Self.split(number)
            return word < words.count && words[word] & bit != 0
        }
    }

    /// - Returns: false if the number was in the set.
    mutating func insert(_ number: UInt32) -> Bool {
        guard !contains(number) else { return false }
        count += 1
        switch storage {
        case .sparse(var numbers):
            // Released first, so that the array is changed in place.
            storage = .sparse([])
            numbers.insert(number, at: Self.place(of: number, in: numbers))
            storage = .sparse(numbers)
            densify()
        case .dense(var words):
            storage = .sparse([])
            Self.set(number, in: &words)
            storage = .dense(words)
        }
        return true
    }

    private mutating func densify() {
        guard case .sparse(let numbers) = storage, let last = numbers.last, numbers.count > Int(last) / 32 + 2 else {
            return
        }
        var words: [UInt64] = []
        for number in numbers { Self.set(number, in: &words) }
        storage = .dense(words)
    }

    private static func split(_ number: UInt32) -> (word: Int, bit: UInt64) {
        (Int(number >> 6), 1 << UInt64(number & 63))
    }

    private static func set(_ number: UInt32, in words: inout [UInt64]) {
        let (word, bit) = split(number)
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        words[word] |= bit
    }

    /// The index of the number, or of the first greater one.
    private static func place(of number: UInt32, in numbers: [UInt32]) -> Int {
        // Numbers mostly come in ascending order.
        guard let last = numbers.last, last >= number else { return numbers.count }
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
