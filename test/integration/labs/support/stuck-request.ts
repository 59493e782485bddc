import { createCipher, openDatabase } from '@pulsewire/database';
import { systemClock } from '@pulsewire/kernel';
import { claimRequest, whileClaimed } from '@pulsewire/labs';
import { createLabs } from './lab-worker.ts';

// A process that claims a request with an idempotency key and works on it until it is killed.
const [url = '', key = '', claimed = '{}'] = process.argv.slice(2);

const database = openDatabase({ url, name: 'stuck', connectionsMax: 2 });
const labs = createLabs({ database, cipher: createCipher(new Map([[1, Buffer.from(key, 'hex')]])), clock: systemClock, partners: [] });
// Whoever started it may be killed itself.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref();

const { payload, ...request } = JSON.parse(claimed) as { teamId: string; endpoint: string; key: string; payload: unknown };
const claim = await claimRequest(labs, request, payload, 86_400_000);
if ('attemptId' in claim) await whileClaimed(labs, claim, () => new Promise<never>(() => {}));
