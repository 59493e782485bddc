import { AppError } from '@pulsewire/kernel';
import type { Database } from '../client.ts';
import type { CipherKeys } from './cipher.ts';
import { addDataKey, readDataKeys, unwrapDataKey } from './data-keys.ts';
import type { KeySource } from './key-source.ts';
import type { Kms } from './kms/kms.ts';
import { run } from '../run.ts';
import { encryptionKeyChecks } from '../tables.ts';

const firstKeyId = 1;

async function hasChecks({ orm }: Database): Promise<boolean> {
  const { keyId } = encryptionKeyChecks;
  return (await run(orm.select({ keyId }).from(encryptionKeyChecks).limit(1))).length > 0;
}

/**
 * Data keys that are stored in the database and decrypted by a KMS when the process starts; after that the KMS is not needed. `given`:
 * additional keys from the configuration, while an installation migrates to the KMS. The first process of a new installation creates the
 * first key. `load` throws AppError as `Kms` does, and `encryption_key_twice` when a key is both given and stored.
 */
export function kmsKeys(database: Database, kms: Kms, given: CipherKeys = new Map()): KeySource {
  return {
    async load() {
      let rows = await readDataKeys(database);
      if (rows.length === 0 && given.size === 0 && !(await hasChecks(database))) {
        // Of two processes that start at once, one stores its key and both use it.
        await addDataKey(database, kms, firstKeyId, true);
        rows = await readDataKeys(database);
      }
      const keys = new Map(given);
      for (const row of rows) {
        if (keys.has(row.keyId)) {
          throw new AppError({
            code: 'encryption_key_twice',
            kind: 'invalid',
            message: `Encryption key ${row.keyId} is in ENCRYPTION_KEYS and among the data keys of the KMS. Take it out of ENCRYPTION_KEYS`,
          });
        }
        keys.set(row.keyId, await unwrapDataKey(kms, row));
      }
      return { keys, sealingKeyId: Math.max(0, ...given.keys(), ...rows.filter((row) => row.isActive).map((row) => row.keyId)) };
    },
  };
}
