import type { QuotaRule, PullLane } from '@pulsewire/providers';
import type { RuleCount, Slot } from './budget-state.ts';

/** Parameters that decide how much of a limit a lane may use. */
export interface CapacityQuery {
  readonly lane: PullLane;
  /** Live pulls are waiting for this budget. */
  readonly isLiveWaiting: boolean;
  /** Share that backfills leave unused until the demand of live pulls is known. */
  readonly liveShare: number;
  /** Spread what is left of an aligned window over it, once half is used. */
  readonly isPaced: boolean;
}

const slotsPerWindow = 100;
/** Added to the demand of live pulls, so that a rising demand is noticed. */
const reserveShare = 0.01;
const burstShare = 0.5;
const scarceBurstShare = 0.05;
const scarceShare = 0.9;
const pacedUntil = 0.95;

/** The longest assumed time from a grant to the arrival of its request at the provider, and the largest assumed difference of clocks. */
export function slackMs(perMs: number): number {
  return Math.min(2000, Math.max(100, perMs / 50));
}

function slotMs({ perMs }: QuotaRule): number {
  return perMs / slotsPerWindow;
}

export function slotAt(rule: QuotaRule, atMs: number): number {
  return Math.floor(atMs / slotMs(rule));
}

function sum(slots: readonly Slot[], from: number, until = Number.POSITIVE_INFINITY): Record<PullLane, number> {
  const total = { live: 0, backfill: 0 };
  for (const [index, live, backfill] of slots) {
    if (index < from || index >= until) continue;
    total.live += live;
    total.backfill += backfill;
  }
  return total;
}

function windowStart({ perMs }: QuotaRule, atMs: number): number {
  return Math.floor(atMs / perMs) * perMs;
}

/**
 * Just after the border the provider's clock may not have reached it yet, so an application's calls must fit both windows. One user's calls
 * are few, and a refusal makes only that user wait.
 */
function borderMs({ scope, perMs }: QuotaRule): number {
  return scope === 'app' ? slackMs(perMs) : 0;
}

/** The time from which requests before a reset have left the provider's count, even if clocks differ. */
function isOver(rule: QuotaRule, resetMs: number, atMs: number): boolean {
  return resetMs + slackMs(rule.perMs) <= atMs;
}

function lastReset(rule: QuotaRule, { foreign, resetMs }: RuleCount, atMs: number): number | null {
  if (foreign?.isNamed && isOver(rule, foreign.untilMs, atMs)) return foreign.untilMs;
  return resetMs !== null && isOver(rule, resetMs, atMs) ? resetMs : null;
}

/**
 * The oldest slot whose requests the provider may still count. A slot counts until its last request must have arrived and left the window,
 * by our own calculation or by the reset that the provider named.
 */
function firstCounted(rule: QuotaRule, count: RuleCount, atMs: number): number {
  const slack = slackMs(rule.perMs);
  const resetMs = lastReset(rule, count, atMs);
  const sinceReset = resetMs === null ? 0 : slotAt(rule, resetMs - slack);
  if (rule.window === 'sliding') return Math.max(sinceReset, slotAt(rule, atMs - slack - rule.perMs));
  const start = windowStart(rule, atMs);
  const isBorder = atMs - start < borderMs(rule);
  return Math.max(sinceReset, slotAt(rule, (isBorder ? start - rule.perMs : start) - slack));
}

function foreignCalls(count: RuleCount, atMs: number): number {
  return count.foreign && count.foreign.untilMs > atMs ? count.foreign.calls : 0;
}

/** Requests that the provider may count now, ours and others'. */
export function usedOf(rule: QuotaRule, count: RuleCount, atMs: number): Record<PullLane, number> & { readonly foreign: number } {
  return { ...sum(count.slots, firstCounted(rule, count, atMs)), foreign: foreignCalls(count, atMs) };
}

export function limitOf(rule: QuotaRule, count: RuleCount): number {
  return count.limit ?? rule.requests;
}

/** Expected calls of live pulls until requests made now no longer count, based on the last window. */
function liveNeed(rule: QuotaRule, count: RuleCount, atMs: number, liveShare: number): number {
  const limit = limitOf(rule, count);
  const reserve = Math.max(1, Math.ceil(limit * reserveShare));
  const unknown = Math.ceil(limit * liveShare);
  if (rule.window === 'sliding') {
    const first = firstCounted(rule, count, atMs);
    const live = sum(count.slots, first).live;
    const before = sum(count.slots, first - slotsPerWindow, first).live;
    return Math.max(reserve, (atMs - count.sinceMs >= rule.perMs ? before + reserve : unknown) - live);
  }
  const start = windowStart(rule, atMs);
  const isKnown = count.sinceMs <= start - rule.perMs;
  const before = sum(count.slots, slotAt(rule, start - rule.perMs), slotAt(rule, start)).live;
  return Math.ceil(((isKnown ? before + reserve : unknown) * (start + rule.perMs - atMs)) / rule.perMs);
}

/**
 * The part of an aligned limit that may be used by now: a burst, then in proportion to time. After a window that was used up the burst is
 * small.
 */
function pacedLimit(rule: QuotaRule, count: RuleCount, atMs: number): number {
  const limit = limitOf(rule, count);
  const start = windowStart(rule, atMs);
  const before = sum(count.slots, slotAt(rule, start - rule.perMs), slotAt(rule, start));
  const burst = before.live + before.backfill >= limit * scarceShare ? scarceBurstShare : burstShare;
  return Math.ceil(limit * Math.min(1, burst + ((1 - burst) * (atMs - start)) / rule.perMs / pacedUntil));
}

/** Requests that a lane may make now under one rule; whole, at least 0. */
export function capacityOf(rule: QuotaRule, count: RuleCount, atMs: number, question: CapacityQuery): number {
  const { lane, isLiveWaiting, liveShare, isPaced } = question;
  const used = usedOf(rule, count, atMs);
  const limit = limitOf(rule, count);
  // One user's calls are few and sequential, so they need no spreading.
  const cap = isPaced && rule.window === 'aligned' && rule.scope === 'app' ? pacedLimit(rule, count, atMs) : limit;
  const left = cap - used.live - used.backfill - used.foreign;
  if (lane === 'live') return Math.max(0, left);
  if (isLiveWaiting) return 0;
  return Math.max(0, left - liveNeed(rule, count, atMs, liveShare));
}

/** Time until quota may be free again, ms; may be too early, never too late. */
export function freeInMs(rule: QuotaRule, count: RuleCount, atMs: number): number {
  const used = usedOf(rule, count, atMs);
  const slot = slotMs(rule);
  const untilNextSlot = (slotAt(rule, atMs) + 1) * slot - atMs;
  const own = used.live + used.backfill;
  if (own + used.foreign < limitOf(rule, count)) return untilNextSlot;
  const slack = slackMs(rule.perMs);
  const start = windowStart(rule, atMs);
  const oldest = Math.min(...count.slots.filter(([index]) => index >= firstCounted(rule, count, atMs)).map(([index]) => index));
  const sinceStart = sum(count.slots, slotAt(rule, start - slack));
  const isBorder = atMs - start < borderMs(rule) && sinceStart.live + sinceStart.backfill < limitOf(rule, count);
  const aligned = (isBorder ? start : start + rule.perMs) + borderMs(rule);
  const ownMs = rule.window === 'aligned' ? aligned - atMs : (oldest + 1) * slot + slack + rule.perMs - atMs;
  const foreignMs = used.foreign > 0 && count.foreign ? count.foreign.untilMs - atMs : Number.POSITIVE_INFINITY;
  const resets = [count.resetMs, count.foreign?.isNamed ? count.foreign.untilMs : null].filter(
    (at) => at !== null && !isOver(rule, at, atMs),
  );
  const resetMs = Math.min(...resets.map((at) => (at ?? 0) + slack - atMs));
  return Math.max(1, Math.ceil(Math.min(ownMs, foreignMs, resetMs)));
}

/** Adds requests to their slot (or removes them when negative) and drops slots that no longer count. */
export function charge(rule: QuotaRule, count: RuleCount, slot: number, lane: PullLane, calls: number): RuleCount {
  const [, live, backfill] = count.slots.find(([index]) => index === slot) ?? [slot, 0, 0];
  const changed: Slot = [
    slot,
    Math.max(0, live + (lane === 'live' ? calls : 0)),
    Math.max(0, backfill + (lane === 'backfill' ? calls : 0)),
  ];
  const oldest = slot - 2 * slotsPerWindow - Math.ceil(slackMs(rule.perMs) / slotMs(rule)) - 1;
  const others = count.slots.filter(([index]) => index !== slot && index >= oldest);
  return { ...count, slots: (changed[1] + changed[2] > 0 ? [...others, changed] : others).toSorted(([a], [b]) => a - b) };
}
