import { addDays } from '@pulsewire/kernel';
import { type Database } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import type { Connector } from '@pulsewire/providers';
import type { SimulatedAccount, SimulatorEntry } from '@pulsewire/sandbox';
import { badDay } from '../../integration/providers/conformance/bad-day.ts';
import {
  createConformanceHarness,
  startedAt,
  type ConformanceHarness,
  type Linked,
} from '../../integration/providers/conformance/harness.ts';
import { countDuplicates, judgeAgainstReading, judgeAgainstTruth, type Judgement } from './judge.ts';
import { countCalls, type CallCount } from './count-calls.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayHours = 24;

export interface MonthPlan {
  /** Of each provider. */
  readonly users: number;
  readonly days: number;
  /** Coarser than in production, so that a month takes minutes. */
  readonly pollHours: number;
  /** Days between two syncs of a device. Each person is polled on these days only, so that a thousand people fit into an hour. */
  readonly syncDays: number;
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
  /** How often people linked again. */
  readonly linkedAgain: number;
  /** The first things that are missing. */
  readonly missing: readonly string[];
}

interface Member extends Linked {
  readonly account: SimulatedAccount;
  readonly index: number;
}

const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Sao_Paulo'];

/** Pulls may cause pushes, and pushes pulls. */
async function settle(harness: ConformanceHarness): Promise<void> {
  for (let round = 0; round < (harness.simulator.pushes ? 2 : 1); round++) {
    await harness.simulator.pushes?.settled();
    await harness.drain();
  }
}

/** As many as a quota by the minute may take after a device was away. */
const quotaMinutesMax = 240;
const quotaMinutesInOutage = 5;

/**
 * Settles minute by minute until no window waits for its turn: the clock stands still while the queues drain, so without this a quota by
 * the minute would be one by the day. Returns the minutes.
 */
async function settleMinutes(database: Database, harness: ConformanceHarness, minutesMax: number): Promise<number> {
  for (let minutes = 0; ; minutes++) {
    await settle(harness);
    const waiting = await database.sql`
      SELECT 1 FROM pull_windows JOIN connections USING (connection_id) WHERE state IN ('planned', 'running') AND status = 'connected' LIMIT 1`;
    if (waiting.length === 0 || minutes >= minutesMax) return minutes;
    await harness.passTime(minuteMs);
  }
}

const todayOf = ({ clock }: ConformanceHarness): string => clock.now().toISOString().slice(0, 10);

interface Moment {
  readonly day: number;
  /** The first poll of the day. */
  readonly isFirst: boolean;
  /** The last day of the month. */
  readonly isLast: boolean;
  /** Access tokens are renewed: elsewhere an expired one ends the connection. */
  readonly isRenewed: boolean;
}

/** Whether a person's device syncs on this day, and their connection is polled. At the end all do, so that everything can arrive. */
const isAwake = ({ index }: Member, day: number, { syncDays, days }: MonthPlan): boolean =>
  (day + index) % syncDays === 0 || day >= days - 2;

/** The connections of the others are polled after the next step. */
async function deferPolls({ sql }: Database, { clock }: ConformanceHarness, asleep: readonly Member[], stepMs: number): Promise<void> {
  const later = new Date(clock.now().getTime() + 1.5 * stepMs).toISOString();
  await sql`
    UPDATE pull_plans SET next_pull_at = greatest(next_pull_at, ${later}::timestamptz)
    WHERE connection_id IN (SELECT connection_id FROM connections WHERE user_id = ANY(${asleep.map(({ userId }) => userId)}::uuid[]))`;
}

/** What happens to people and their devices on a day: most sync at each poll, some days later, figures are revised, tokens expire. */
function live(members: readonly Member[], { isRenewed, day, isFirst, isLast }: Moment, syncDays: number): void {
  for (const { account, index } of members) {
    // Every fourth device is away from its phone for four days at a time, unless all sync as rarely.
    const isAway = syncDays === 1 && index % 4 === 3 && day % 5 !== 4 && !isLast;
    if (!isAway) account.makeNewData();
    if (isFirst && (day + index) % 7 === 6) account.revise();
    if (isRenewed && isFirst && (day + index) % 6 === 3) account.expireTokens();
  }
}

const isOutage = (day: number): boolean => day % 9 === 3;

/** One day in nine is an outage; the days between have the usual failures, and the last two none, so that everything can arrive. */
function setFaults({ simulator }: ConformanceHarness, day: number, days: number): void {
  simulator.faults.clear();
  if (day >= days - 2) return;
  simulator.faults.set(isOutage(day) ? { http_503: 1 } : badDay);
}

/** The days on which the second person, whose password stays valid, has withdrawn the consent. */
const awayFrom = 2;
const awayUntil = 5;

function isLeaver({ simulator }: ConformanceHarness, { index }: Member): boolean {
  const { auth, revocation } = simulator.capabilities;
  // Elsewhere the password changes, and with it the way back.
  return index === 1 && revocation && auth === 'oauth';
}

/** The second person withdraws the consent for three days. */
function hasWithdrawn(harness: ConformanceHarness, member: Member, day: number): boolean {
  return isLeaver(harness, member) && day >= awayFrom && day < awayUntil;
}

/**
 * Links for a new user unless one is named. A person whose correct password was refused because of a failure tries once more when the provider
 * works; `restore` sets the failures of the day again.
 */
async function link(harness: ConformanceHarness, account: SimulatedAccount, restore: () => void, userId?: string): Promise<Linked> {
  const user = userId ?? (await harness.newUser(account));
  try {
    return await harness.linkPatiently(account, { userId: user });
  } catch {
    harness.simulator.faults.clear();
    return await harness.linkPatiently(account, { userId: user });
  } finally {
    restore();
  }
}

/**
 * Links ended connections again, except on a day when the provider is down: of the person who was away, and of those whose rotated tokens were
 * lost with a response, for which custody gives up after a day of refusals. Returns how many.
 */
async function linkAgain(
  database: Database,
  harness: ConformanceHarness,
  members: readonly Member[],
  day: number,
  days: number,
): Promise<number> {
  const rows = await database.sql<{ user_id: string }[]>`SELECT user_id FROM connections WHERE status = 'error'`;
  const ended = members.filter(({ userId }) => rows.some((row) => row.user_id === userId));
  const linking = isOutage(day) ? [] : ended.filter((member) => !hasWithdrawn(harness, member, day));
  for (const { account, userId } of linking) await link(harness, account, () => setFaults(harness, day, days), userId);
  return linking.length;
}

/** Days between two lines that show how far a long month is. */
const progressDays = 10;

/** Returns how often people linked again. */
async function liveThrough(database: Database, harness: ConformanceHarness, members: readonly Member[], plan: MonthPlan): Promise<number> {
  const { days, pollHours } = plan;
  const startMs = performance.now();
  let links = 0;
  let today = -1;
  let passedMs = 0;
  for (let hour = 0; hour < days * dayHours; hour += pollHours) {
    const day = Math.floor(hour / dayHours);
    const isFirst = day !== today;
    today = day;
    if (isFirst) {
      if (day > 0 && day % progressDays === 0) {
        const [seconds, mebibytes] = [(performance.now() - startMs) / 1000, process.memoryUsage().rss / 2 ** 20];
        console.log(`    ${harness.connector.slug}: ${day} of ${days} days, ${seconds.toFixed(0)} s, ${mebibytes.toFixed(0)} MiB`);
      }
      await maintainLog(database, { today: todayOf(harness), keepDays: 90 });
      setFaults(harness, day, days);
      if (day === awayFrom) members.find((member) => hasWithdrawn(harness, member, day))?.account.revoke();
      links += await linkAgain(database, harness, members, day, days);
    }
    const awake = members.filter((member) => isAwake(member, day, plan));
    await deferPolls(
      database,
      harness,
      members.filter((member) => !awake.includes(member)),
      pollHours * hourMs,
    );
    live(awake, { day, isFirst, isLast: day >= days - 1, isRenewed: harness.simulator.capabilities.refresh }, plan.syncDays);
    await harness.poll(pollHours * hourMs - passedMs);
    const minutes = await settleMinutes(database, harness, isOutage(day) ? quotaMinutesInOutage : quotaMinutesMax);
    passedMs = minutes * minuteMs;
  }
  // Tokens that were lost in the last days are given up now.
  await harness.drainAll();
  const late = await linkAgain(database, harness, members, days - 1, days);
  if (late > 0) await harness.drainAll();
  return links + late;
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
        // Longer ones change nothing but the length of lists that are always read whole.
        historyDays: 45,
      });
      setFaults(harness, 0, plan.days);
      members.push({ ...(await link(harness, account, () => setFaults(harness, 0, plan.days))), account, index });
    }
    await settleMinutes(database, harness, quotaMinutesMax);
    const linkedAgain = await liveThrough(database, harness, members, plan);
    const failedCalls = Object.values(harness.simulator.faults.counts()).reduce((sum, count) => sum + count, 0);
    const range = [startedAt.toISOString().slice(0, 10), addDays(todayOf(harness), -1)] as const;
    const truth = await judgeAgainstTruth(database, connector, members, range);
    const duplicates = await countDuplicates(database);
    const flawless = await judgeAgainstReading(database, harness, members.slice(0, 4), range, async () => {
      await settleMinutes(database, harness, quotaMinutesMax);
      await harness.drainAll();
    });
    const calls = await countCalls(database, harness, members.slice(0, 2), plan.cadenceHours, () => settle(harness));
    const missing = [...truth.missing, ...flawless.missing];
    return { slug: connector.slug, truth, flawless, duplicates, calls, struck: failedCalls, linkedAgain, missing };
  } finally {
    await harness.close();
  }
}
