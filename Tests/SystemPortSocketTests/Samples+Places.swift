import Foundation
import PushModel
import SystemPort

extension Samples {
    static let constraint = BeaconConstraint(uuid: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", major: 0, minor: .max)
    static let condition = ConditionRecord(region: region, state: .inside, date: date, isRefused: true)

    static let placeCalls: [SystemCall] = [
        LocationCall.start(.significantChanges), .start(.visits), .stop(.heading),
        .requestFullAccuracy(number: 3, purposeKey: "“Delivery”"), .startRanging(constraint),
        .stopRanging(BeaconConstraint(uuid: "")), .addCondition(region, state: .outside, monitor: "m"),
        .removeCondition(identifier: "home", monitor: ""), .startActivity, .endActivity,
    ].map { .location($0) }

    static let placeEvents: [SystemEvent.Kind] = [
        LocationEvent.changedSignificantly(place),
        .updated(LocationRecord(place: place.place, date: date, horizontalAccuracy: 5, floor: -2)),
        .visited(VisitRecord(place: place.place, horizontalAccuracy: 5, arrival: nil, departure: date)),
        .visited(VisitRecord(place: place.place, horizontalAccuracy: 5, arrival: date, departure: nil)),
        .turned(HeadingRecord(degrees: 359.9, isTrueKnown: false, date: date)),
        .ranged(constraint, [NearbyBeacon(uuid: UUID(), major: 0, minor: .max, distance: 0.1)], date: date),
        .ranged(constraint, [], date: date), .rangingFailed(constraint, error), .fullAccuracy(number: 3, nil),
        .fullAccuracy(number: 3, error), .condition(condition, monitor: "m"),
    ].map { .location($0) }
}
