import type { Endpoint } from '../route.ts';
import { Circuit } from './circuit.ts';
import { Hosts, type HostPlace } from './hosts.ts';
import { Lane, type LaneLimits } from './lane.ts';
import type { HeldRows } from './lane-queues.ts';
import { Turns } from './turns.ts';
import type { Delivery } from './types.ts';

export interface LanesOptions extends LaneLimits {
  /** Attempts under way in the whole process: a bound on sockets. */
  readonly inFlightTotalMax: number;
  /** Attempts under way at one host, over all teams and dispatchers. */
  readonly hostInFlightMax: number;
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Makes the attempt; reports its end with `ended`. */
  start(delivery: Delivery, lane: Lane): void;
}

/** All lanes of a process, and whose turn it is when places are scarce. */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #turns = new Turns();
  readonly #held: HeldRows = { retry: 0, replay: 0 };
  readonly #inFlightOfTeams = new Map<string, number>();
  readonly #hosts: Hosts;
  /** Of attempts that were under way when their endpoint moved to another host. */
  readonly #leftPlaces = new Map<Delivery, HostPlace | undefined>();
  #inFlight = 0;
  #members = 1;
  #isStopped = false;
  /** The process has no time left: whatever more is started now waits for its own turn. */
  isBusy = false;

  constructor(options: LanesOptions) {
    this.#options = options;
    this.#hosts = new Hosts(options.hostInFlightMax);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Claimed rows that wait in memory for a place. */
  held(kind: 'retry' | 'replay'): number {
    return this.#held[kind];
  }

  all(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  /** Starts nothing any more; what is under way may end. */
  stop(): void {
    this.#isStopped = true;
  }

  some(test: (lane: Lane) => boolean): boolean {
    for (const lane of this.#lanes.values()) if (test(lane)) return true;
    return false;
  }

  find(endpointId: string): Lane | undefined {
    return this.#lanes.get(endpointId);
  }

  /** The lane of an endpoint, made on first use. */
  of(endpoint: Endpoint): Lane {
    let lane = this.#lanes.get(endpoint.endpointId);
    if (lane === undefined) {
      lane = new Lane(endpoint, this.#options, new Circuit(), this.#held);
      lane.update(endpoint, this.#members);
      lane.place = this.#hosts.of(endpoint);
      this.#lanes.set(endpoint.endpointId, lane);
    }
    return lane;
  }

  /** The routing table was read anew: lanes learn what changed, and those of endpoints that are gone start nothing more. */
  sync(endpoints: ReadonlyMap<string, Endpoint>): void {
    for (const [endpointId, lane] of this.#lanes) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) this.#update(lane, endpoint);
      else if (lane.isIdle) this.#lanes.delete(endpointId);
      else lane.retire();
    }
    this.#hosts.forgetUnused(this.#lanes.values());
  }

  #update(lane: Lane, endpoint: Endpoint): void {
    if (endpoint.origin !== lane.endpoint.origin) {
      for (const delivery of lane.underWay()) if (!this.#leftPlaces.has(delivery)) this.#leftPlaces.set(delivery, lane.place);
      lane.place = this.#hosts.of(endpoint);
    }
    lane.update(endpoint, this.#members);
  }

  /** How many dispatchers share the work, and with it the rate limits. */
  shareWith(members: number, endpoints: ReadonlyMap<string, Endpoint>): void {
    if (members === this.#members) return;
    this.#members = members;
    this.#hosts.members = members;
    this.sync(endpoints);
  }

  /** Starts what may start in this lane. */
  pump(lane: Lane): void {
    const now = this.#options.nowMs();
    if (this.#isStopped) return;
    while (this.#hasPlace(lane)) {
      if (!this.#hosts.hasPlace(lane)) {
        lane.isShort = true;
        lane.place?.host.turns.add(lane);
        return;
      }
      lane.isShort = false;
      const delivery = lane.next(now);
      if (delivery === undefined) return;
      this.#start(delivery, lane, now);
    }
    lane.isShort = true;
    this.#turns.add(lane);
  }

  ended(delivery: Delivery, lane: Lane): void {
    lane.ended(delivery);
    this.#inFlight -= 1;
    const { teamId } = lane.endpoint;
    const left = (this.#inFlightOfTeams.get(teamId) ?? 1) - 1;
    if (left === 0) this.#inFlightOfTeams.delete(teamId);
    else this.#inFlightOfTeams.set(teamId, left);
    const turns = this.#leavePlace(delivery, lane)?.host.turns;
    // Who waits for this host comes before the lane that had the place.
    if (turns !== undefined && !turns.isEmpty) this.#giveTurns(turns);
    if (this.#turns.isEmpty) return this.pump(lane);
    this.#turns.add(lane);
    this.#giveTurns(this.#turns);
  }

  #leavePlace(delivery: Delivery, lane: Lane): HostPlace | undefined {
    const hasMoved = this.#leftPlaces.size > 0 && this.#leftPlaces.has(delivery);
    const place = hasMoved ? this.#leftPlaces.get(delivery) : lane.place;
    if (hasMoved) this.#leftPlaces.delete(delivery);
    if (place === undefined) return undefined;
    place.host.inFlight -= 1;
    place.ofTeam.inFlight -= 1;
    return place;
  }

  /** Lets lanes go on that waited for time and not for an answer: rate limits, rests and circuits. */
  pumpAll(): void {
    for (const lane of this.#lanes.values()) this.pump(lane);
  }

  /**
   * A lane takes no more places than are left free, and neither does a team: endpoints that hang cannot take them all. The first
   * place is everybody's: of each team while there is one, of each endpoint up to what is kept for other teams.
   */
  #hasPlace(lane: Lane): boolean {
    const { inFlightTotalMax } = this.#options;
    const free = inFlightTotalMax - this.#inFlight;
    if (free <= 0) return false;
    const ofTeam = this.#inFlightOfTeams.get(lane.endpoint.teamId) ?? 0;
    if (ofTeam === 0 || (ofTeam < free && lane.inFlight < free)) return true;
    return lane.inFlight === 0 && free > inFlightTotalMax >> 3;
  }

  #start(delivery: Delivery, lane: Lane, now: number): void {
    const { teamId } = lane.endpoint;
    lane.started(delivery, now);
    this.#inFlight += 1;
    if (lane.place) {
      lane.place.host.inFlight += 1;
      lane.place.ofTeam.inFlight += 1;
    }
    this.#inFlightOfTeams.set(teamId, (this.#inFlightOfTeams.get(teamId) ?? 0) + 1);
    this.#options.start(delivery, lane);
  }

  /** One place at a time: to each waiting team in turn, and within a team to each waiting lane. */
  #giveTurns(turns: Turns): void {
    const now = this.#options.nowMs();
    for (const lane of turns.rounds((one) => this.#hasPlace(one) && this.#hosts.hasPlace(one))) {
      if (this.#isStopped) return;
      const delivery = lane.next(now);
      if (delivery === undefined) continue;
      this.#start(delivery, lane, now);
      // Behind all others, for its next turn.
      turns.add(lane);
      if (this.#inFlight >= this.#options.inFlightTotalMax) return;
    }
  }
}
