import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { sleep, systemClock, uuidv7 } from '@pulsewire/kernel';
import { createTeam } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys, type Database } from '@pulsewire/database';
import { createDatabase, startTestServer, type TestServer } from '@pulsewire/database/testing';
import { jsonEvent, maintainLog, readLag, withEvents, type NewEvent } from '@pulsewire/eventlog';
import { createEndpoint, maintainAttempts } from '@pulsewire/webhooks';
import { Child } from '../fault/child.ts';

/** A durable Postgres, a team with one endpoint, and a dispatcher as a process of its own. */
export class DeliveryStage {
  readonly server: TestServer;
  readonly database: Database;
  readonly teamId: string;
  readonly dispatcher: Child;

  private constructor(parts: { server: TestServer; database: Database; teamId: string; dispatcher: Child }) {
    this.server = parts.server;
    this.database = parts.database;
    this.teamId = parts.teamId;
    this.dispatcher = parts.dispatcher;
  }

  static async open(sinkUrl: string): Promise<DeliveryStage> {
    const server = await startTestServer({ durable: true });
    const url = await createDatabase(server.adminUrl, `bench_delivery_${randomBytes(3).toString('hex')}`, server.template);
    const database = openDatabase({ url, name: 'bench', connectionsMax: 8 });
    const today = new Date().toISOString().slice(0, 10);
    await maintainLog(database, { today, keepDays: 30 });
    await maintainAttempts(database, { today, keepDays: 90 });
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    const team = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
    await createEndpoint({ database, cipher: createCipher(parseCipherKeys(encryptionKeys)), clock: systemClock }, team.teamId, {
      url: sinkUrl,
    });
    const dispatcher = new Child({
      name: 'dispatcher',
      file: path.join(import.meta.dirname, '../../services/dispatcher/src/main.ts'),
      env: {
        DATABASE_URL: url,
        ENCRYPTION_KEYS: encryptionKeys,
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        HEALTH_PORT: '0',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
    });
    return new DeliveryStage({ server, database, teamId: team.teamId, dispatcher });
  }

  /** An event whose body is about 1 KB; users differ, so the shards do. */
  event(filler = 'x'.repeat(760)): NewEvent {
    const userId = randomUUID();
    return jsonEvent({
      eventId: uuidv7(),
      eventType: 'daily.data.activity.created',
      teamId: this.teamId,
      userId,
      clientUserId: 'bench',
      data: { user_id: userId, filler },
    });
  }

  async commit(events: readonly NewEvent[]): Promise<void> {
    await withEvents(this.database, async (_tx, emit) => {
      for (const event of events) emit(event);
    });
  }

  /** Resolves when the dispatcher has recorded everything; throws after `maxMs`. */
  async settled(maxMs: number): Promise<void> {
    for (const end = performance.now() + maxMs; performance.now() < end; await sleep(20)) {
      const lag = await readLag(this.database, 'dispatcher').catch(() => null);
      const [pending] = await this.database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM webhook_pending`;
      if (lag?.events === 0 && pending?.count === 0) return;
    }
    throw new Error(`The dispatcher was not done within ${maxMs} ms. ${this.dispatcher.errors}`);
  }

  /** Makes sure that the dispatcher reads, by one delivery. */
  async warmUp(count: () => Promise<number>): Promise<void> {
    await this.commit([this.event()]);
    for (let waitedMs = 0; (await count()) === 0 && waitedMs < 20_000; waitedMs += 20) await sleep(20);
    await this.settled(20_000);
  }

  async close(): Promise<void> {
    await this.dispatcher.stop();
    await this.database.close();
    await this.server.stop();
  }
}
