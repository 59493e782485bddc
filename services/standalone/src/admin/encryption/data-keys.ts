import { AppError } from '@pulsewire/kernel';
import {
  activateDataKey,
  configuredKms,
  newDataKey,
  parseCipherKeys,
  readDataKeys,
  rewrapDataKeys,
  type EncryptionConfig,
  type Kms,
} from '@pulsewire/database';
import { required, type AdminCommand } from '../command/command.ts';

function kmsOf(config: EncryptionConfig = {}): Kms {
  const kms = configuredKms(config);
  if (kms !== null) return kms;
  throw new AppError({ code: 'kms_not_set', kind: 'invalid', message: 'This command needs a KMS. Set ENCRYPTION_VAULT_URL' });
}

export const dataKeyCommands: readonly AdminCommand[] = [
  {
    name: 'encryption new-key',
    usage: '',
    about: 'create a data key; unused until activated',
    async run({ database, encryption, print }) {
      const given = encryption?.encryptionKeys === undefined ? [] : parseCipherKeys(encryption.encryptionKeys).keys();
      const keyId = await newDataKey(database, kmsOf(encryption), given);
      print(`Data key ${keyId} is stored. Restart every process, so that all of them have it, then run: encryption activate ${keyId}`);
    },
  },
  {
    name: 'encryption activate',
    usage: '<key_id>',
    about: 'activate a data key; requires that every process has restarted since it was created',
    async run({ database, print }, args) {
      const keyId = Number(required(args, 0, 'key_id'));
      if (!Number.isInteger(keyId) || !(await activateDataKey(database, keyId)))
        throw new AppError({ code: 'data_key_not_found', kind: 'not_found', message: `There is no data key ${args.positionals[0]}` });
      print(`Each process encrypts with data key ${keyId} from its next start. Restart every process, then run: encryption rotate`);
    },
  },
  {
    name: 'encryption rewrap',
    usage: '',
    about: "re-encrypt all data keys with the KMS key's latest version",
    async run({ database, encryption, print }) {
      for (const { keyId, from, to } of await rewrapDataKeys(database, kmsOf(encryption)))
        print(`Data key ${keyId}: version ${from} of the KMS key, now ${to}`);
      const rows = await readDataKeys(database);
      print(
        rows.length === 0
          ? 'There are no data keys.'
          : `Versions in use: ${[...new Set(rows.map((row) => row.kmsKeyVersion))].join(', ')}.`,
      );
    },
  },
];
