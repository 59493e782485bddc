import http from 'node:http';
import https from 'node:https';
import { AppError, errorCode } from '@pulsewire/kernel';

export interface VaultConnection {
  readonly url: URL;
  readonly token: string;
  readonly namespace: string | undefined;
  /** PEM; the system's certificates when undefined. */
  readonly ca: string | undefined;
  /** Time for one call, from the first byte to the last. */
  readonly deadlineMs: number;
}

export interface VaultResponse {
  readonly status: number;
  readonly body: string;
}

const responseBytesMax = 64 * 1024;

const certificateError = /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_)/;

function connectionError({ url, deadlineMs }: VaultConnection, error: unknown): AppError {
  const code = errorCode(error);
  if (certificateError.test(code)) {
    const message = `The certificate of Vault at ${url.origin} is not trusted (${code}). Set ENCRYPTION_VAULT_CA_FILE`;
    return new AppError({ code: 'kms_certificate_untrusted', kind: 'invalid', message });
  }
  const reason = code === 'ABORT_ERR' ? `no response within ${deadlineMs} ms` : code;
  return new AppError({
    code: 'kms_unavailable',
    kind: 'unavailable',
    retryable: true,
    message: `Vault at ${url.origin} cannot be reached (${reason})`,
  });
}

/**
 * Makes one call without retries; the caller that starts the process decides about those. Follows no redirect, because it would forward the
 * token. Throws AppError `kms_unavailable`, `kms_certificate_untrusted`, and `kms_response_invalid` for a response beyond 64 KiB.
 */
export function vaultRequest(connection: VaultConnection, path: string, body: object): Promise<VaultResponse> {
  const { url, token, namespace, ca, deadlineMs } = connection;
  const text = JSON.stringify(body);
  const base = url.pathname.replace(/\/+$/, '');
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = {
      method: 'POST',
      signal: AbortSignal.timeout(deadlineMs),
      agent: false,
      headers: {
        'X-Vault-Token': token,
        'X-Vault-Request': 'true',
        ...(namespace !== undefined && { 'X-Vault-Namespace': namespace }),
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      },
      ...(ca !== undefined && { ca }),
    };
    const fail = (error: unknown) => reject(connectionError(connection, error));
    const target = new URL(`${base}/v1/${path}`, url);
    const request = (url.protocol === 'https:' ? https : http).request(target, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= responseBytesMax) return void chunks.push(chunk);
        reject(new AppError({ code: 'kms_response_invalid', kind: 'invalid', message: `Vault at ${url.origin} sent more than 64 KiB` }));
        response.destroy();
      });
      response.on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
    });
    request.on('error', fail);
    request.end(text);
  });
}
