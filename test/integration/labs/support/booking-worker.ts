import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { allJobKinds, allPartners, createJobWorker } from '@pulsewire/labs';
import { createCipher, openDatabase } from '@pulsewire/database';
import { createHttpClient } from '@pulsewire/outbound';
import { createLabs } from './lab-worker.ts';

// A process that makes due calls to partners until it is killed. Its clock is ahead by the given milliseconds.
const [url = '', key = '', aheadMs = '0', settings = '{}'] = process.argv.slice(2);

const database = openDatabase({ url, name: 'bookings', connectionsMax: 4 });
const clock = { now: () => new Date(Date.now() + Number(aheadMs)), monotonicMs: () => performance.now() };
const http = createHttpClient({ userAgent: 'test' });
const getlabs = JSON.parse(settings) as Readonly<Record<string, string>>;
const partners = allPartners.map((make) => () => make({ clock, http, settings: { getlabs } }));
const labs = createLabs({ database, cipher: createCipher(new Map([[1, Buffer.from(key, 'hex')]])), clock, partners });
// Whoever started it may be killed itself.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref();

await createJobWorker({ labs, logger: silentLogger, metrics: noMetrics, kinds: allJobKinds, idleMs: 20 }).run(new AbortController().signal);
