import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { openDatabase } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { createPostgresLog, readLag } from '@pulsewire/eventlog';
import { createAddressGuard, createWebhookSender } from '@pulsewire/outbound';
import { createDispatcher, createEndpoint } from '@pulsewire/webhooks';
import { createFitbitHarness } from '../../integration/ingest/support/fitbit-harness.ts';

const minuteMs = 60_000;

/** Everything between a provider's notification and a receiver, in this process, with one user who shares only heart rate. */
export async function startDataPath(onRequest: (eventType: string) => void) {
  const server = await startTestServer();
  const name = `pulsewire_path_${randomBytes(4).toString('hex')}`;
  const database = openDatabase({ url: await createDatabase(server.adminUrl, name, server.template), connectionsMax: 12 });
  const harness = await createFitbitHarness(database);

  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      onRequest(String((JSON.parse(Buffer.concat(chunks).toString()) as { event_type?: unknown }).event_type));
      response.writeHead(204).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] });
  const endpoints = { database, cipher: harness.cipher, clock: systemClock, guard };
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  await createEndpoint(endpoints, harness.teamId, { url, filter_types: ['daily.data.heartrate.created'] });

  const sender = createWebhookSender({ guard });
  const parts = { database, logger: silentLogger, metrics: noMetrics };
  const log = createPostgresLog(parts);
  const dispatcher = createDispatcher({ ...parts, log, cipher: harness.cipher, sender, clock: systemClock, memberId: name });
  const stopping = new AbortController();
  const [account] = harness.simulator.accounts;
  if (!account) throw new Error('The simulator has no account');
  await harness.link(account.name, undefined, ['heartrate']);
  await harness.drainAll();
  const running = [dispatcher.run(stopping.signal), harness.service.run(stopping.signal)];

  async function isSettled(): Promise<boolean> {
    const [open] = await database.sql`
      SELECT 1 FROM pull_plans p LEFT JOIN pull_windows w USING (connection_id)
      WHERE p.lease_until IS NOT NULL OR w.state IN ('planned', 'running', 'failed')
      UNION ALL SELECT 1 FROM push_inbox WHERE state = 'received' LIMIT 1`;
    return !open && (await readLag(database, 'dispatcher')).events === 0;
  }

  return {
    /** Resolves when all earlier work is finished. */
    async settled() {
      while (!(await isSettled())) await setTimeout(50);
    },
    /** Adds ten minutes of heart rate at the provider, without a notification. */
    wear() {
      harness.clock.advance(10 * minuteMs);
      harness.simulator.publish({ account: account.name, minutes: 10 });
    },
    /** Sends the provider's notification of them. */
    notify: () =>
      harness.notify([
        {
          collectionType: 'activities',
          ownerId: account.providerUserId,
          ownerType: 'user',
          date: harness.clock.now().toISOString().slice(0, 10),
        },
      ]),
    async close() {
      stopping.abort();
      await Promise.all(running);
      await sender.close();
      await harness.close();
      receiver.close();
      await database.close();
      await dropDatabase(server.adminUrl, name);
      await server.stop();
    },
  };
}
