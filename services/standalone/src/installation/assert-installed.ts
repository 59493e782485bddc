import { AppError } from '@pulsewire/kernel';
import path from 'node:path';
import { readKeys } from './keys.ts';

/** Throws AppError `installation_not_found` for a folder in which `npm start` has never run: commands do not create installations. */
export async function assertInstalled(dataDir: string): Promise<void> {
  if ((await readKeys(dataDir)) !== null) return;
  throw new AppError({
    code: 'installation_not_found',
    kind: 'not_found',
    message: `There is no installation in ${path.resolve(dataDir)}. Set DATA_DIR to the folder that \`npm start\` uses, or DATABASE_URL (and ENCRYPTION_KEYS) to those of the services`,
  });
}
