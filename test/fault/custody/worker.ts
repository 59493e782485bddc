import { errorCode, isAppError, sleep } from '@pulsewire/kernel';
import { getAccessToken } from '@pulsewire/connections';
import { openDatabase } from '@pulsewire/database';
import { createRandom } from '../harness/random.ts';
import { stormContext } from './context.ts';

// One process of the storm: its workers request tokens of the same connections and use them.
const [url = '', encryptionKeys = '', providerUrl = '', workers = '1', seed = '1', ...connectionIds] = process.argv.slice(2);

const database = openDatabase({ url, name: 'storm', connectionsMax: 8 });
const context = stormContext(database, encryptionKeys, providerUrl);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
// Whoever started it may be killed itself.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref();

async function isStored(connectionId: string, version: bigint): Promise<boolean> {
  const [row] = await database.sql`
    SELECT 1 FROM connection_tokens WHERE connection_id = ${connectionId} AND token_version >= ${version.toString()}::bigint`;
  return row !== undefined;
}

async function use(connectionId: string, rejectedVersion?: bigint): Promise<void> {
  const token = await getAccessToken(context, connectionId, {
    signal: stop.signal,
    ...(rejectedVersion !== undefined && { rejectedVersion }),
  });
  const headers = {
    authorization: `Bearer ${token.accessToken}`,
    'x-is-stored': (await isStored(connectionId, token.version)) ? 'yes' : 'no',
  };
  const response = await fetch(`${providerUrl}/use`, { method: 'POST', headers });
  await response.arrayBuffer();
  if (response.status === 401 && rejectedVersion === undefined) await use(connectionId, token.version);
}

async function work(random: () => number): Promise<void> {
  while (!stop.signal.aborted) {
    const connectionId = connectionIds[Math.floor(random() * connectionIds.length)] ?? '';
    await use(connectionId).catch((error: unknown) => {
      if (!isAppError(error)) process.stderr.write(`${errorCode(error)} ${String(error)}\n`);
    });
    await sleep(random() * 40);
  }
}

await Promise.all(Array.from({ length: Number(workers) }, (_, index) => work(createRandom(Number(seed) + index))));
context.close();
await database.close();
