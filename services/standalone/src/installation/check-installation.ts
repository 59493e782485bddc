import { statSync } from 'node:fs';
import { AppError } from '@pulsewire/kernel';
import { checkErasuresFile } from '@pulsewire/service-scheduler';

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
