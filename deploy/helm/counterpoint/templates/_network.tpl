{{/* A rule to or from peers on a port; nothing where there are no peers, because a rule without peers means everybody. */}}
{{- define "counterpoint.to" }}
{{- if .peers }}
- to: {{- toYaml .peers | nindent 4 }}
  ports: [{protocol: TCP, port: {{ int .port }}}]
{{- end }}
{{- end }}

{{- define "counterpoint.from" }}
{{- if .peers }}
- from: {{- toYaml .peers | nindent 4 }}
  ports: [{protocol: TCP, port: {{ int .port }}}]
{{- end }}
{{- end }}

{{- define "counterpoint.dns" }}
{{- with .Values.networkPolicies.dns }}
- to: {{- toYaml . | nindent 4 }}
  ports: [{protocol: UDP, port: 53}, {protocol: TCP, port: 53}]
{{- end }}
{{- end }}
