// Package backend is the code under test: it pushes with golang.org/x/net/http2, tries again when the service is unavailable, and
// forgets dead tokens.
package backend

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// A Backend sends pushes to the devices of an app.
type Backend struct {
	// URL is https://api.push.apple.com in production.
	URL, KeyFile, KeyID, TeamID, Topic string
	// Clock gives the time of provider tokens.
	Clock  func() time.Time
	Tokens map[string]bool

	client        *http.Client
	providerToken string
}

// Connect makes the client. It trusts the authorities in a PEM file, or those of the system if its name is empty.
func (backend *Backend) Connect(authorities string) error {
	var roots *x509.CertPool
	if authorities != "" {
		text, err := os.ReadFile(authorities)
		if err != nil {
			return err
		}
		roots = x509.NewCertPool()
		roots.AppendCertsFromPEM(text)
	}
	backend.client = &http.Client{Transport: &http2.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	return nil
}

// Use signs pushes with this key from now on, on a connection of its own.
func (backend *Backend) Use(keyFile, keyID, teamID string) {
	backend.KeyFile, backend.KeyID, backend.TeamID = keyFile, keyID, teamID
	backend.providerToken = ""
	// Those that carry a push are closed after its answer.
	backend.client.CloseIdleConnections()
}

// Notify sends a text to all tokens; the answer of each.
func (backend *Backend) Notify(context context.Context, text string, headers map[string]string) (map[string]string, error) {
	answers := map[string]string{}
	for token := range backend.Tokens {
		answer, err := backend.send(context, token, text, headers)
		if err != nil {
			return answers, err
		}
		answers[token] = answer
	}
	return answers, nil
}

func (backend *Backend) send(context context.Context, token, text string, headers map[string]string) (string, error) {
	for _, pause := range []time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 0} {
		status, reason, err := backend.request(context, token, text, headers)
		if err != nil {
			return "", err
		}
		if reason == "ExpiredProviderToken" {
			backend.providerToken = ""
		} else if status != 429 && status != 503 || pause == 0 {
			if status == 410 {
				delete(backend.Tokens, token)
			}
			return strings.TrimSpace(fmt.Sprint(status, " ", reason)), nil
		}
		time.Sleep(pause)
	}
	return "", errors.New("the provider token is refused again and again")
}

func (backend *Backend) request(context context.Context, token, text string, headers map[string]string) (int, string, error) {
	payload, err := json.Marshal(map[string]any{"aps": map[string]string{"alert": text}})
	if err != nil {
		return 0, "", err
	}
	request, err := http.NewRequestWithContext(context, "POST", backend.URL+"/3/device/"+token, strings.NewReader(string(payload)))
	if err != nil {
		return 0, "", err
	}
	bearer, err := backend.bearer()
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("authorization", "bearer "+bearer)
	request.Header.Set("apns-topic", backend.Topic)
	request.Header.Set("apns-push-type", "alert")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := backend.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	var body struct{ Reason string }
	if response.StatusCode != 200 {
		if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
			return 0, "", err
		}
	}
	return response.StatusCode, body.Reason, nil
}

// A provider token is good for an hour, and may not be made more often than every 20 minutes.
func (backend *Backend) bearer() (string, error) {
	if backend.providerToken != "" {
		return backend.providerToken, nil
	}
	file, err := os.ReadFile(backend.KeyFile)
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(file)
	if block == nil {
		return "", fmt.Errorf("%s is no PEM", backend.KeyFile)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return "", fmt.Errorf("%s holds a %T; expected an ECDSA key", backend.KeyFile, parsed)
	}
	encode := base64.RawURLEncoding.EncodeToString
	head := fmt.Sprintf(`{"alg":"ES256","kid":%q}`, backend.KeyID)
	claims := fmt.Sprintf(`{"iss":%q,"iat":%d}`, backend.TeamID, backend.Clock().Unix())
	text := encode([]byte(head)) + "." + encode([]byte(claims))
	digest := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key, digest[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	backend.providerToken = text + "." + encode(signature)
	return backend.providerToken, nil
}
