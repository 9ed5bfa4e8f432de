import Testing

@Suite("On a Mac")
struct OnMacTests {
    @Test(
        "The app's tests run on an emulated phone",
        .disabled("It needs Linux: run 'swift test' in this folder there, or in a container such as swift:6.2")
    )
    func phone() {}
}
