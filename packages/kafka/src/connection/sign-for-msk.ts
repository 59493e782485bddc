import { createHash, createHmac } from 'node:crypto';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly expiration?: Date | undefined;
}

const secondsMax = 900;

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** As AWS requires it, which escapes more than `encodeURIComponent` does. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * A token for AWS MSK: the URL of a request to connect, signed with Signature Version 4. Its life is in whole seconds: AWS's own signer for
 * JavaScript (1.0.3) writes fractions for temporary credentials near their end, which brokers reject.
 */
export function signForMsk(region: string, credentials: AwsCredentials, now: Date): { readonly value: string; readonly endsAtMs: number } {
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = credentials;
  const nowMs = now.getTime();
  const seconds = Math.max(1, Math.min(secondsMax, Math.floor(((expiration?.getTime() ?? Infinity) - nowMs) / 1000)));
  const host = `kafka.${region}.amazonaws.com`;
  const at = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = [at.slice(0, 8), region, 'kafka-cluster', 'aws4_request'];
  const parameters: Readonly<Record<string, string>> = {
    Action: 'kafka-cluster:Connect',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': [accessKeyId, ...scope].join('/'),
    'X-Amz-Date': at,
    'X-Amz-Expires': String(seconds),
    ...(sessionToken !== undefined && { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': 'host',
  };
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const request = ['GET', '/', query, `host:${host}\n`, 'host', hash('')].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope.join('/'), hash(request)].join('\n')).toString('hex');
  const url = `https://${host}/?${query}&X-Amz-Signature=${signature}&User-Agent=pulsewire`;
  return { value: Buffer.from(url).toString('base64url'), endsAtMs: nowMs + seconds * 1000 };
}
