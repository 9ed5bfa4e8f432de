// Sends pushes or takes them as APNs does, with Go's x/net/http2: go_peer client|server OPTIONS. With `untilGoAway` the client
// goes on with `count` at a time until the server takes no more.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/net/http2"
)

type options struct {
	Port          int
	CA, Cert, Key string
	Authorization string
	// Taken in turn.
	Authorizations []string
	Topic          string
	Tokens        []string
	Body          string
	Count         int
	Large         int
	Status        int
	Reason        string
	GoAwayAfter   int64
	UntilGoAway   bool
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func client(o options) {
	pem, err := os.ReadFile(o.CA)
	must(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	config := &tls.Config{RootCAs: roots}
	if o.Cert != "" {
		pair, err := tls.LoadX509KeyPair(o.Cert, o.Key)
		must(err)
		config.Certificates = []tls.Certificate{pair}
	}
	transport := &http2.Transport{TLSClientConfig: config, StrictMaxConcurrentStreams: true}
	var lock sync.Mutex
	statuses := map[string]int{}
	named := 0
	var all sync.WaitGroup
	send := func(number int) bool {
		url := fmt.Sprintf("https://localhost:%d/3/device/%s", o.Port, o.Tokens[number%len(o.Tokens)])
		request, err := http.NewRequest("POST", url, bytes.NewBufferString(o.Body))
		must(err)
		if len(o.Authorizations) > 0 {
			request.Header.Set("authorization", o.Authorizations[number%len(o.Authorizations)])
		} else if o.Authorization != "" {
			request.Header.Set("authorization", o.Authorization)
		}
		request.Header.Set("apns-topic", o.Topic)
		request.Header.Set("apns-push-type", "alert")
		if o.Large > 0 {
			request.Header.Set("x-large", strings.Repeat("x", o.Large))
		}
		answer, err := transport.RoundTrip(request)
		// After GOAWAY it wants another connection, and nobody listens: this one was never sent.
		if o.UntilGoAway && errors.Is(err, syscall.ECONNREFUSED) {
			return false
		}
		status := ""
		if err != nil {
			status = err.Error()
		} else {
			status = fmt.Sprint(answer.StatusCode)
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		lock.Lock()
		defer lock.Unlock()
		statuses[status]++
		if err == nil && answer.Header.Get("apns-id") != "" {
			named++
		}
		if o.UntilGoAway && named == 500 {
			fmt.Println("under way")
		}
		return err == nil
	}
	for number := 0; number < o.Count; number++ {
		all.Add(1)
		go func(number int) {
			defer all.Done()
			for send(number) && o.UntilGoAway {
			}
		}(number)
	}
	all.Wait()
	json.NewEncoder(os.Stdout).Encode(map[string]any{"statuses": statuses, "named": named})
}

func server(o options) {
	var count int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("apns-id", r.Header.Get("apns-id"))
		if o.Large > 0 {
			w.Header().Set("x-large", strings.Repeat("x", o.Large))
		}
		// Makes this connection say GOAWAY and end when its streams are done.
		if o.GoAwayAfter > 0 && atomic.AddInt64(&count, 1)%o.GoAwayAfter == 0 {
			w.Header().Set("connection", "close")
		}
		if r.Method != "POST" || !strings.HasPrefix(r.URL.Path, "/3/device/") {
			w.WriteHeader(404)
			return
		}
		w.WriteHeader(o.Status)
		if o.Status != 200 {
			json.NewEncoder(w).Encode(map[string]string{"reason": o.Reason})
		}
	})
	s := &http.Server{Addr: fmt.Sprintf("127.0.0.1:%d", o.Port), Handler: handler}
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			fmt.Fprintln(os.Stderr, "connection")
		}
	}
	must(http2.ConfigureServer(s, &http2.Server{MaxConcurrentStreams: 500}))
	must(s.ListenAndServeTLS(o.Cert, o.Key))
}

func main() {
	var o options
	must(json.Unmarshal([]byte(os.Args[2]), &o))
	if os.Args[1] == "client" {
		client(o)
	} else {
		server(o)
	}
}
