import { unitOf } from '../../model/seeded.ts';

export const faultKinds = [
  /** 429 although the quota is not used up. */
  'rate_limited',
  'http_500',
  'http_502',
  'http_503',
  /** The response is delayed by `slowMs`. */
  'slow',
  /** Half of the body is sent, then the socket is destroyed. */
  'cut',
  /** The whole body is sent, with invalid JSON in the middle. */
  'malformed_json',
  /** An otherwise valid response contains one broken item. */
  'malformed_item',
  /** The access token expires before its time. */
  'token_expired_early',
  'token_slow',
  /** 503 at the token endpoint, nothing changed. */
  'token_http_503',
  /** A refresh gets 400 without an error code and changes nothing: it does not prove that the grant was revoked. */
  'token_ambiguous_400',
  /** The tokens are rotated, but the response is 500. */
  'token_rotated_then_500',
  /** The tokens are rotated, but the response is cut. */
  'token_rotated_then_cut',
] as const;

export type FaultKind = (typeof faultKinds)[number];
export type FaultRates = Partial<Readonly<Record<FaultKind, number>>>;

/** Switches faults while the simulator runs. */
export interface FaultControl {
  /** Changes the given rates (0 never, 1 always) and leaves the others. */
  set(rates: FaultRates): void;
  setSlowMs(ms: number): void;
  /** Forces the next `times` faults of this kind, whatever its rate. */
  force(kind: FaultKind, times?: number): void;
  clear(): void;
  /** How often each kind has happened. */
  counts(): Partial<Record<FaultKind, number>>;
}

export interface Faults extends FaultControl {
  /** Whether the fault applies to this request. `place` names the route and the user. */
  strikes(kind: FaultKind, place: string): boolean;
  slowMs(): number;
}

const slowMsDefault = 2000;

/**
 * Each chance depends on the seed, the kind, the place and the number of earlier requests to this place, not on concurrent
 * requests, so that a test with many clients is reproducible.
 */
export function createFaults(seed: string, initialRates: FaultRates = {}): Faults {
  let rates: FaultRates = { ...initialRates };
  let slowMs = slowMsDefault;
  const chances = new Map<string, number>();
  const forced = new Map<FaultKind, number>();
  const counts = new Map<FaultKind, number>();

  function draw(kind: FaultKind, place: string): boolean {
    const left = forced.get(kind) ?? 0;
    if (left > 0) forced.set(kind, left - 1);
    const rate = rates[kind] ?? 0;
    if (rate <= 0) return left > 0;
    const key = `${kind}|${place}`;
    const nth = (chances.get(key) ?? 0) + 1;
    chances.set(key, nth);
    return unitOf(`${seed}|${key}|${nth}`) < rate || left > 0;
  }

  return {
    set: (changed) => void (rates = { ...rates, ...changed }),
    setSlowMs: (ms) => void (slowMs = ms),
    force: (kind, times = 1) => void forced.set(kind, (forced.get(kind) ?? 0) + times),
    clear() {
      rates = {};
      forced.clear();
    },
    counts: () => Object.fromEntries(counts),
    strikes(kind, place) {
      const isFaulty = draw(kind, place);
      if (isFaulty) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      return isFaulty;
    },
    slowMs: () => slowMs,
  };
}
