import type { Lane } from './lane.ts';
import { Turns } from './turns.ts';

/** Attempts under way at one host, over all teams, and the lanes that wait for a place there. */
interface Host {
  readonly name: string;
  readonly turns: Turns;
  readonly teams: Map<string, { inFlight: number }>;
  inFlight: number;
}

/** A lane's part in its host. Kept with the lane, so that nothing is looked up for a delivery. */
export interface HostPlace {
  readonly host: Host;
  readonly ofTeam: { inFlight: number };
}

/** The machine itself is the operator's own, and the only receiver of an installation that is tried out. */
const isLoopback = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);

const hostnameOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).hostname : '');

/** Bounds what is under way at one host: many teams may point their endpoints at it, and one team many endpoints. */
export class Hosts {
  readonly #max: number;
  readonly #hosts = new Map<string, Host>();
  members = 1;

  constructor(max: number) {
    this.#max = max;
  }

  /** The place of an endpoint's lane; undefined where there is no bound. */
  of({ origin, teamId }: { readonly origin: string; readonly teamId: string }): HostPlace | undefined {
    const name = hostnameOf(origin);
    if (name === '' || isLoopback(name)) return undefined;
    const host = this.#hosts.get(name) ?? { name, turns: new Turns(), teams: new Map(), inFlight: 0 };
    this.#hosts.set(name, host);
    const ofTeam = host.teams.get(teamId) ?? { inFlight: 0 };
    host.teams.set(teamId, ofTeam);
    return { host, ofTeam };
  }

  /** A team takes no more places than it leaves free; the first one is everybody's. */
  hasPlace({ place }: Lane): boolean {
    if (place === undefined) return true;
    const free = Math.max(1, Math.floor(this.#max / this.members)) - place.host.inFlight;
    return free > 0 && (place.ofTeam.inFlight === 0 || place.ofTeam.inFlight < free);
  }

  /** Forgets hosts to which no lane belongs any more. */
  forgetUnused(lanes: Iterable<Lane>): void {
    const used = new Set<string>();
    for (const { place } of lanes) if (place) used.add(place.host.name);
    for (const [name, { inFlight }] of this.#hosts) if (inFlight === 0 && !used.has(name)) this.#hosts.delete(name);
  }
}
