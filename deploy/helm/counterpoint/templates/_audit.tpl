{{/* What the service and its migration share. */}}
{{- define "counterpoint.auditVariables" -}}
AUDIT_DRAIN_TIMEOUT: {{ printf "%ds" (int .Values.audit.drainSeconds) }}
AUDIT_ROOT_KEYSET_FILE: /run/counterpoint/keys/root-keyset.json
AUDIT_ROOT_PASSPHRASE_FILE: /run/counterpoint/keys/root-passphrase
QUARKUS_OIDC_AUTH_SERVER_URL: {{ .Values.audit.oidc.authServerUrl | quote }}
QUARKUS_OIDC_TOKEN_ISSUER: {{ .Values.audit.oidc.issuer | quote }}
QUARKUS_OIDC_TOKEN_AUDIENCE: {{ .Values.audit.oidc.audience | quote }}
QUARKUS_OIDC_ROLES_ROLE_CLAIM_PATH: {{ .Values.audit.oidc.rolePath | quote }}
{{- end }}
