{{/* Logs, the same for every service. */}}
{{- define "counterpoint.observability" -}}
QUARKUS_LOG_CONSOLE_JSON_ENABLED: {{ .Values.jsonLogs | quote }}
{{- end }}
