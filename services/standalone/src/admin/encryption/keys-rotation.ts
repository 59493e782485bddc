import { AppError } from '@pulsewire/kernel';
import { retireCipherKeys, rotateSealed, sealedUses, type Database } from '@pulsewire/database';
import { sealedColumns } from '../../installation/sealed-columns.ts';
import type { AdminCommand } from '../command/command.ts';

async function printUses(database: Database, print: (line: string) => void): Promise<readonly number[]> {
  const uses = (await Promise.all(sealedColumns.map((column) => sealedUses(database, column)))).flat();
  for (const { table, column, keyId, values } of uses) print(`${table}.${column}: ${values} with key ${keyId}`);
  return [...new Set(uses.map(({ keyId }) => keyId))].sort((a, b) => a - b);
}

export const encryptionCommands: readonly AdminCommand[] = [
  {
    name: 'encryption keys',
    usage: '',
    about: 'list the encryption keys in use',
    async run({ database, print }) {
      const ids = await printUses(database, print);
      print(ids.length > 0 ? `In use: ${ids.join(', ')}.` : 'No value is encrypted.');
    },
  },
  {
    name: 'encryption rotate',
    usage: '',
    about:
      're-encrypt all values with the newest key of ENCRYPTION_KEYS; run it once all running processes have that key. It can be interrupted and repeated',
    async run({ database, cipher, print }) {
      let unreadable = 0;
      for (const column of sealedColumns) {
        const done = await rotateSealed(database, cipher, column);
        unreadable += done.unreadable;
        if (done.resealed + done.unreadable > 0)
          print(
            `${column.table}.${column.column}: ${done.resealed} re-encrypted${done.unreadable > 0 ? `, ${done.unreadable} unreadable` : ''}`,
          );
      }
      const ids = await printUses(database, print);
      const old = ids.filter((id) => id !== cipher.currentKeyId);
      if (old.length === 0) {
        await retireCipherKeys(database, cipher.currentKeyId);
        return print(`All values are encrypted with key ${cipher.currentKeyId}. Older keys can be removed from ENCRYPTION_KEYS.`);
      }
      throw new AppError({
        code: 'keys_still_in_use',
        kind: 'conflict',
        message:
          unreadable > 0
            ? `${unreadable} values cannot be decrypted with the given keys; keep keys ${old.join(', ')}`
            : `Keys ${old.join(', ')} are still in use: a running process encrypts with them. Give it the new key and repeat the command`,
      });
    },
  },
];
