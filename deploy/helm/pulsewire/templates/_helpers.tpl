{{- define "pulsewire.labels" -}}
app.kubernetes.io/name: pulsewire
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "pulsewire.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "pulsewire.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "pulsewire.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* A variable from the Secret: (dict "root" $ "name" "LINK_TOKEN_SECRET" "key" "LINK_TOKEN_SECRET" "optional" false) */}}
{{- define "pulsewire.secretVariable" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.secretName | quote }}, key: {{ .key }}, optional: {{ .optional }} } }
{{- end }}

{{/* Settings of a process: (dict "root" $ "settings" .settings) */}}
{{- define "pulsewire.settings" -}}
{{- $kafka := .root.Values.kafka }}
{{- $common := dict "BASE_URL" .root.Values.baseUrl }}
{{- if $kafka.brokers }}
{{- $_ := set $common "KAFKA_BROKERS" $kafka.brokers }}
{{- $_ := set $common "SCHEMA_REGISTRY_URL" $kafka.registryUrl }}
{{- end }}
{{- if .root.Values.trustedProxies }}
{{- $_ := set $common "TRUSTED_PROXIES" .root.Values.trustedProxies }}
{{- end }}
{{- range $name, $value := mergeOverwrite $common (deepCopy .root.Values.settings) (deepCopy .settings) }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}
