package gateway_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/vezne/vezne/core/gateway"
)

func TestHeadersAreFoundWhateverTheirCase(t *testing.T) {
	t.Parallel()
	h := gateway.Header{
		{Name: "X-Sign", Value: "1"}, {Name: "Date", Value: "now"}, {Name: "x-sign", Value: "2"}, {Name: "X-Empty"},
	}
	for _, name := range []string{"X-Sign", "x-sign", "X-SIGN"} {
		if h.Get(name) != "1" || !slices.Equal(h.Values(name), []string{"1", "2"}) {
			t.Errorf("%s gives %q, %q", name, h.Get(name), h.Values(name))
		}
	}
	if h.Get("X-Sig") != "" || h.Values("X-Sig") != nil || h.Get("") != "" || gateway.Header(nil).Get("X-Sign") != "" {
		t.Error("a header that is not there is found")
	}
	if got := h.Values("x-empty"); len(got) != 1 || got[0] != "" {
		t.Errorf("an empty header gives %q", got)
	}
}

func TestTheDefaultReplyNeverMakesAGatewayGiveUpWhatWasNotKept(t *testing.T) {
	t.Parallel()
	want := map[gateway.Disposition]int{
		gateway.Stored: http.StatusOK, gateway.Duplicate: http.StatusOK, gateway.UnknownRef: http.StatusOK,
		gateway.BadSignature: http.StatusUnauthorized, gateway.TryAgain: http.StatusServiceUnavailable,
	}
	if len(gateway.Dispositions()) != len(want) {
		t.Errorf("there are %d dispositions", len(gateway.Dispositions()))
	}
	for _, d := range gateway.Dispositions() {
		reply := gateway.DefaultReply(d)
		if reply.Status != want[d] || reply.Body == "" || reply.ContentType != "text/plain; charset=utf-8" {
			t.Errorf("disposition %d gets %+v", d, reply)
		}
		if (reply.Body == "OK") != (reply.Status == http.StatusOK) {
			t.Errorf("disposition %d says %q with %d", d, reply.Body, reply.Status)
		}
	}
}
