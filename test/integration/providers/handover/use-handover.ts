import { createCipher } from '@pulsewire/database';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, hourMs, startedAt, type HandoverHarness, type HandoverOptions } from './harness.ts';
import { createPeople } from './people.ts';

export const dayMs = 24 * hourMs;
/** Of one test and of starting the harness. */
export const limitMs = 120_000;
/** Resources that google_fit and google_health both have on every day. */
export const daily = ['activity', 'steps', 'heartrate', 'sleep'];
const startHour = startedAt.getUTCHours();
export const bothGoogle = ['google_fit connected', 'google_health connected'];

/** Accounts of one person whose data grows as time passes. */
type Growing = Readonly<Record<string, { makeNewData(): unknown }>>;

/**
 * A harness for this test file with a database of its own. After each test its users are disconnected, so that later tests do not poll
 * them, and the clock goes on to noon. Call it at the top of the file; the members exist from `beforeAll` on.
 */
export function useHandover(options: HandoverOptions = {}) {
  const database = useDatabase();
  let harness: HandoverHarness | undefined;
  const started = () => {
    if (!harness) throw new Error('useHandover: the harness does not exist before beforeAll');
    return harness;
  };
  beforeAll(async () => void (harness = await createHandoverHarness(database.current, options)), limitMs);
  afterEach(async () => {
    await harness?.disconnectAll();
    const { clock } = started();
    const hours = clock.now().getTime() / hourMs;
    // Every test starts at noon in Berlin, whatever ran before it.
    clock.advance(((((startHour - hours) % 24) + 24) % 24) * hourMs);
  }, limitMs);
  afterAll(() => harness?.close());
  return {
    database,
    get harness(): HandoverHarness {
      return started();
    },
    get people(): ReturnType<typeof createPeople> {
      return createPeople(started(), database.current);
    },
    /** Lets these numbers of days pass one after the other, with new data in both accounts and a poll after each. */
    async pass({ accounts }: { readonly accounts: Growing }, ...days: number[]): Promise<void> {
      for (const count of days) await started().pass(count * dayMs, ...Object.values(accounts));
    },
    /** The lines that an operator's command prints. */
    async admin(...words: string[]): Promise<readonly string[]> {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      const { clock } = started();
      const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
      const code = await runAdmin(words, { database: database.current, cipher, clock, kafka: {} as never, print, secret: () => '' });
      if (code !== 0) throw new Error(`${words.join(' ')}: ${lines.join('; ')}`);
      return lines;
    },
    /** The stored division of a user's resources. */
    pairs: (userId: string) => database.current.sql`SELECT days FROM resource_handovers WHERE user_id = ${userId}`,
  };
}
