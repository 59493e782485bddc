import { addDays, type Database } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import type { Connector } from '@pulsewire/providers';
import type { SimulatedAccount, SimulatorEntry } from '@pulsewire/sandbox';
import {
  badDay,
  createConformanceHarness,
  startedAt,
  type ConformanceHarness,
  type Linked,
} from '../../integration/providers/conformance/harness.ts';
import { countDuplicates, judgeAgainstReading, judgeAgainstTruth, type Judgement } from './judge.ts';
import { countCalls, type CallCount } from './count-calls.ts';

const hourMs = 3_600_000;
const dayHours = 24;

export interface MonthPlan {
  /** Of each provider. */
  readonly users: number;
  readonly days: number;
  /** Coarser than in production, so that a month takes minutes. */
  readonly pollsPerDay: number;
  /** Hours of polling as often as in production, to count calls. */
  readonly cadenceHours: number;
}

export interface MonthResult {
  readonly slug: string;
  readonly truth: Judgement;
  readonly flawless: Judgement;
  readonly duplicates: number;
  readonly calls: CallCount;
  /** Failures that the simulator caused. */
  readonly struck: number;
  /** The first things that are missing. */
  readonly missing: readonly string[];
}

interface Member extends Linked {
  readonly account: SimulatedAccount;
  readonly index: number;
}

const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Sao_Paulo'];

/** Pulls may cause pushes, and pushes pulls. Custody schedules renewals by the clock of the database. */
async function settle(database: Database, harness: ConformanceHarness): Promise<void> {
  for (let round = 0; round < (harness.simulator.pushes ? 2 : 1); round++) {
    await database.sql`UPDATE connection_tokens SET next_refresh_at = NULL`;
    await harness.simulator.pushes?.settled();
    await harness.drain();
  }
}

const todayOf = ({ clock }: ConformanceHarness): string => clock.now().toISOString().slice(0, 10);

interface Moment {
  readonly day: number;
  readonly step: number;
  readonly isLast: boolean;
  /** Access tokens are renewed: elsewhere an expired one ends the connection. */
  readonly isRenewed: boolean;
}

/** What happens to people and their devices on a day: most sync at each poll, some days later, figures are revised, tokens expire. */
function live(members: readonly Member[], { isRenewed, day, step, isLast }: Moment): void {
  for (const { account, index } of members) {
    // Every fourth device is away from its phone for four days at a time.
    const isAway = index % 4 === 3 && day % 5 !== 4 && !isLast;
    if (!isAway) account.makeNewData();
    if (step === 0 && (day + index) % 7 === 6) account.revise();
    if (isRenewed && step === 0 && (day + index) % 6 === 5) account.expireTokens();
  }
}

/** One day in nine is an outage; the days between have the usual failures, and the last two none, so that everything can arrive. */
function setFaults({ simulator }: ConformanceHarness, day: number, days: number): void {
  simulator.faults.clear();
  if (day >= days - 2) return;
  simulator.faults.set(day % 9 === 3 ? { http_503: 1 } : badDay);
}

/** The second person withdraws the consent and links again two days later. */
async function comeAndGo(harness: ConformanceHarness, members: readonly Member[], day: number): Promise<void> {
  const [, leaver] = members;
  const { auth, revocation } = harness.simulator.capabilities;
  // Elsewhere the password changes, and with it the way back.
  if (!leaver || !revocation || auth !== 'oauth') return;
  if (day === 2) leaver.account.revoke();
  if (day !== 5) return;
  for (let tries = 1; ; tries++) {
    const { state } = await harness.attempt(leaver.userId, leaver.account);
    if (state === 'success') return;
    if (tries >= 30) throw new Error('Not linked again');
  }
}

async function liveThrough(database: Database, harness: ConformanceHarness, members: readonly Member[], plan: MonthPlan): Promise<void> {
  for (let day = 0; day < plan.days; day++) {
    await maintainLog(database, { today: todayOf(harness), keepDays: 90 });
    setFaults(harness, day, plan.days);
    await comeAndGo(harness, members, day);
    for (let step = 0; step < plan.pollsPerDay; step++) {
      live(members, { day, step, isLast: day >= plan.days - 1, isRenewed: harness.simulator.capabilities.refresh });
      await harness.poll((dayHours / plan.pollsPerDay) * hourMs);
      await settle(database, harness);
    }
  }
}

/** A month of users of one provider, in simulated time: linking, failures, revisions and late devices; judged at the end. */
export async function simulateMonth(
  database: Database,
  connector: Connector,
  entry: SimulatorEntry,
  plan: MonthPlan,
): Promise<MonthResult> {
  const harness = await createConformanceHarness(database, connector, entry);
  try {
    harness.simulator.faults.setSlowMs(1);
    const members: Member[] = [];
    for (let index = 0; index < plan.users; index++) {
      const account = harness.simulator.addAccount({
        name: `Person ${index}`,
        timeZone: zones[index % zones.length] ?? 'Etc/UTC',
        backlogMinutes: 60,
      });
      setFaults(harness, 0, plan.days);
      members.push({ ...(await harness.linkPatiently(account)), account, index });
    }
    await settle(database, harness);
    await liveThrough(database, harness, members, plan);
    await harness.drainAll();
    const failedCalls = Object.values(harness.simulator.faults.counts()).reduce((sum, count) => sum + count, 0);
    const range = [startedAt.toISOString().slice(0, 10), addDays(todayOf(harness), -1)] as const;
    const truth = await judgeAgainstTruth(database, connector, members, range);
    const duplicates = await countDuplicates(database);
    const flawless = await judgeAgainstReading(database, harness, members.slice(0, 4), range, () => settle(database, harness));
    const calls = await countCalls(database, harness, members.slice(0, 2), plan.cadenceHours, () => settle(database, harness));
    const missing = [...truth.missing, ...flawless.missing];
    return { slug: connector.slug, truth, flawless, duplicates, calls, struck: failedCalls, missing };
  } finally {
    await harness.close();
  }
}
