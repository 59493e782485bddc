import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLogger, sleep } from '@pulsewire/kernel';
import { createKafkaClient } from '@pulsewire/kafka/client';
import { bareKafka, describeKafka, unpatchedKafka } from '../../support/kafka/use-kafka.ts';

/** How long the timers of an idle connection are counted. */
const idleMs = 1000;

describeKafka('the timer loop of kafkajs', (kafka) => {
  // Node writes a warning to stderr for the first negative delay of a process.
  beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  async function timersWhile(work: () => Promise<unknown>): Promise<{ readonly count: number; readonly negative: number }> {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await work();
    const delays = timers.mock.calls.map(([, delayMs = 0]) => delayMs);
    return { count: delays.length, negative: delays.filter((delayMs) => delayMs < 0).length };
  }

  it('kafkajs: an idle connection arms hundreds of timers a second', async () => {
    const admin = unpatchedKafka(kafka.brokers).admin();
    await admin.connect();
    await admin.listTopics();
    const { count, negative } = await timersWhile(() => sleep(idleMs));
    expect(count).toBeGreaterThan(100);
    expect(negative).toBeGreaterThan(100);
    await admin.disconnect();
  });

  it('guarded: an idle connection arms none', async () => {
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger: silentLogger });
    const admin = client.admin();
    await admin.api.connect();
    await admin.api.listTopics();
    // One timer belongs to the time that this test waits.
    expect((await timersWhile(() => sleep(idleMs))).count).toBeLessThan(5);
    await client.close();
  });

  it('guarded, and in clients of tests: no timer has a negative delay', async () => {
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger: silentLogger });
    const bare = bareKafka(kafka.brokers).admin();
    const { negative } = await timersWhile(async () => {
      const { api } = client.admin();
      await Promise.all([api.connect(), bare.connect()]);
      for (let round = 0; round < 20; round++) await Promise.all([api.listTopics(), bare.listTopics()]);
    });
    expect(negative).toBe(0);
    await bare.disconnect();
    await client.close();
  });
});
