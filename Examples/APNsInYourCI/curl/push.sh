#!/usr/bin/env bash
# Pushes with curl and a certificate instead of a key to the APNs whose files are in the folder $APNS.
set -euo pipefail

push() {
    local name=$1 expected=$2 answer got
    # The certificate is for one app, so apns-topic can be left out.
    answer=$(curl --http2 --silent --show-error --max-time 10 --write-out '\n%{http_code}' --cacert "$APNS/ca.pem" \
        --cert "$APNS/production.p12:$(<"$APNS/password")" --cert-type P12 --header 'apns-push-type: alert' \
        --data '{"aps":{"alert":"Lunch is ready"}}' \
        "https://localhost:$(<"$APNS/port")/3/device/$(head -n 1 "$APNS/$name")")
    got=${answer##*$'\n'}
    if [[ $answer =~ \"reason\":\"([A-Za-z]+)\" ]]; then got+=" ${BASH_REMATCH[1]}"; fi
    echo "$name: $got"
    if [ "$got" != "$expected" ]; then
        echo "$name: expected $expected, got $got" >&2
        exit 1
    fi
}

push tokens "200"
push unregistered "410 Unregistered"
push otherEnvironment "400 BadDeviceToken"
