{{/* Runs before an installation and before an upgrade, which waits for it; lower numbers first. */}}
{{- define "counterpoint.before" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
