{{- define "vezne.name" -}}
{{- ternary .Release.Name (printf "%s-vezne" .Release.Name) (contains "vezne" .Release.Name) | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "vezne.selector" -}}
app.kubernetes.io/name: vezne
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vezne.labels" -}}
{{ include "vezne.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The image of every container. */}}
{{- define "vezne.image" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* What every pod may not. The program writes nothing to its file system. */}}
{{- define "vezne.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "vezne.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Settings of every server. Secrets are files: an environment is shown by whatever describes a pod. */}}
{{- define "vezne.settings" -}}
- { name: VEZNE_BASE_URL, value: {{ .Values.baseURL | quote }} }
- { name: VEZNE_LISTEN, value: ":8080" }
- { name: VEZNE_ADMIN_LISTEN, value: ":8081" }
- { name: VEZNE_LOG_FORMAT, value: json }
- { name: VEZNE_DATABASE_URL_FILE, value: /run/secrets/vezne/database-url }
- { name: VEZNE_REDIS_URL_FILE, value: /run/secrets/vezne/redis-url }
- { name: VEZNE_MASTER_KEY_FILE, value: /run/secrets/vezne/master-key }
{{- with .Values.trustedProxies }}
- { name: VEZNE_TRUSTED_PROXIES, value: {{ . | quote }} }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Probes ask the admin port: what is exposed is not asked. */}}
{{- define "vezne.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}
