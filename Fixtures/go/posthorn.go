// Package posthorntest runs an APNs, or a whole push service with an emulated iPhone, for tests of code that sends pushes.
//
//	func TestPush(t *testing.T) {
//		apns := posthorntest.StartAPNs(t)
//
// The tests of a package share one process of each kind. A test sees only its own pushes, and its faults and the keys that it
// has made end with it. A process whose clock was turned, or whose own keys were revoked, is replaced before the next test. Tests that call t.Parallel share the faults and the clock; they look for
// their own pushes by token. The program is that of the variable POSTHORN, or posthorn on the PATH; StartAPNsContainer, in a file of
// its own, needs Docker instead.
package posthorntest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The reason that APNs gives with a status, for tests that only name the status.
var reasons = map[int]string{
	400: "BadDeviceToken", 403: "ExpiredProviderToken", 404: "BadPath", 405: "MethodNotAllowed", 410: "Unregistered",
	413: "PayloadTooLarge", 429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable",
}

const (
	// The most that the control endpoint waits for in one request.
	longestWait = 60 * time.Second
	startLimit  = 60 * time.Second
)

// A Push is a request that arrived at the gateway, with its answer.
type Push struct {
	Number      int             `json:"number"`
	At          time.Time       `json:"at"`
	Environment string          `json:"environment"`
	Connection  int             `json:"connection"`
	Path        string          `json:"path"`
	Token       string          `json:"token"`
	APNSID      string          `json:"apns-id"`
	Fields      [][2]string     `json:"headers"`
	Payload     json.RawMessage `json:"payload"`
	// Status is 0 if a fault ended the request without an answer.
	Status int `json:"status"`
	// Reason is empty if the push was accepted; Meaning and Remedy explain it.
	Reason  string `json:"reason"`
	Meaning string `json:"meaning"`
	Remedy  string `json:"remedy"`
}

// Header returns the value of a header field; its name is in lower case.
func (push Push) Header(name string) string {
	for _, field := range push.Fields {
		if field[0] == name {
			return field[1]
		}
	}
	return ""
}

func (push Push) String() string {
	answer := "no answer"
	if push.Status != 0 {
		answer = strings.TrimSpace(fmt.Sprint(push.Status, " ", push.Reason))
	}
	text := fmt.Sprintf("#%d at %s: %s, %s, token %s, payload %.200s", push.Number, push.At.Format(time.RFC3339Nano), answer,
		push.Header("apns-push-type"), push.Token, push.Payload)
	if push.Reason != "" {
		text += "\n    " + push.Meaning + " " + push.Remedy
	}
	return text
}

// Conditions select pushes; empty values select all. Text is looked for in the payload.
type Conditions struct {
	Token, Topic, CollapseID, APNSID, Environment, Reason, Text string
	Status                                                      int
}

func (conditions Conditions) query() url.Values {
	query := url.Values{}
	for name, value := range map[string]string{
		"token": conditions.Token, "topic": conditions.Topic, "collapse-id": conditions.CollapseID, "apns-id": conditions.APNSID,
		"environment": conditions.Environment, "reason": conditions.Reason, "text": conditions.Text,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if conditions.Status != 0 {
		query.Set("status", strconv.Itoa(conditions.Status))
	}
	return query
}

// Where selects the pushes that a fault is for; empty values select all.
type Where struct{ Token, Topic, Environment, Path string }

// A Key is a signing key: its p8 file as from Apple, and its ids.
type Key struct{ File, ID, TeamID string }

// Keys are signing keys of each kind that Apple's site makes.
type Keys struct {
	// Development and Production are for one environment alone.
	Development, Production Key
	// Topic is for the APNs' topic alone, in production. Tokens of it and of its Related key may be used on one connection.
	Topic, Related Key
	// SecondTeam is of another team, whose only app is SecondTeamTopic.
	SecondTeam      Key
	SecondTeamTopic string
}

// A KeyOrder says what a key is for; empty values are both environments, all topics, no related key and the APNs' team.
type KeyOrder struct {
	Environments, Topics []string
	RelatedTo            *Key
	TeamID               string
}

// An APNs for one test.
type APNs struct {
	t       testing.TB
	program *program
	// Host is the name in the server's certificate; Port is for production.
	Host string
	Port int
	// DevelopmentPort is 0 in the sandbox, which has one environment.
	DevelopmentPort int
	// CA is the path of the authority that a client has to trust, KeyFile that of the signing key, as from Apple.
	CA, KeyFile, KeyID, TeamID string
	// Topic is the bundle id of the tokens.
	Topic string
	// Keys are empty in the sandbox.
	Keys Keys
	// Control is the address of the control endpoint.
	Control string
	after   int
	faults  []map[string]any
	// The ids of the keys that the test has made.
	madeKeys map[string]bool
}

// StartAPNs returns an APNs, whose faults end with the test. The arguments are more options of posthorn gateway; only those of the
// first call count.
func StartAPNs(t testing.TB, options ...string) *APNs {
	t.Helper()
	program := launched(t, "gateway", func(folder string) []string {
		return append([]string{
			"gateway", "--json", "--until-eof", "--data", filepath.Join(folder, "data"), "--hand-out", filepath.Join(folder, "out"),
			"--tokens", "1", "--development-port", "0", "--production-port", "0", "--courier-port", "0", "--control-port", "0",
		}, options...)
	})
	out := filepath.Join(program.folder, "out")
	apns := newAPNs(t, program, program.facts.apnsFacts, handedOut(t, out, "topic"))
	apns.Keys = handedOutKeys(t, out, apns.TeamID)
	return apns
}

func handedOut(t testing.TB, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func handedOutKeys(t testing.TB, folder, team string) Keys {
	t.Helper()
	key := func(name, team string) Key {
		return Key{File: filepath.Join(folder, name+"Key.p8"), ID: handedOut(t, folder, name+"KeyID"), TeamID: team}
	}
	return Keys{
		Development: key("development", team), Production: key("production", team), Topic: key("topic", team),
		Related: key("related", team), SecondTeam: key("secondTeam", handedOut(t, folder, "secondTeamID")),
		SecondTeamTopic: handedOut(t, folder, "secondTeamTopic"),
	}
}

func newAPNs(t testing.TB, program *program, facts apnsFacts, topic string) *APNs {
	t.Helper()
	port := facts.ProductionPort
	if port == 0 {
		port = facts.Port
	}
	apns := &APNs{
		t: t, program: program, Host: "localhost", Port: port, DevelopmentPort: facts.DevelopmentPort, CA: facts.CA,
		KeyFile: facts.KeyFile, KeyID: facts.KeyID, TeamID: facts.TeamID, Topic: topic, Control: facts.Control,
		madeKeys: map[string]bool{},
	}
	for _, push := range apns.list(url.Values{"limit": {"1"}}) {
		apns.after = push.Number
	}
	// Those that earlier tests have signed.
	apns.call("DELETE", "provider-tokens", nil, nil)
	t.Cleanup(func() {
		if !program.isSpent {
			apns.EndFaults()
			for id := range apns.madeKeys {
				apns.call("DELETE", "keys/"+id, nil, nil)
			}
		}
	})
	return apns
}

// URL returns the address of the port for production.
func (apns *APNs) URL() string { return fmt.Sprintf("https://%s:%d", apns.Host, apns.Port) }

// MakeKey makes a key as Apple's site does, until the end of this test.
func (apns *APNs) MakeKey(order KeyOrder) Key {
	apns.t.Helper()
	body := map[string]any{"team": apns.TeamID}
	if order.TeamID != "" {
		body["team"] = order.TeamID
	}
	if len(order.Environments) > 0 {
		body["environments"] = order.Environments
	}
	if len(order.Topics) > 0 {
		body["topics"] = order.Topics
	}
	if order.RelatedTo != nil {
		body["relatedTo"] = order.RelatedTo.ID
	}
	var made struct{ ID, Team, P8 string }
	apns.call("POST", "keys", body, &made)
	apns.madeKeys[made.ID] = true
	file := filepath.Join(apns.t.TempDir(), "AuthKey_"+made.ID+".p8")
	if err := os.WriteFile(file, []byte(made.P8), 0o600); err != nil {
		apns.t.Fatal(err)
	}
	return Key{File: file, ID: made.ID, TeamID: made.Team}
}

// RevokeKey revokes a key: pushes with it get 403 Forbidden from now on. After one of the APNs' own, another process serves the next test.
func (apns *APNs) RevokeKey(key Key) {
	apns.t.Helper()
	if !apns.madeKeys[key.ID] {
		apns.program.isSpent = true
	}
	apns.call("DELETE", "keys/"+key.ID, nil, nil)
}

// Token issues a device token for production. It belongs to no device; pushes to it are judged and stored.
func (apns *APNs) Token() string {
	apns.t.Helper()
	return apns.TokenFor(apns.Topic, "production")
}

// TokenFor issues a device token for a topic and an environment, "development" or "production".
func (apns *APNs) TokenFor(topic, environment string) string {
	apns.t.Helper()
	var issued struct{ Tokens []string }
	apns.call("POST", "tokens", map[string]any{"topic": topic, "environment": environment}, &issued)
	return issued.Tokens[0]
}

// Unregister lets the app be removed: pushes to the token get 410 Unregistered from now on.
func (apns *APNs) Unregister(token string) {
	apns.t.Helper()
	apns.call("PUT", "tokens/"+token, map[string]any{"state": "unregistered"}, nil)
}

// Expire lets the token expire: pushes to it get 410 ExpiredToken from now on.
func (apns *APNs) Expire(token string) {
	apns.t.Helper()
	apns.call("PUT", "tokens/"+token, map[string]any{"state": "expired"}, nil)
}

// Pushes returns the pushes of this test so far, refused ones too.
func (apns *APNs) Pushes(conditions Conditions) []Push {
	apns.t.Helper()
	return apns.list(conditions.query())
}

// Wait waits until so many pushes of this test meet the conditions, and returns them. After the limit the test fails.
func (apns *APNs) Wait(count int, within time.Duration, conditions Conditions) []Push {
	apns.t.Helper()
	deadline := time.Now().Add(within)
	for {
		rest := time.Until(deadline)
		if rest < 0 {
			rest = 0
		}
		if rest > longestWait {
			rest = longestWait
		}
		query := conditions.query()
		query.Set("count", strconv.Itoa(count))
		query.Set("wait", strconv.FormatFloat(rest.Seconds(), 'f', 3, 64))
		found := apns.list(query)
		if len(found) >= count {
			return found
		}
		if !time.Now().Before(deadline) {
			apns.t.Fatalf("waited %s for %d pushes with %v; found %d.\n%s", within, count, conditions.query(), len(found), apns.Story())
		}
	}
}

func (apns *APNs) list(query url.Values) []Push {
	apns.t.Helper()
	query.Set("after", strconv.Itoa(apns.after))
	if !query.Has("limit") {
		query.Set("limit", "1000")
	}
	var listed struct{ Pushes []Push }
	apns.call("GET", "pushes?"+strings.ReplaceAll(query.Encode(), "+", "%20"), nil, &listed)
	return listed.Pushes
}

// State returns what became of a push after its answer: "waiting", "delivered", "expired" …
func (apns *APNs) State(push Push) string {
	apns.t.Helper()
	var found struct{ State string }
	apns.call("GET", "pushes/"+push.APNSID, nil, &found)
	return found.State
}

// WaitState waits until a push is in this state. After the limit the test fails.
func (apns *APNs) WaitState(push Push, state string, within time.Duration) {
	apns.t.Helper()
	deadline := time.Now().Add(within)
	for {
		found := apns.State(push)
		if found == state {
			return
		}
		if time.Now().After(deadline) {
			apns.t.Fatalf("waited %s for push #%d to be %s; it is %s.\n%s", within, push.Number, state, found, apns.Story())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// FailNext answers the next pushes with a status such as 410 and its usual reason, and does not accept them.
func (apns *APNs) FailNext(status, count int, where ...Where) int {
	apns.t.Helper()
	reason, ok := reasons[status]
	if !ok {
		apns.t.Fatalf("status %d has no usual reason; use FailNextWith or Fault", status)
	}
	return apns.FailNextWith(reason, count, where...)
}

// FailNextWith answers the next pushes with one of Apple's reasons, such as "TooManyRequests", and does not accept them.
func (apns *APNs) FailNextWith(reason string, count int, where ...Where) int {
	apns.t.Helper()
	return apns.fault("answer", map[string]any{"reason": reason}, count, where)
}

// Delay processes the next pushes so much later; all pushes if count is 0.
func (apns *APNs) Delay(time time.Duration, count int, where ...Where) int {
	apns.t.Helper()
	return apns.fault("latency", map[string]any{"seconds": time.Seconds()}, count, where)
}

// GoAway sends GOAWAY with the next pushes: last is "this" if the push is still answered, "before" if not.
func (apns *APNs) GoAway(count int, last string, where ...Where) int {
	apns.t.Helper()
	return apns.fault("goAway", map[string]any{"reason": "Shutdown", "lastStreamID": last}, count, where)
}

// Reset resets the streams of the next pushes, which are not accepted.
func (apns *APNs) Reset(count int, where ...Where) int {
	apns.t.Helper()
	return apns.fault("reset", map[string]any{}, count, where)
}

// Close closes the connection at the next pushes, which are not accepted.
func (apns *APNs) Close(count int, where ...Where) int {
	apns.t.Helper()
	return apns.fault("close", map[string]any{}, count, where)
}

func (apns *APNs) fault(kind string, keys map[string]any, count int, where []Where) int {
	apns.t.Helper()
	if count > 0 {
		keys["next"] = count
	}
	for _, where := range where {
		for name, value := range map[string]string{
			"token": where.Token, "topic": where.Topic, "environment": where.Environment, "path": where.Path,
		} {
			if value != "" {
				keys[name] = value
			}
		}
	}
	return apns.Fault(kind, keys)
}

// Fault sets any fault of the control endpoint, until the end of this test. It returns its number.
func (apns *APNs) Fault(kind string, keys map[string]any) int {
	apns.t.Helper()
	body := map[string]any{"kind": kind}
	for name, value := range keys {
		body[name] = value
	}
	var set map[string]any
	apns.call("POST", "faults", body, &set)
	apns.faults = append(apns.faults, set)
	return int(set["id"].(float64))
}

// Times returns how often a fault of this test has occurred.
func (apns *APNs) Times(fault int) int {
	apns.t.Helper()
	var log struct{ Entries []struct{ Fault int } }
	apns.call("GET", "log", nil, &log)
	times := 0
	for _, entry := range log.Entries {
		if entry.Fault == fault {
			times++
		}
	}
	return times
}

// EndFaults ends all faults before the test does.
func (apns *APNs) EndFaults() {
	apns.t.Helper()
	apns.call("DELETE", "faults", nil, nil)
}

// Now returns the APNs' time.
func (apns *APNs) Now() time.Time {
	apns.t.Helper()
	var clock struct{ Seconds float64 }
	apns.call("GET", "clock", nil, &clock)
	return time.UnixMilli(int64(clock.Seconds * 1000))
}

// TurnClock advances the clock, in the sandbox those of service and devices too. Another process serves the next test.
func (apns *APNs) TurnClock(by time.Duration) {
	apns.t.Helper()
	apns.program.isSpent = true
	apns.call("POST", "clock", map[string]any{"turn": by.Seconds()}, nil)
}

// Story returns what happened in this test, for people.
func (apns *APNs) Story() string {
	apns.t.Helper()
	lines := []string{"No push of this test has arrived."}
	if pushes := apns.Pushes(Conditions{}); len(pushes) > 0 {
		lines = []string{"Pushes of this test:"}
		for _, push := range pushes {
			lines = append(lines, push.String())
		}
	}
	for _, fault := range apns.faults {
		asked, _ := json.Marshal(fault)
		lines = append(lines, fmt.Sprintf("Fault %s: %d times so far.", asked, apns.Times(int(fault["id"].(float64)))))
	}
	return strings.Join(lines, "\n")
}

func (apns *APNs) call(method, resource string, body, answer any) {
	apns.t.Helper()
	apns.program.call(apns.t, apns.Control, method, resource, body, answer, nil)
}

// A Device is an emulated iPhone.
type Device struct{ Name, RegistrationID, Token string }

// A Sandbox is a push service with the JPush REST API, an APNs and emulated iPhones, for one test.
type Sandbox struct {
	t    testing.TB
	APNs *APNs
	// URL is the address of the JPush REST API: the pushes of your code go to URL + "/v3/push".
	URL, AppKey, MasterSecret string
	Devices                   []Device
}

// A Journey is what became of a push on one device.
type Journey struct {
	Verdict struct{ State, Sentence string }
	Events  []struct{ Event string }
}

// StartSandbox returns a sandbox. The arguments are more options of posthorn sandbox; only those of the first call count.
func StartSandbox(t testing.TB, options ...string) *Sandbox {
	t.Helper()
	program := launched(t, "sandbox", func(folder string) []string {
		return append([]string{"sandbox", "--json", "--until-eof", "--data", filepath.Join(folder, "data")}, options...)
	})
	facts := program.facts
	return &Sandbox{
		t: t, APNs: newAPNs(t, program, facts.APNS, facts.APNS.Topic), URL: facts.API.URL, AppKey: facts.API.AppKey,
		MasterSecret: facts.API.MasterSecret, Devices: facts.Devices,
	}
}

// WaitState waits until a push is "shown" on a device, or in another state. After the limit the test fails. msgID is that of the REST
// API.
func (sandbox *Sandbox) WaitState(msgID string, device Device, state string, within time.Duration) Journey {
	sandbox.t.Helper()
	return sandbox.wait("journeys/"+msgID+"/"+device.RegistrationID, state, within)
}

// WaitPushState does the same for a push that has arrived at the APNs, which is for one device.
func (sandbox *Sandbox) WaitPushState(push Push, state string, within time.Duration) Journey {
	sandbox.t.Helper()
	return sandbox.wait("apns/"+push.APNSID, state, within)
}

func (sandbox *Sandbox) wait(resource, state string, within time.Duration) (journey Journey) {
	sandbox.t.Helper()
	deadline := time.Now().Add(within)
	for {
		sandbox.APNs.program.call(sandbox.t, sandbox.URL, "GET", "posthorn/v1/"+resource, nil, &journey, sandbox)
		if journey.Verdict.State == state {
			return journey
		}
		if time.Now().After(deadline) {
			sandbox.t.Fatalf("waited %s for the push to be %s; it is %s: %s\nSo far: %v.\n%s", within, state, journey.Verdict.State,
				journey.Verdict.Sentence, journey.Events, sandbox.APNs.Story())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TurnClock advances the clocks of service, APNs and devices. Another process serves the next test.
func (sandbox *Sandbox) TurnClock(by time.Duration) {
	sandbox.t.Helper()
	sandbox.APNs.TurnClock(by)
}

// A program is a running posthorn. It ends when the test process does, which closes its standard input.
type program struct {
	command *exec.Cmd
	input   io.WriteCloser
	folder  string
	isSpent bool
	facts   facts
	// The token of the control endpoint, if it needs one.
	bearer string
	end    func()
}

type apnsFacts struct {
	CA, KeyFile, KeyID, TeamID, Topic, Control string
	Port, ProductionPort, DevelopmentPort      int
}

type facts struct {
	apnsFacts
	API     struct{ URL, AppKey, MasterSecret string }
	APNS    apnsFacts
	Devices []Device
}

var (
	lock    sync.Mutex
	running = map[string]*program{}
)

func launched(t testing.TB, kind string, words func(folder string) []string) *program {
	t.Helper()
	return started(t, kind, func() *program { return start(t, kind, words) })
}

func started(t testing.TB, kind string, start func() *program) *program {
	t.Helper()
	lock.Lock()
	defer lock.Unlock()
	if old := running[kind]; old != nil && old.isSpent {
		old.stop()
		delete(running, kind)
	}
	if running[kind] == nil {
		running[kind] = start()
	}
	return running[kind]
}

func start(t testing.TB, kind string, words func(folder string) []string) *program {
	t.Helper()
	file := os.Getenv("POSTHORN")
	if file == "" {
		file = "posthorn"
	}
	if _, err := exec.LookPath(file); err != nil {
		t.Fatalf("'%s' is not there. Unpack the tarball of posthorn and put bin/posthorn on the PATH or into the variable POSTHORN.", file)
	}
	folder, err := os.MkdirTemp("", "posthorn-"+kind+"-")
	if err != nil {
		t.Fatal(err)
	}
	made := &program{command: exec.Command(file, words(folder)...), folder: folder}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	made.command.Stderr = log
	if made.input, err = made.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	output, err := made.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := made.command.Start(); err != nil {
		t.Fatal(err)
	}
	made.end = func() {
		made.input.Close()
		limit := time.AfterFunc(20*time.Second, func() { made.command.Process.Kill() })
		made.command.Wait()
		limit.Stop()
	}
	limit := time.AfterFunc(startLimit, func() { made.command.Process.Kill() })
	line, err := bufio.NewReaderSize(output, 1<<20).ReadBytes('\n')
	limit.Stop()
	if err != nil {
		t.Fatal(made.lastWords())
	}
	if err := json.Unmarshal(line, &made.facts); err != nil {
		t.Fatalf("posthorn has printed %s; expected one line of JSON: %v", line, err)
	}
	return made
}

func (made *program) lastWords() string {
	text, _ := os.ReadFile(filepath.Join(made.folder, "log"))
	if len(text) > 2000 {
		text = text[len(text)-2000:]
	}
	return fmt.Sprintf("posthorn has ended: %v. Its last words:\n%s", made.command.Wait(), text)
}

func (made *program) stop() {
	made.end()
	os.RemoveAll(made.folder)
}

// No proxy stands between a test and its own machine.
var client = &http.Client{Transport: &http.Transport{}, Timeout: longestWait + 30*time.Second}

func (made *program) call(t testing.TB, base, method, resource string, body, answer any, login *Sandbox) {
	t.Helper()
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, base+"/"+resource, content)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if login != nil {
		request.SetBasicAuth(login.AppKey, login.MasterSecret)
	} else if made.bearer != "" {
		request.Header.Set("Authorization", "Bearer "+made.bearer)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("%s %s: %v", method, resource, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, resource, err)
	}
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %s", method, resource, response.StatusCode, text)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			t.Fatalf("%s %s: %s is not the expected JSON: %v", method, resource, text, err)
		}
	}
}
