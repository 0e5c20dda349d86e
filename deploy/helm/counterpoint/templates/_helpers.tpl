{{- define "counterpoint.name" -}}{{ printf "%s-%s" .root.Release.Name .component | trunc 52 | trimSuffix "-" }}{{- end }}

{{- define "counterpoint.selector" -}}
app.kubernetes.io/name: counterpoint
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "counterpoint.labels" -}}
{{ include "counterpoint.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: counterpoint
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "counterpoint.meta" -}}
name: {{ include "counterpoint.name" . }}
namespace: {{ .root.Release.Namespace }}
labels: {{- include "counterpoint.labels" . | nindent 2 }}
{{- end }}

{{/* The image of a service, by digest where one is given. */}}
{{- define "counterpoint.image" -}}
{{- $image := .root.Values.image -}}
{{- with get ($image.digests | default dict) .service -}}
{{ $image.registry }}/{{ $.service }}@{{ . }}
{{- else -}}
{{ $image.registry }}/{{ .service }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "counterpoint.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: {drop: [ALL]}
{{- end }}

{{/* What every pod has: root, component, grace. */}}
{{- define "counterpoint.pod" -}}
serviceAccountName: {{ include "counterpoint.name" (dict "root" .root "component" .account) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .root.Values.user }}
  runAsGroup: {{ .root.Values.user }}
  fsGroup: {{ .root.Values.user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .grace }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
{{- end }}

{{- define "counterpoint.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "counterpoint.selector" . | nindent 8 }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "counterpoint.selector" . | nindent 8 }}
{{- end }}

{{/* Copies the keys of a role, and other files of secrets, to where only their owner reads them. */}}
{{- define "counterpoint.keysInit" -}}
- name: keys
  image: {{ .root.Values.toolsImage }}
  command: [sh, -c, "umask 077 && cp -L /secrets/* /keys/"]
  securityContext: {{- include "counterpoint.containerSecurity" . | nindent 4 }}
  resources: {requests: {cpu: 10m, memory: 16Mi}, limits: {memory: 32Mi}}
  volumeMounts:
    - {name: secrets, mountPath: /secrets, readOnly: true}
    - {name: keys, mountPath: /keys}
{{- end }}

{{- define "counterpoint.keyFiles" -}}
{{- range $role := list "gateway" "worker" "summarizer" "audit" }}
- {{ $role }}.public.json
- {{ $role }}-signing.public.json
{{- end }}
- {{ .role }}.private.json
- {{ .role }}-signing.private.json
{{- if has .role (list "gateway" "worker") }}
- reasoning-mac.private.json
{{- end }}
{{- if has .role (list "gateway" "audit") }}
- subject-tokens.private.json
{{- end }}
{{- if eq .role "worker" }}
- reasoning.private.json
{{- end }}
- {{ .role }}.bus.properties
{{- end }}

{{- define "counterpoint.volumes" -}}
- name: tmp
  emptyDir: {sizeLimit: 256Mi}
- name: keys
  emptyDir: {medium: Memory, sizeLimit: 4Mi}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      - secret:
          name: {{ get .root.Values.keys .role }}
          items:
          {{- range include "counterpoint.keyFiles" . | trim | splitList "\n" }}
            - {key: {{ trimPrefix "- " . }}, path: {{ trimPrefix "- " . }}}
          {{- end }}
      {{- range .sources }}
      - secret: {{- toYaml . | nindent 10 }}
      {{- end }}
{{- with .root.Values.bus.tlsSecret }}
- name: bus-tls
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- if and .database .root.Values.database.tlsSecret }}
- name: database-tls
  secret: {secretName: {{ .root.Values.database.tlsSecret }}, defaultMode: 0440}
{{- end }}
{{- with .tlsSecret }}
- name: http-tls
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end }}

{{- define "counterpoint.mounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: keys, mountPath: /run/counterpoint/keys, readOnly: true}
{{- if .root.Values.bus.tlsSecret }}
- {name: bus-tls, mountPath: /etc/counterpoint/bus-tls, readOnly: true}
{{- end }}
{{- if and .database .root.Values.database.tlsSecret }}
- {name: database-tls, mountPath: /etc/counterpoint/database-tls, readOnly: true}
{{- end }}
{{- if .tlsSecret }}
- {name: http-tls, mountPath: /etc/counterpoint/http-tls, readOnly: true}
{{- end }}
{{- end }}

{{/* One variable a line: the names are the settings of docs/configuration.md. */}}
{{- define "counterpoint.environment" -}}
{{- $variables := dict
    "JDK_JAVA_OPTIONS" .root.Values.javaOptions
    "KAFKA_BOOTSTRAP_SERVERS" .root.Values.bus.bootstrapServers
    "COUNTERPOINT_KEYS_DIR" "/run/counterpoint/keys"
    "QUARKUS_HTTP_HOST" "0.0.0.0"
    "QUARKUS_HTTP_PORT" "8080"
    "QUARKUS_LOG_LEVEL" .root.Values.logLevel -}}
{{- if .tlsSecret }}
{{- $variables = merge (dict
    "QUARKUS_HTTP_SSL_PORT" "8443"
    "QUARKUS_HTTP_SSL_CERTIFICATE_FILES" "/etc/counterpoint/http-tls/tls.crt"
    "QUARKUS_HTTP_SSL_CERTIFICATE_KEY_FILES" "/etc/counterpoint/http-tls/tls.key") $variables -}}
{{- end }}
{{- with .database }}
{{- $variables = merge (dict
    "QUARKUS_DATASOURCE_JDBC_URL" .url
    "QUARKUS_FLYWAY_MIGRATE_AT_START" "false") $variables -}}
{{- end }}
{{- $variables = merge .more $variables -}}
{{- $variables = merge (dict) (.environment | default dict) .root.Values.extraEnvironment $variables -}}
{{- range $name, $value := $variables }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- with .database }}
{{- include "counterpoint.login" (dict "prefix" "QUARKUS_DATASOURCE" "secret" .secret) }}
{{- end }}
{{- end }}

{{- define "counterpoint.login" }}
- name: {{ .prefix }}_USERNAME
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: username}}
- name: {{ .prefix }}_PASSWORD
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: password}}
{{- end }}

{{- define "counterpoint.probes" -}}
startupProbe:
  httpGet: {path: /q/health/started, port: http}
  periodSeconds: 1
  failureThreshold: {{ .startSeconds | default 120 }}
readinessProbe:
  httpGet: {path: /q/health/ready, port: http}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: {{ .readyFailures | default 2 }}
livenessProbe:
  httpGet: {path: /q/health/live, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
{{- end }}

{{- define "counterpoint.scrape" -}}
prometheus.io/scrape: "true"
prometheus.io/port: "8080"
prometheus.io/path: /q/metrics
{{- end }}

{{- define "counterpoint.budget" }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "counterpoint.meta" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "counterpoint.selector" . | nindent 6 }}
{{- end }}

{{- define "counterpoint.cpuScaler" }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{- include "counterpoint.meta" . | nindent 2 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: "{{ include "counterpoint.name" . }}"}
  minReplicas: {{ .scaling.minReplicas }}
  maxReplicas: {{ .scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ .scaling.cpuPercent }} }}
  behavior:
    scaleUp:
      policies: [{type: Percent, value: 100, periodSeconds: 30}]
    # One at a time: each takes its whole drain to go.
    scaleDown:
      stabilizationWindowSeconds: 600
      policies: [{type: Pods, value: 1, periodSeconds: 300}]
{{- end }}
