import { AppError, isAppError } from '@pulsewire/kernel';
import { configuredKeys, openCipher, type Cipher, type Database, type EncryptionConfig } from '@pulsewire/database';
import { sealedColumns } from '../../installation/sealed-columns.ts';

/**
 * The cipher for commands. Without keys, or while the KMS is unavailable, most commands still work; those that read or write an encrypted
 * value throw AppError `encryption_keys_not_set`, or the error of the KMS.
 */
export async function openAdminCipher(database: Database, config: EncryptionConfig): Promise<Cipher> {
  if (config.encryptionKeys === undefined && config.vaultUrl === undefined) {
    return refusingCipher(keysNotSet());
  }
  return openCipher(database, configuredKeys(database, config), sealedColumns).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'kms_unavailable') return refusingCipher(error);
    throw error;
  });
}

export function keysNotSet(): AppError {
  return new AppError({
    code: 'encryption_keys_not_set',
    kind: 'invalid',
    message: 'This command needs the encryption keys of the services. Set ENCRYPTION_KEYS, or DATA_DIR to the folder with keys.json',
  });
}

/** A cipher for commands that encrypt nothing; every use throws the error. */
export function refusingCipher(error: AppError): Cipher {
  const refuse = (): never => {
    throw error;
  };
  return {
    get currentKeyId(): number {
      return refuse();
    },
    seal: refuse,
    open: refuse,
    sealBytes: refuse,
    openBytes: refuse,
    keyIdOf: (sealed) => sealed[1] ?? 0,
  };
}
