// Package check_test checks the chart and the compose file as Helm and compose read them.
package check_test

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	chartutil "helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/lint"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
	apps "k8s.io/api/apps/v1"
	scaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

const chartDir = "../helm/vezne"

// least is what the chart has to be given, and full sets everything that changes what is rendered.
func least() map[string]any {
	return map[string]any{"baseURL": "https://pay.example.com", "secretName": "vezne-secrets"}
}

func full() map[string]any {
	peers := []any{map[string]any{"namespaceSelector": map[string]any{"matchLabels": map[string]any{"kubernetes.io/metadata.name": "ingress"}}}}
	v := least()
	maps.Copy(v, map[string]any{
		"trustedProxies": "10.0.0.0/24",
		"settings":       map[string]any{"VEZNE_TIME_ZONE": "Europe/Istanbul", "VEZNE_REQUIRE_SECOND_FACTOR": "all"},
		"worker":         map[string]any{"autoscaling": map[string]any{"enabled": true}},
		"ingress": map[string]any{
			"enabled": true, "className": "nginx", "tlsSecretName": "pay-tls", "annotations": map[string]any{"a.example/b": "c"},
		},
		"networkPolicy": map[string]any{"ingressFrom": peers, "monitoringFrom": peers},
		"podMonitor":    map[string]any{"enabled": true, "labels": map[string]any{"release": "prometheus"}},
	})
	return v
}

// manifests are what the chart renders, by kind and name. Each is read strictly: a field that Kubernetes does not have is an error.
type manifests struct {
	pods     map[string]core.PodTemplateSpec
	services []core.Service
	budgets  []policy.PodDisruptionBudget
	policies []network.NetworkPolicy
	scalers  []scaling.HorizontalPodAutoscaler
	ingress  []network.Ingress
	jobs     []batch.Job
	deploys  map[string]apps.Deployment
	kinds    []string
	text     string
}

func render(t *testing.T, values map[string]any) (manifests, error) {
	t.Helper()
	m := manifests{pods: map[string]core.PodTemplateSpec{}, deploys: map[string]apps.Deployment{}}
	chart, err := loader.Load(chartDir)
	if err != nil {
		t.Fatal(err)
	}
	given, err := chartutil.ToRenderValues(chart, values, common.ReleaseOptions{Name: "shop", Namespace: "pay", IsInstall: true}, common.DefaultCapabilities)
	if err != nil {
		return m, err
	}
	files, err := engine.Render(chart, given)
	if err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		m.text += files[name]
		documents := yaml.NewDocumentDecoder(io.NopCloser(strings.NewReader(files[name])))
		for {
			document := make([]byte, 64<<10)
			n, err := documents.Read(document)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := m.take(document[:n]); err != nil {
				t.Errorf("%s: %v\n%s", name, err, document[:n])
			}
		}
	}
	return m, nil
}

func (m *manifests) take(document []byte) error {
	var about struct {
		Kind string `json:"kind"`
	}
	if err := strict.Unmarshal(document, &about); err != nil || about.Kind == "" {
		return err // between two separators there may be nothing but comments
	}
	m.kinds = append(m.kinds, about.Kind)
	switch about.Kind {
	case "Deployment":
		d, err := as[apps.Deployment](document)
		m.pods[d.Name], m.deploys[d.Name] = d.Spec.Template, d
		return err
	case "Job":
		j, err := as[batch.Job](document)
		m.pods[j.Name], m.jobs = j.Spec.Template, append(m.jobs, j)
		return err
	case "Service":
		return appendTo(&m.services, document)
	case "PodDisruptionBudget":
		return appendTo(&m.budgets, document)
	case "NetworkPolicy":
		return appendTo(&m.policies, document)
	case "HorizontalPodAutoscaler":
		return appendTo(&m.scalers, document)
	case "Ingress":
		return appendTo(&m.ingress, document)
	case "PodMonitor": // of the Prometheus operator, whose types are not here
		return nil
	}
	return fmt.Errorf("a %s is nothing that the chart makes", about.Kind)
}

func as[T any](document []byte) (v T, err error) { return v, strict.UnmarshalStrict(document, &v) }

func appendTo[T any](list *[]T, document []byte) error {
	v, err := as[T](document)
	*list = append(*list, v)
	return err
}

func TestTheChartIsLinted(t *testing.T) {
	t.Parallel()
	for name, values := range map[string]map[string]any{"least": least(), "full": full()} {
		for _, m := range lint.RunAll(chartDir, values, "pay").Messages {
			t.Errorf("%s: %s", name, m.Error())
		}
	}
}

// TestTheChartRefuses values that would deploy something else than was meant.
func TestTheChartRefuses(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]map[string]any{
		"plain http":           {"baseURL": "http://pay.example.com"},
		"a path":               {"baseURL": "https://pay.example.com/vezne"},
		"no secret":            {"secretName": ""},
		"a secret as setting":  {"settings": map[string]any{"VEZNE_MASTER_KEY": "x"}},
		"a role as setting":    {"settings": map[string]any{"VEZNE_ROLE": "all"}},
		"a number as setting":  {"settings": map[string]any{"VEZNE_RETAIN_LOGS": 90}},
		"what is no setting":   {"settings": map[string]any{"PATH": "/"}},
		"a misspelt value":     {"apis": map[string]any{"replicas": 2}},
		"no replica":           {"api": map[string]any{"replicas": 0}},
		"no delay of draining": {"api": map[string]any{"drainDelaySeconds": 0}},
	} {
		values := least()
		if _, err := render(t, values); err != nil {
			t.Fatal(err)
		}
		maps.Copy(values, wrong)
		if _, err := render(t, values); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := render(t, map[string]any{}); err == nil {
		t.Error("a chart without an address and a secret is rendered")
	}
}

func TestTheChartRenders(t *testing.T) {
	t.Parallel()
	manual := read(t, "../../docs/operators.md")
	for name, values := range map[string]map[string]any{"least": least(), "full": full()} {
		m, err := render(t, values)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(m.pods) != 3 || len(m.services) != 1 || len(m.budgets) != 2 || len(m.policies) != 1 || len(m.jobs) != 1 {
			t.Fatalf("%s renders %v", name, m.kinds)
		}
		for pod, template := range m.pods {
			checkPod(t, pod, template.Spec, manual)
		}
		for _, b := range m.budgets {
			wantPods(t, m, "budget "+b.Name, b.Spec.Selector.MatchLabels, b.Name)
		}
		wantPods(t, m, "service", m.services[0].Spec.Selector, "shop-vezne-api")
		wantPods(t, m, "policy", m.policies[0].Spec.PodSelector.MatchLabels, "shop-vezne-api", "shop-vezne-migrate", "shop-vezne-worker")
		if hook := m.jobs[0].Annotations["helm.sh/hook"]; hook != "pre-install,pre-upgrade" {
			t.Errorf("the schema is brought up to date as %q", hook)
		}
		if strings.Contains(m.text, "audit-key") != strings.Contains(fmt.Sprint(m.pods["shop-vezne-worker"]), "audit-key") ||
			strings.Contains(fmt.Sprint(m.pods["shop-vezne-api"]), "audit-key") || strings.Contains(fmt.Sprint(m.pods["shop-vezne-migrate"]), "key") {
			t.Error("a pod has a key that it does not need")
		}
	}
	m, _ := render(t, full())
	if len(m.scalers) != 1 || len(m.ingress) != 1 || !slices.Contains(m.kinds, "PodMonitor") {
		t.Fatalf("full renders %v", m.kinds)
	}
	scaler := m.scalers[0].Spec
	if metric := scaler.Metrics[0].Pods.Metric.Name; !strings.Contains(manual, "| `"+metric+"` |") {
		t.Errorf("workers are scaled by %s, which docs/operators.md does not have", metric)
	}
	if d, found := m.deploys[scaler.ScaleTargetRef.Name]; !found || d.Spec.Replicas != nil {
		t.Errorf("what is scaled, %s, is not there, or has its number of replicas from the chart", scaler.ScaleTargetRef.Name)
	}
	for _, rule := range m.ingress[0].Spec.Rules {
		for _, path := range rule.HTTP.Paths {
			if slices.Contains([]string{"/", "/healthz", "/readyz", "/metrics"}, path.Path) || !strings.Contains(manual, "`"+path.Path) && path.Path != "/favicon.ico" {
				t.Errorf("%s is exposed", path.Path)
			}
		}
	}
}

// checkPod: nothing runs as root, writes to its file system, has a token of the cluster or a secret in its environment.
func checkPod(t *testing.T, name string, spec core.PodSpec, manual string) {
	t.Helper()
	if spec.AutomountServiceAccountToken == nil || *spec.AutomountServiceAccountToken || spec.EnableServiceLinks == nil || *spec.EnableServiceLinks {
		t.Errorf("%s has a token of the cluster, or hears of its services", name)
	}
	if s := spec.SecurityContext; s == nil || s.RunAsNonRoot == nil || !*s.RunAsNonRoot || s.SeccompProfile == nil {
		t.Errorf("%s may be root, or call anything of the kernel", name)
	}
	c := spec.Containers[0]
	if s := c.SecurityContext; s == nil || s.ReadOnlyRootFilesystem == nil || !*s.ReadOnlyRootFilesystem || s.AllowPrivilegeEscalation == nil ||
		*s.AllowPrivilegeEscalation || s.Capabilities == nil || !slices.Contains(s.Capabilities.Drop, "ALL") {
		t.Errorf("%s has more rights than it needs", name)
	}
	if c.Resources.Limits.Memory().IsZero() || c.Resources.Requests.Cpu().IsZero() {
		t.Errorf("%s has no bound of memory, or asks for no processor", name)
	}
	for _, e := range c.Env {
		isSecret := regexp.MustCompile(`^VEZNE_(DATABASE_URL|REDIS_URL|MASTER_KEY|AUDIT_KEY)$`).MatchString(e.Name)
		if isSecret || !strings.Contains(manual, "`"+e.Name+"`") {
			t.Errorf("%s has %s in its environment, which is a secret or no setting", name, e.Name)
		}
		if e.Name == "VEZNE_DRAIN_DELAY" {
			var seconds int64
			if _, err := fmt.Sscanf(e.Value, "%ds", &seconds); err != nil || *spec.TerminationGracePeriodSeconds < seconds+30 {
				t.Errorf("%s drains for %s, and is killed after %d seconds", name, e.Value, *spec.TerminationGracePeriodSeconds)
			}
		}
		if strings.HasSuffix(e.Name, "_FILE") {
			var items []string
			for _, item := range spec.Volumes[0].Secret.Items {
				items = append(items, c.VolumeMounts[0].MountPath+"/"+item.Path)
			}
			if !slices.Contains(items, e.Value) {
				t.Errorf("%s reads %s, which it does not have", name, e.Value)
			}
		}
	}
}

// wantPods: a selector selects these pods, by the names of what makes them, and no others.
func wantPods(t *testing.T, m manifests, what string, selector map[string]string, want ...string) {
	t.Helper()
	var got []string
	for name, pod := range m.pods {
		isSelected := len(selector) > 0
		for key, value := range selector {
			isSelected = isSelected && pod.Labels[key] == value
		}
		if isSelected {
			got = append(got, name)
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("the %s selects %v, want %v", what, got, want)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
