import ActivityKit
import SwiftUI
import WidgetKit

/// The delivery on the lock screen and in the Dynamic Island of an iPhone.
@main
struct DeliveryWidget: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: DeliveryAttributes.self) { context in
            VStack(alignment: .leading) {
                Text(verbatim: context.attributes.order).font(.headline)
                HStack {
                    Text(verbatim: context.state.place)
                    Spacer()
                    Text(verbatim: "\(context.state.stops)")
                }
            }
            .padding()
            .opacity(context.isStale ? 0.5 : 1)
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) { Text(verbatim: context.attributes.order) }
                DynamicIslandExpandedRegion(.trailing) { Text(verbatim: "\(context.state.stops)") }
                DynamicIslandExpandedRegion(.bottom) { Text(verbatim: context.state.place) }
            } compactLeading: {
                Image(systemName: "shippingbox")
            } compactTrailing: {
                Text(verbatim: "\(context.state.stops)")
            } minimal: {
                Image(systemName: "shippingbox")
            }
        }
    }
}
