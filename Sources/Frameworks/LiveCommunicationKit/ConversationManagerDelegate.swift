public import CallAudio

/// Performs what the user and the app want of conversations. All methods are required.
///
/// All are called on the main thread: Apple documents none.
public protocol ConversationManagerDelegate: AnyObject {
    /// The manager can be used.
    func conversationManagerDidBegin(_ manager: ConversationManager)
    /// The manager's conversations have all ended: it was invalidated.
    func conversationManagerDidReset(_ manager: ConversationManager)
    /// A conversation began, or its state or members changed.
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation)
    /// The user, or the app itself, wants something of a conversation. Fulfil or fail the action.
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction)
    /// The app did not complete the action in time.
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction)
    /// The user can talk: start audio now.
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession)
    /// The manager's last conversation that people talked in has ended, or is paused.
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession)
}
