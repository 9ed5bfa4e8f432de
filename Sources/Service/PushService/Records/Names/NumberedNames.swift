import PushModel

/// Names by number from 1; 0 stands for none.
struct NumberedNames: Sendable {
    private(set) var all: [String] = []
    private var numbers: [ExactText: UInt16] = [:]
    /// The numbers of removed names.
    private var free: [UInt16] = []

    /// Returns the number of a name; 0 if the 65,535 numbers are exhausted, so that the name counts as none.
    mutating func number(of name: String) -> UInt16 {
        let exact = ExactText(name)
        if let number = numbers[exact] { return number }
        let number: UInt16
        if let old = free.popLast() {
            number = old
            all[Int(number) - 1] = name
        } else {
            guard all.count < Int(UInt16.max) else { return 0 }
            all.append(name)
            number = UInt16(all.count)
        }
        numbers[exact] = number
        return number
    }

    /// Frees the number of a name.
    mutating func remove(_ number: UInt16) {
        numbers[ExactText(all[Int(number) - 1])] = nil
        all[Int(number) - 1] = ""
        free.append(number)
    }

    subscript(number: UInt16) -> String? { number == 0 ? nil : all[Int(number) - 1] }
}
