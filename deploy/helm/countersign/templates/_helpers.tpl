{{/* Selects this release's pods. Must never change between versions. */}}
{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "countersign.labels" -}}
{{ include "countersign.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* How the kubelet reaches a pod: plain HTTP only if a proxy ends TLS. */}}
{{- define "countersign.scheme" -}}
{{ if .Values.tlsSecretName }}HTTPS{{ else }}HTTP{{ end }}
{{- end }}

{{/* Refuses values that would start something other than intended. */}}
{{- define "countersign.check" -}}
{{- if not .Values.secretName }}
{{- fail "secretName: name the Secret that holds `store-url`, `secret` and `metrics-token`; see docs/deployment.md" }}
{{- end }}
{{- if and .Values.tlsSecretName .Values.config.trustProxy }}
{{- fail "tlsSecretName and config.trustProxy exclude each other: TLS ends in the pods or in a proxy" }}
{{- end }}
{{- if not (or .Values.tlsSecretName .Values.config.trustProxy) }}
{{- fail "tlsSecretName: name the Secret with the certificate, or set config.trustProxy to the proxy that ends TLS" }}
{{- end }}
{{- end }}
