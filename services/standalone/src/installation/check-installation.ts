import path from 'node:path';
import { AppError } from '@pulsewire/kernel';
import { checkAll, folderProblem } from '@pulsewire/runtime';
import { checkErasuresFile } from '@pulsewire/service-scheduler';
import { readKeys } from './keys.ts';

interface InstallationSettings {
  readonly dataDir: string;
  readonly erasuresFile: string | undefined;
}

function checkDataDir(dataDir: string): void {
  const problem = folderProblem(dataDir);
  if (problem === null) return;
  const problems = [`DATA_DIR must be a folder on a disk, or a path where one can be created, but it ${problem}`];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}

/** Throws AppError `config_invalid` when settings of `npm start` name something else where a folder or a file must be. */
export function checkInstallation({ dataDir, erasuresFile }: InstallationSettings): void {
  checkAll(
    () => checkDataDir(dataDir),
    () => checkErasuresFile(erasuresFile),
  );
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
