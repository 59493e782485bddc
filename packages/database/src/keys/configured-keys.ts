import { readFileSync } from 'node:fs';
import { AppError, errorCode, isAppError, isCertificates, isVaried } from '@pulsewire/kernel';
import type { Database } from '../client.ts';
import { parseCipherKeys, type CipherKeys } from './cipher.ts';
import type { EncryptionConfig, VaultConfig } from './encryption-config.ts';
import { textKeys, type KeySource } from './key-source.ts';
import { kmsKeys } from './kms-keys.ts';
import type { Kms } from './kms/kms.ts';
import { createVaultTransit } from './kms/vault-transit.ts';

function configError(problems: readonly string[]): AppError {
  return new AppError({
    code: 'config_invalid',
    kind: 'invalid',
    message: `Invalid configuration: ${problems.join('; ')}`,
    details: { problems },
  });
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
// The characters that Vault allows in paths and names; anything else, and dots alone, could refer to another path.
const nameForm = /^(?!\.+$)[\w.-]+$/;
const isPath = (text: string) => text.split('/').every((part) => nameForm.test(part));

/** The KMS of the configuration; null when none is set. Throws AppError `config_invalid` that names every problem. */
export function configuredKms(config: VaultConfig): Kms | null {
  const { vaultUrl, vaultToken, vaultKey = 'pulsewire', vaultMount = 'transit', vaultNamespace, vaultCaFile } = config;
  if (vaultUrl === undefined) return null;
  const problems: string[] = [];
  const url = new URL(vaultUrl);
  if (url.protocol === 'http:' && !loopback.test(url.hostname))
    problems.push('ENCRYPTION_VAULT_URL must begin with https: the token and the keys would be readable in transit');
  if (vaultToken === undefined) problems.push('ENCRYPTION_VAULT_TOKEN is missing: Token for Vault');
  else if (!/^[\x21-\x7e]+$/.test(vaultToken.trim())) problems.push('ENCRYPTION_VAULT_TOKEN must be one line of printable characters');
  if (!nameForm.test(vaultKey))
    problems.push('ENCRYPTION_VAULT_KEY must consist of letters, digits, dots, dashes and underscores, and not of dots alone');
  if (!isPath(vaultMount)) problems.push('ENCRYPTION_VAULT_MOUNT must be a path like transit or team/transit, without ..');
  if (vaultNamespace !== undefined && !isPath(vaultNamespace.replace(/^\/|\/$/g, '')))
    problems.push('ENCRYPTION_VAULT_NAMESPACE must be a path like team/health, without ..');
  let ca: string | undefined;
  try {
    ca = vaultCaFile === undefined ? undefined : readFileSync(vaultCaFile, 'utf8');
    if (ca !== undefined && !isCertificates(ca)) problems.push('ENCRYPTION_VAULT_CA_FILE must contain certificates in PEM');
  } catch (error) {
    problems.push(`ENCRYPTION_VAULT_CA_FILE cannot be read (${errorCode(error)})`);
  }
  if (problems.length > 0 || vaultToken === undefined) throw configError(problems);
  return createVaultTransit({ url, token: vaultToken.trim(), mount: vaultMount, key: vaultKey, namespace: vaultNamespace, ca });
}

const keysMissing = 'ENCRYPTION_KEYS is missing: keys of encrypted columns; or set ENCRYPTION_VAULT_URL to use a KMS';

/** Settings of a KMS that do nothing, because its address is missing. */
function withoutKms({
  vaultUrl,
  vaultToken,
  vaultKey = 'pulsewire',
  vaultMount = 'transit',
  vaultNamespace,
  vaultCaFile,
}: VaultConfig): string[] {
  if (vaultUrl !== undefined) return [];
  const set = {
    TOKEN: vaultToken !== undefined,
    KEY: vaultKey !== 'pulsewire',
    MOUNT: vaultMount !== 'transit',
    NAMESPACE: vaultNamespace !== undefined,
    CA_FILE: vaultCaFile !== undefined,
  };
  return Object.entries(set).flatMap(([name, isSet]) =>
    isSet ? [`ENCRYPTION_VAULT_${name} has no effect without ENCRYPTION_VAULT_URL: set that too, or remove it`] : [],
  );
}

/** Throws AppError `config_invalid` when settings of a KMS have no effect. */
export function checkVault(config: VaultConfig): void {
  const problems = withoutKms(config);
  if (problems.length > 0) throw configError(problems);
}

/** A problem when the key that encrypts can be guessed. An older one remains usable, so that its values can be encrypted anew. */
function weakKey(keys: CipherKeys): string[] {
  const id = Math.max(...keys.keys());
  return isVaried(keys.get(id) ?? [])
    ? []
    : [
        `ENCRYPTION_KEYS: key ${id} encrypts, but has fewer than 10 different bytes: add a key with a higher id, made by \`openssl rand -base64 32\``,
      ];
}

/** Checks these settings without a database. Throws AppError `config_invalid` with every problem. */
export function checkEncryption(config: EncryptionConfig): void {
  const problems: string[] = withoutKms(config);
  try {
    if (configuredKms(config) === null && config.encryptionKeys === undefined) problems.push(keysMissing);
  } catch (error) {
    if (!isAppError(error)) throw error;
    problems.push(...(error.details['problems'] as string[]));
  }
  try {
    if (config.encryptionKeys !== undefined) problems.push(...weakKey(parseCipherKeys(config.encryptionKeys)));
  } catch (error) {
    if (!isAppError(error)) throw error;
    problems.push(`ENCRYPTION_KEYS: ${error.message}`);
  }
  if (problems.length > 0) throw configError(problems);
}

/** The source of the configured keys. Throws AppError `config_invalid`, and `cipher_keys_invalid` for keys that cannot be read. */
export function configuredKeys(database: Database, config: EncryptionConfig): KeySource {
  const kms = configuredKms(config);
  if (kms !== null) return kmsKeys(database, kms, config.encryptionKeys === undefined ? new Map() : parseCipherKeys(config.encryptionKeys));
  if (config.encryptionKeys === undefined) throw configError([keysMissing]);
  return textKeys(config.encryptionKeys);
}
