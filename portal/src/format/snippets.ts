/** One request to the service, as code to copy. */
export interface ServiceRequest {
  readonly origin: string;
  readonly path: '/verify' | '/confirm';
  readonly body: Readonly<Record<string, string>>;
  /** The certificate is self-signed, so the caller needs a copy of it. */
  readonly ownCertificate: boolean;
}

/** Its name in the service's data folder. */
export const CERTIFICATE = 'tls-cert.pem';

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The key is left out: it belongs in the environment, not in code that people copy. */
export function snippet(language: Language, request: ServiceRequest): string {
  switch (language) {
    case 'curl':
      return curl(request);
    case 'TypeScript':
      return typeScript(request);
    case 'Python':
      return python(request);
  }
}

function curl({ origin, path, body, ownCertificate }: ServiceRequest): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return [
    `curl ${ownCertificate ? `--cacert ${CERTIFICATE} ` : ''}${origin}${path} \\`,
    '  -H "Authorization: Bearer $COUNTERSIGN_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${json}'`,
  ].join('\n');
}

function typeScript({ origin, path, body, ownCertificate }: ServiceRequest): string {
  return [
    ...(ownCertificate ? [`// Run it with NODE_EXTRA_CA_CERTS=${CERTIFICATE} in the environment.`] : []),
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    "  method: 'POST',",
    '  headers: {',
    "    Authorization: 'Bearer ' + process.env.COUNTERSIGN_API_KEY,",
    "    'Content-Type': 'application/json',",
    '  },',
    `  body: JSON.stringify(${JSON.stringify(body)}),`,
    '});',
    'console.log(response.status, await response.json());',
  ].join('\n');
}

function python({ origin, path, body, ownCertificate }: ServiceRequest): string {
  return [
    'import os',
    'import requests',
    '',
    'response = requests.post(',
    `    ${JSON.stringify(origin + path)},`,
    '    headers={"Authorization": f"Bearer {os.environ[\'COUNTERSIGN_API_KEY\']}"},',
    // JSON of strings is Python too.
    `    json=${JSON.stringify(body)},`,
    ...(ownCertificate ? [`    verify="${CERTIFICATE}",`] : []),
    '    timeout=10,',
    ')',
    'print(response.status_code, response.json())',
  ].join('\n');
}
