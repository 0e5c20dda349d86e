{{/* The topics and the rules of libs/bus (Topic, AccessRules), read from the file that ChartFilesTest keeps equal to them. */}}
{{- define "counterpoint.bus" -}}{{ .Files.Get "files/bus.json" }}{{- end }}
