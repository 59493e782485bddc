import { statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '@pulsewire/kernel';
import { checkErasuresFile } from '@pulsewire/service-scheduler';
import { readKeys } from './keys.ts';

interface InstallationSettings {
  readonly dataDir: string;
  readonly port: number;
  readonly healthPort: number;
  readonly erasuresFile: string | undefined;
}

/** Throws AppError `config_invalid` when settings of `npm start` contradict each other, or name a file where a folder must be. */
export function checkInstallation({ dataDir, port, healthPort, erasuresFile }: InstallationSettings): void {
  const problems: string[] = [];
  if (port !== 0 && port === healthPort) problems.push('HEALTH_PORT must be another port than PORT, or 0 for a free one');
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === false) problems.push('DATA_DIR must be a folder, but it is a file');
  if (problems.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
  checkErasuresFile(erasuresFile);
}

/** Throws AppError `installation_not_found` for a folder in which `npm start` has never run: commands do not create installations. */
export async function assertInstalled(dataDir: string): Promise<void> {
  if ((await readKeys(dataDir)) !== null) return;
  throw new AppError({
    code: 'installation_not_found',
    kind: 'not_found',
    message: `There is no installation in ${path.resolve(dataDir)}. Set DATA_DIR to the folder that \`npm start\` uses, or DATABASE_URL (and ENCRYPTION_KEYS) to those of the services`,
  });
}
