import { TeamRotation, type OfTeam } from './team-rotation.ts';

/** Attempts in progress at one host, over all teams, and the queues that wait for a place there. */
interface Host<Queue extends OfTeam> {
  readonly name: string;
  readonly waiting: TeamRotation<Queue>;
  readonly teams: Map<string, { inFlight: number }>;
  inFlight: number;
}

/** A queue's share of its host, stored with the queue to avoid a lookup per delivery. */
export interface HostPlace<Queue extends OfTeam> {
  readonly host: Host<Queue>;
  readonly ofTeam: { inFlight: number };
}

/** Loopback receivers belong to the operator and are not bounded; a trial installation has no others. */
const isLoopback = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);

const hostnameOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).hostname : '');

/** A queue of deliveries as hosts see it. */
type Placed<Queue extends OfTeam> = OfTeam & { readonly place: HostPlace<Queue> | undefined };

/** Bounds the attempts in progress at one host: many teams may have endpoints there, and one team may have many. */
export class Hosts<Queue extends Placed<Queue>> {
  readonly #max: number;
  readonly #hosts = new Map<string, Host<Queue>>();
  members = 1;

  constructor(max: number) {
    this.#max = max;
  }

  /** The share of an endpoint's queue; undefined without a bound. */
  of({ origin, teamId }: { readonly origin: string; readonly teamId: string }): HostPlace<Queue> | undefined {
    const name = hostnameOf(origin);
    if (name === '' || isLoopback(name)) return undefined;
    const host: Host<Queue> = this.#hosts.get(name) ?? { name, waiting: new TeamRotation<Queue>(), teams: new Map(), inFlight: 0 };
    this.#hosts.set(name, host);
    const ofTeam = host.teams.get(teamId) ?? { inFlight: 0 };
    host.teams.set(teamId, ofTeam);
    return { host, ofTeam };
  }

  /** A team takes no more places than it leaves free, except for its first one. */
  hasPlace({ place }: Placed<Queue>): boolean {
    if (place === undefined) return true;
    const free = Math.max(1, Math.floor(this.#max / this.members)) - place.host.inFlight;
    return free > 0 && (place.ofTeam.inFlight === 0 || place.ofTeam.inFlight < free);
  }

  /** Removes hosts without queues. */
  forgetUnused(queues: Iterable<Placed<Queue>>): void {
    const used = new Set<string>();
    for (const { place } of queues) if (place) used.add(place.host.name);
    for (const [name, { inFlight }] of this.#hosts) if (inFlight === 0 && !used.has(name)) this.#hosts.delete(name);
  }
}
