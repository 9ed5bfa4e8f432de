extension Array {
    /// Returns the elements that pass the tests, of which earlier ones weigh more: a test that no element left passes is skipped.
    package func preferring(_ tests: (Element) -> Bool...) -> [Element] {
        tests.reduce(self) { left, test in left.contains(where: test) ? left.filter(test) : left }
    }
}
