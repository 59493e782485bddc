import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBase62 } from '@pulsewire/kernel';

/** State of the simulators that the data folder keeps, so that the next start continues with the same accounts. */
export interface DemoState {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly verificationCode: string;
  /** Where the receiver listened last; 0 before the first time. */
  readonly receiverPort: number;
}

const fileName = 'demo.json';

export async function loadDemoState(dataDir: string): Promise<DemoState> {
  const text = await readFile(path.join(dataDir, fileName), 'utf8').catch(() => null);
  if (text !== null) return JSON.parse(text) as DemoState;
  const state = { clientId: 'pulsewire-demo', clientSecret: randomBase62(32), verificationCode: randomBase62(24), receiverPort: 0 };
  await saveDemoState(dataDir, state);
  return state;
}

export async function saveDemoState(dataDir: string, state: DemoState): Promise<void> {
  const file = path.join(dataDir, fileName);
  await writeFile(`${file}.tmp`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}
