import { AppError, type ErrorCode } from '@pulsewire/kernel';

interface Refusal {
  readonly operation: 'encrypt' | 'decrypt';
  readonly keyName: string;
  readonly origin: string;
}

/** The texts of Vault's errors, shortened; none of them contains key material. */
function textsOf(body: string): string {
  try {
    const { errors } = JSON.parse(body) as { errors?: unknown };
    if (Array.isArray(errors)) return errors.map(String).join('; ').replaceAll(/\s+/g, ' ').slice(0, 300);
  } catch {
    // A proxy in between may send any response.
  }
  return '';
}

// Standby nodes (429, 472, 473), limits, eventual consistency (412) and all server errors, including sealed servers (503).
const passing: ReadonlySet<number> = new Set([408, 412, 425, 429, 472, 473]);

/** The error for an unsuccessful response. */
export function vaultError(status: number, body: string, { operation, keyName, origin }: Refusal): AppError {
  const texts = textsOf(body);
  const reason = texts === '' ? `status ${status}` : `status ${status}: ${texts}`;
  const error = (code: ErrorCode, kind: 'invalid' | 'unavailable', message: string) =>
    new AppError({ code, kind, retryable: kind === 'unavailable', message: `${message} (${reason})` });
  if (status >= 500 || passing.has(status)) return error('kms_unavailable', 'unavailable', `Vault at ${origin} is temporarily unavailable`);
  if (status === 401 || status === 403)
    return error('kms_permission_denied', 'invalid', `The token for Vault is not valid, or may not ${operation} with ${keyName}`);
  if (status === 404 || /key not found|no handler for route/i.test(texts))
    return error('kms_key_not_found', 'invalid', `Vault at ${origin} has no key ${keyName}`);
  if (operation === 'decrypt' && status === 400)
    return error('kms_key_wrong', 'invalid', `The data key was not encrypted with ${keyName}, or its version is no longer allowed`);
  return error('kms_refused', 'invalid', `Vault at ${origin} refused to ${operation}`);
}
