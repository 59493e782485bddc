import { AppError } from '@pulsewire/kernel';
import type { Kms } from './kms.ts';
import { vaultError } from './vault-error.ts';
import { vaultRequest, type VaultConnection } from './vault-request.ts';

export interface VaultTransitOptions extends Omit<VaultConnection, 'deadlineMs'> {
  /** Path of the transit engine, such as `transit`. */
  readonly mount: string;
  readonly key: string;
  /** Default: 10,000. */
  readonly deadlineMs?: number;
}

const base64Form = /^[A-Za-z0-9+/]*={0,2}$/;
const ciphertextForm = /^vault:v(\d{1,9}):[A-Za-z0-9+/]+={0,2}$/;

/**
 * Vault's transit engine, also of OpenBao. Its key must be of an authenticated type (`aes256-gcm96`, the default, or
 * `chacha20-poly1305`). Wrapped keys are the engine's own text, `vault:v<version>:<base64>`.
 */
export function createVaultTransit({ mount, key, deadlineMs = 10_000, ...rest }: VaultTransitOptions): Kms {
  const connection: VaultConnection = { ...rest, deadlineMs };
  const keyName = `vault:${mount}/${key}`;
  const origin = connection.url.origin;
  const call = async (operation: 'encrypt' | 'decrypt', field: 'ciphertext' | 'plaintext', body: object): Promise<string> => {
    const response = await vaultRequest(connection, `${mount}/${operation}/${key}`, body);
    if (response.status !== 200) throw vaultError(response.status, response.body, { operation, keyName, origin });
    const value = textIn(response.body, field);
    if (value !== null && (field === 'ciphertext' ? ciphertextForm : base64Form).test(value)) return value;
    throw new AppError({
      code: 'kms_response_invalid',
      kind: 'invalid',
      message: `The response of Vault at ${origin} has no ${field}. Check ENCRYPTION_VAULT_URL`,
    });
  };
  return {
    keyName,
    async wrap(plain, context) {
      const text = await call('encrypt', 'ciphertext', { plaintext: plain.toString('base64'), associated_data: encoded(context) });
      return { wrapped: Buffer.from(text), version: Number(ciphertextForm.exec(text)?.[1]) };
    },
    async unwrap(wrapped, context) {
      const body = { ciphertext: wrapped.toString('utf8'), associated_data: encoded(context) };
      return Buffer.from(await call('decrypt', 'plaintext', body), 'base64');
    },
  };
}

const encoded = (text: string) => Buffer.from(text).toString('base64');

function textIn(body: string, field: string): string | null {
  try {
    const value = (JSON.parse(body) as { data?: Record<string, unknown> }).data?.[field];
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
