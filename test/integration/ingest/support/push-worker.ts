import { createManualClock, noMetrics, silentLogger } from '@pulsewire/kernel';
import { openDatabase } from '@pulsewire/database';
import { createIngest, openJobs } from '@pulsewire/ingest';
import { drawVersion } from '@pulsewire/store';
import { dayPartBytes, dayPusher } from './day-pusher.ts';
import { cipher, today } from './harness.ts';
import { createWristband } from './wristband.ts';

// A worker of pushes as a separate process that a test kills: it hangs in the transaction that stores the day `hangsAt`.
const [url = '', hangsAt = ''] = process.argv.slice(2);

const database = openDatabase({ url, connectionsMax: 4, name: 'push-worker' });
const wristband = createWristband();
const connector = dayPusher({ wristband }, (day) => {
  if (day === hangsAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
const ingest = createIngest({
  database,
  cipher,
  jobs: await openJobs(database),
  clock: createManualClock(new Date(`${today}T09:00:00Z`)),
  logger: silentLogger,
  metrics: noMetrics,
  connectorFor: () => connector,
  accessTokenFor: async () => ({ accessToken: 'token', version: 1n }),
  sendFor: ({ accessToken }) => wristband.send(accessToken, () => drawVersion(database)),
  settings: { pushPartBytes: dayPartBytes },
});
await ingest.run(new AbortController().signal);
