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
    about: 'which encryption keys the stored values are sealed with',
    async run({ database, print }) {
      const ids = await printUses(database, print);
      print(ids.length > 0 ? `In use: ${ids.join(', ')}.` : 'Nothing is sealed.');
    },
  },
  {
    name: 'encryption rotate',
    usage: '',
    about:
      'seals everything with the newest key of ENCRYPTION_KEYS, beside running processes that all know it; may be cut off and run again',
    async run({ database, cipher, print }) {
      let unreadable = 0;
      for (const column of sealedColumns) {
        const done = await rotateSealed(database, cipher, column);
        unreadable += done.unreadable;
        if (done.resealed + done.unreadable > 0)
          print(
            `${column.table}.${column.column}: ${done.resealed} sealed anew${done.unreadable > 0 ? `, ${done.unreadable} unreadable` : ''}`,
          );
      }
      const ids = await printUses(database, print);
      const old = ids.filter((id) => id !== cipher.currentKeyId);
      if (old.length === 0) {
        await retireCipherKeys(database, cipher.currentKeyId);
        return print(`Everything is sealed with key ${cipher.currentKeyId}. Older keys may leave ENCRYPTION_KEYS.`);
      }
      throw new AppError({
        code: 'keys_still_in_use',
        kind: 'conflict',
        message:
          unreadable > 0
            ? `${unreadable} values cannot be opened with the given keys; keep the keys ${old.join(', ')}`
            : `Keys ${old.join(', ')} are still in use: a running process seals with them. Give it the new key and run this again`,
      });
    },
  },
];
