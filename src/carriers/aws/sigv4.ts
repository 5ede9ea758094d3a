/** AWS Signature Version 4, for requests without a query and with a path that needs no encoding. */
import { createHash, createHmac } from 'node:crypto';

export interface SigningScope {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  readonly service: string;
}

interface SignedRequest {
  readonly method: string;
  readonly path: string;
  /** By lower-case name. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of the request: the given ones, its time and its signature. */
export function signRequest(
  { accessKeyId, secretAccessKey, region, service }: SigningScope,
  { method, path, headers, body }: SignedRequest,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const all: Record<string, string> = { ...headers, 'x-amz-date': time };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    path,
    '',
    ...names.map((name) => `${name}:${all[name]}`),
    '',
    names.join(';'),
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, 'aws4_request'].reduce<Buffer | string>(mac, `AWS4${secretAccessKey}`);
  const signature = mac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

function mac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
