/// The Chinese of sentences that the service words in English: refusals, warnings and verdicts.
///
/// A sentence has a pattern, such as `'{0}' has {1} bytes; at most {2} are allowed.`, by which it is recognised; the Chinese pattern has
/// places for the same values. A value that is a sentence or a phrase of the table is translated too, unless it stands in quotation
/// marks. The patterns of refusals and warnings are `Sources/Model/CWords/Chinese/sentences.json`; those of verdicts, reasons of APNs and
/// remarks are their words in both languages, by key.
package struct SentenceTable: Sendable {
    /// The most bytes of a sentence that is looked up.
    private static let longest = 4096
    /// The most sentences inside one another.
    private static let deepest = 4

    /// The texts of a pattern, and the names of the values between them.
    private struct Pattern {
        /// Always one more than names.
        var texts: [[UInt8]] = []
        var names: [String] = []

        init(_ words: String) {
            var rest = words[...]
            while let place = rest.firstMatch(of: #/\{(\w+)\}/#) {
                texts.append(Array(rest[..<place.range.lowerBound].utf8))
                names.append(String(place.output.1))
                rest = rest[place.range.upperBound...]
            }
            texts.append(Array(rest.utf8))
        }

        /// The bytes that a sentence has in common with the pattern.
        var weight: Int { texts.reduce(0) { $0 + $1.count } }

        /// Returns the values of a sentence in their order; nil if it has another pattern.
        func values(of sentence: [UInt8]) -> [String]? {
            let first = texts[0]
            let last = texts[texts.count - 1]
            let end = sentence.count - last.count
            guard first.count <= end, sentence.starts(with: first), sentence[end...].elementsEqual(last) else {
                return nil
            }
            var place = first.count
            var values: [String] = []
            for (index, name) in names.enumerated() {
                let isLast = index == names.count - 1
                let next = isLast ? end : sentence[place..<end].firstRange(of: texts[index + 1])?.lowerBound
                guard let next else { return nil }
                let value = sentence[place..<next]
                // A name with N is one of a number.
                if name.hasPrefix("N"), !value.allSatisfy({ (UInt8(ascii: "+")...UInt8(ascii: "9")).contains($0) }) {
                    return nil
                }
                values.append(String(decoding: value, as: UTF8.self))
                place = isLast ? end : next + texts[index + 1].count
            }
            return values
        }

        /// Returns the pattern with its values, and a space between a Chinese character and a Latin letter or digit of a value.
        func filled(_ value: (_ name: String) -> String?) -> String {
            func isLatin(_ scalar: Unicode.Scalar) -> Bool {
                scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            }
            var said = ""
            func add(_ part: String) {
                if let last = said.unicodeScalars.last, let next = part.unicodeScalars.first,
                    last.properties.isIdeographic && isLatin(next) || isLatin(last) && next.properties.isIdeographic
                {
                    said += " "
                }
                said += part
            }
            for (index, text) in texts.enumerated() {
                add(String(decoding: text, as: UTF8.self))
                if index < names.count { add(value(names[index]) ?? "{\(names[index])}") }
            }
            return said
        }

        /// Whether the value of a place is the words of somebody else.
        func isQuoted(_ index: Int) -> Bool { texts[index].last.map { "'\"".utf8.contains($0) } ?? false }
    }

    /// Sentences and phrases without values.
    private let fixed: [String: String]
    /// Patterns with values: longer beginnings come first, then more words.
    private let patterns: [(english: Pattern, chinese: Pattern)]

    package static let chinese: SentenceTable = {
        var table = Words.chineseSentences
        for reason in APNSReason.documented + APNSReason.ofChannels {
            let parts = ["meaning", "remedy"].compactMap { Words.chinese.refusals["\(reason.rawValue)_\($0)"] }
            table[reason.advice.clause] = parts.joined()
        }
        for (key, english) in Words.english.journeys { table[english] = Words.chinese.journeys[key] }
        for (key, english) in Words.english.verdicts {
            guard let words = Words.chinese.verdicts[key] else { continue }
            table[english] = words
            // The rest of a verdict on a push that met its app in front.
            let delivered = "delivered, "
            if english.hasPrefix(delivered) { table[String(english.dropFirst(delivered.count))] = words }
        }
        // The same pattern with other names would be found in its place, or not.
        let known = Set(table.keys.filter { $0.contains("{") }.map { Pattern($0).texts })
        for (key, english) in Words.english.remarks.sorted(by: { $0.key < $1.key }) where table[english] == nil {
            let pattern = Pattern(english)
            if pattern.weight > 12, !known.contains(pattern.texts) { table[english] = Words.chinese.remarks[key] }
        }
        return SentenceTable(table)
    }()

    private init(_ table: [String: String]) {
        fixed = table
        // In one order in every process, whatever the order of a dictionary.
        patterns = table.filter { $0.key.contains("{") }.sorted { $0.key < $1.key }
            .map { (english: Pattern($0.key), chinese: Pattern($0.value)) }
            .sorted { one, other in
                (one.english.texts[0].count, one.english.weight) > (other.english.texts[0].count, other.english.weight)
            }
    }

    /// Returns a sentence in Chinese; nil if it is unknown, or longer than 4096 bytes.
    package func translated(_ english: String) -> String? {
        english.utf8.count <= Self.longest ? translated(english, depth: 1) : nil
    }

    private func translated(_ english: String, depth: Int) -> String? {
        if let words = fixed[english] { return words }
        guard depth <= Self.deepest else { return nil }
        let bytes = Array(english.utf8)
        for (pattern, chinese) in patterns {
            guard let values = pattern.values(of: bytes) else { continue }
            let said = values.enumerated().map { index, value in
                pattern.isQuoted(index) ? value : translated(value, depth: depth + 1) ?? value
            }
            return chinese.filled { name in pattern.names.firstIndex(of: name).map { said[$0] } }
        }
        return nil
    }
}
