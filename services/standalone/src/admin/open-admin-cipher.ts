import { AppError } from '@pulsewire/kernel';
import { openCipher, type Cipher, type Database } from '@pulsewire/database';

/**
 * The cipher for commands. Without keys most commands still work; those that read or write an encrypted value throw AppError
 * `encryption_keys_not_set`.
 */
export async function openAdminCipher(database: Database, encryptionKeys: string | null): Promise<Cipher> {
  if (encryptionKeys !== null) return openCipher(database, encryptionKeys);
  const refuse = (): never => {
    throw new AppError({
      code: 'encryption_keys_not_set',
      kind: 'invalid',
      message: 'This command needs the encryption keys of the services. Set ENCRYPTION_KEYS, or DATA_DIR to the folder with keys.json',
    });
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
