package backend

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"posthorntest"
)

const limit = 5 * time.Second

func makeBackend(t *testing.T, apns *posthorntest.APNs, tokens ...string) *Backend {
	t.Helper()
	backend := &Backend{
		URL: apns.URL(), KeyFile: apns.KeyFile, KeyID: apns.KeyID, TeamID: apns.TeamID, Topic: apns.Topic, Clock: time.Now,
		Tokens: map[string]bool{},
	}
	for _, token := range tokens {
		backend.Tokens[token] = true
	}
	if err := backend.Connect(apns.CA); err != nil {
		t.Fatal(err)
	}
	return backend
}

func (backend *Backend) mustNotify(t *testing.T, text string, headers map[string]string) map[string]string {
	t.Helper()
	answers, err := backend.Notify(context.Background(), text, headers)
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func expect(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestAPushArrives(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	token := apns.Token()
	expect(t, makeBackend(t, apns, token).mustNotify(t, "Lunch is ready", nil), map[string]string{token: "200"})
	push := apns.Wait(1, limit, posthorntest.Conditions{Token: token})[0]
	expect(t, string(push.Payload), `{"aps":{"alert":"Lunch is ready"}}`)
	expect(t, push.Header("apns-topic"), apns.Topic)
}

func TestADeadTokenIsForgotten(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	alive, dead := apns.Token(), apns.Token()
	apns.Unregister(dead)
	backend := makeBackend(t, apns, alive, dead)
	expect(t, backend.mustNotify(t, "Lunch is ready", nil), map[string]string{alive: "200", dead: "410 Unregistered"})
	expect(t, backend.Tokens, map[string]bool{alive: true})
}

func TestAnUnavailableServiceIsTriedAgain(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	token := apns.Token()
	apns.FailNext(503, 2)
	expect(t, makeBackend(t, apns, token).mustNotify(t, "Lunch is ready", nil), map[string]string{token: "200"})
	statuses := []int{}
	for _, push := range apns.Wait(3, limit, posthorntest.Conditions{}) {
		statuses = append(statuses, push.Status)
	}
	expect(t, statuses, []int{503, 503, 200})
}

func TestALateAnswerIsNotWaitedFor(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	apns.Delay(30*time.Second, 1)
	short, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	_, err := makeBackend(t, apns, apns.Token()).Notify(short, "Lunch is ready", nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want the end of the time", err)
	}
}

func TestAfterGoAwayTheNextPushTakesAnotherConnection(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	fault := apns.GoAway(1, "before")
	token := apns.Token()
	expect(t, makeBackend(t, apns, token).mustNotify(t, "Lunch is ready", nil), map[string]string{token: "200"})
	expect(t, apns.Times(fault), 1)
	apns.Wait(1, limit, posthorntest.Conditions{Token: token, Status: 200})
}

func TestAnExpiredProviderTokenIsMadeAnew(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	token := apns.Token()
	backend := makeBackend(t, apns, token)
	expect(t, backend.mustNotify(t, "Lunch is ready", nil), map[string]string{token: "200"})
	apns.TurnClock(61 * time.Minute)
	backend.Clock = apns.Now
	expect(t, backend.mustNotify(t, "Dinner is ready", nil), map[string]string{token: "200"})
	reasons := []string{}
	for _, push := range apns.Wait(3, limit, posthorntest.Conditions{Token: token}) {
		reasons = append(reasons, push.Reason)
	}
	expect(t, reasons, []string{"", "ExpiredProviderToken", ""})
}

func TestAPushExpires(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	expiration := strconv.FormatInt(apns.Now().Unix()+3600, 10)
	makeBackend(t, apns, apns.Token()).mustNotify(t, "Lunch is ready", map[string]string{"apns-expiration": expiration})
	push := apns.Wait(1, limit, posthorntest.Conditions{})[0]
	expect(t, apns.State(push), "waiting")
	apns.TurnClock(3601 * time.Second)
	apns.WaitState(push, "expired", limit)
}

func TestAKeyIsRotatedWithoutALostPush(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	token := apns.Token()
	old, next := apns.MakeKey(posthorntest.KeyOrder{}), apns.MakeKey(posthorntest.KeyOrder{})
	backend := makeBackend(t, apns, token)
	accepted := map[string]string{token: "200"}
	backend.Use(old.File, old.ID, old.TeamID)
	expect(t, backend.mustNotify(t, "Breakfast is ready", nil), accepted)
	backend.Use(next.File, next.ID, next.TeamID)
	apns.RevokeKey(old)
	expect(t, backend.mustNotify(t, "Lunch is ready", nil), accepted)
	backend.Use(old.File, old.ID, old.TeamID)
	expect(t, backend.mustNotify(t, "Dinner is ready", nil), map[string]string{token: "403 Forbidden"})
}

func TestEnvironmentsThatAreMixedUpAreNoticed(t *testing.T) {
	apns := posthorntest.StartAPNs(t)
	token, ofDevelopment := apns.Token(), apns.TokenFor(apns.Topic, "development")
	for _, row := range []struct {
		key           posthorntest.Key
		token, answer string
	}{
		{apns.Keys.Production, token, "200"},
		{apns.Keys.Development, token, "403 BadEnvironmentKeyInToken"},
		{apns.Keys.Production, ofDevelopment, "400 BadDeviceToken"},
		{apns.Keys.Topic, token, "200"},
		{apns.Keys.SecondTeam, token, "400 TopicDisallowed"},
	} {
		backend := makeBackend(t, apns, row.token)
		backend.Use(row.key.File, row.key.ID, row.key.TeamID)
		expect(t, backend.mustNotify(t, "Lunch is ready", nil), map[string]string{row.token: row.answer})
	}
}

func TestThePhoneShowsItAndTomorrowsPushTomorrow(t *testing.T) {
	sandbox := posthorntest.StartSandbox(t)
	rest := func(path string, body any) (answer map[string]any) {
		t.Helper()
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest("POST", sandbox.URL+path, strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		request.SetBasicAuth(sandbox.AppKey, sandbox.MasterSecret)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		expect(t, response.StatusCode, 200)
		if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	push := func(text string) map[string]any {
		return map[string]any{
			"platform": "ios", "audience": "all", "notification": map[string]string{"alert": text},
			"options": map[string]bool{"apns_production": true},
		}
	}
	answer := rest("/v3/push", push("Lunch is ready"))
	sandbox.WaitState(answer["msg_id"].(string), sandbox.Devices[0], "shown", limit)
	// JPush's times are China's.
	date := sandbox.APNs.Now().Add(20 * time.Hour).In(time.FixedZone("China", 8*3600)).Format("2006-01-02 15:04:05")
	rest("/v3/schedules", map[string]any{
		"name": "Lunch", "enabled": true, "trigger": map[string]any{"single": map[string]string{"time": date}},
		"push": push("Tomorrow's lunch is ready"),
	})
	sandbox.TurnClock(20*time.Hour + time.Minute)
	scheduled := sandbox.APNs.Wait(1, 4*limit, posthorntest.Conditions{Text: "Tomorrow"})[0]
	sandbox.WaitPushState(scheduled, "shown", 4*limit)
}
