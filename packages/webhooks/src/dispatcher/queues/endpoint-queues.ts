import type { Endpoint } from '../../routing/route.ts';
import { Circuit } from './circuit.ts';
import { Hosts, type HostPlace } from './hosts.ts';
import { EndpointQueue, type QueueLimits } from './endpoint-queue.ts';
import type { HeldRows } from './kind-queues.ts';
import { TeamRotation } from './team-rotation.ts';
import type { Delivery } from '../delivery/delivery.ts';

export interface EndpointQueuesOptions extends QueueLimits {
  /** Attempts in progress in the whole process: bounds its sockets. */
  readonly inFlightTotalMax: number;
  /** Attempts in progress at one host, over all teams and dispatchers. */
  readonly hostInFlightMax: number;
  /** Monotonic milliseconds. */
  nowMs(): number;
  /** Makes the attempt; reports its end with `ended`. */
  start(delivery: Delivery, queue: EndpointQueue): void;
}

/** All endpoint queues of a process; rotates scarce places among teams and endpoints. */
export class EndpointQueues {
  readonly #options: EndpointQueuesOptions;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #waiting = new TeamRotation<EndpointQueue>();
  readonly #held: HeldRows = { retry: 0, replay: 0 };
  readonly #inFlightOfTeams = new Map<string, number>();
  readonly #hosts: Hosts<EndpointQueue>;
  /** Places of attempts that were in progress when their endpoint moved to another host. */
  readonly #leftPlaces = new Map<Delivery, HostPlace<EndpointQueue> | undefined>();
  #inFlight = 0;
  #members = 1;
  #isStopped = false;
  /** The process is saturated: further attempts would only wait for CPU time. */
  isBusy = false;

  constructor(options: EndpointQueuesOptions) {
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

  all(): IterableIterator<EndpointQueue> {
    return this.#queues.values();
  }

  /** Starts no further attempts; those in progress may end. */
  stop(): void {
    this.#isStopped = true;
  }

  some(test: (queue: EndpointQueue) => boolean): boolean {
    for (const queue of this.#queues.values()) if (test(queue)) return true;
    return false;
  }

  find(endpointId: string): EndpointQueue | undefined {
    return this.#queues.get(endpointId);
  }

  /** The queue of an endpoint, created on first use. */
  of(endpoint: Endpoint): EndpointQueue {
    let queue = this.#queues.get(endpoint.endpointId);
    if (queue === undefined) {
      queue = new EndpointQueue(endpoint, this.#options, new Circuit(), this.#held);
      queue.update(endpoint, this.#members);
      queue.place = this.#hosts.of(endpoint);
      this.#queues.set(endpoint.endpointId, queue);
    }
    return queue;
  }

  /** The routing table was reloaded: updates the queues, and stops those whose endpoint was disabled or removed. */
  sync(endpoints: ReadonlyMap<string, Endpoint>): void {
    for (const [endpointId, queue] of this.#queues) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) this.#update(queue, endpoint);
      else if (queue.isIdle) this.#queues.delete(endpointId);
      else queue.retire();
    }
    this.#hosts.forgetUnused(this.#queues.values());
  }

  #update(queue: EndpointQueue, endpoint: Endpoint): void {
    if (endpoint.origin !== queue.endpoint.origin) {
      for (const delivery of queue.attemptsInFlight()) if (!this.#leftPlaces.has(delivery)) this.#leftPlaces.set(delivery, queue.place);
      queue.place = this.#hosts.of(endpoint);
    }
    queue.update(endpoint, this.#members);
  }

  get members(): number {
    return this.#members;
  }

  /** How many dispatchers share the work, and with it the rate limits. */
  shareWith(members: number, endpoints: ReadonlyMap<string, Endpoint>): void {
    if (members === this.#members) return;
    this.#members = members;
    this.#hosts.members = members;
    this.sync(endpoints);
  }

  /** Starts every delivery of this queue that may start. */
  pump(queue: EndpointQueue): void {
    const now = this.#options.nowMs();
    if (this.#isStopped) return;
    while (this.#hasPlace(queue)) {
      if (!this.#hosts.hasPlace(queue)) {
        queue.isShort = true;
        queue.place?.host.waiting.add(queue);
        return;
      }
      queue.isShort = false;
      const delivery = queue.next(now);
      if (delivery === undefined) return;
      this.#start(delivery, queue, now);
    }
    queue.isShort = true;
    this.#waiting.add(queue);
  }

  ended(delivery: Delivery, queue: EndpointQueue): void {
    queue.ended(delivery);
    this.#inFlight -= 1;
    const { teamId } = queue.endpoint;
    const left = (this.#inFlightOfTeams.get(teamId) ?? 1) - 1;
    if (left === 0) this.#inFlightOfTeams.delete(teamId);
    else this.#inFlightOfTeams.set(teamId, left);
    const waiting = this.#leavePlace(delivery, queue)?.host.waiting;
    // Queues that wait for this host come before the one that just freed the place.
    if (waiting !== undefined && !waiting.isEmpty) this.#admitWaiting(waiting);
    if (this.#waiting.isEmpty) return this.pump(queue);
    this.#waiting.add(queue);
    this.#admitWaiting(this.#waiting);
  }

  #leavePlace(delivery: Delivery, queue: EndpointQueue): HostPlace<EndpointQueue> | undefined {
    const hasMoved = this.#leftPlaces.size > 0 && this.#leftPlaces.has(delivery);
    const place = hasMoved ? this.#leftPlaces.get(delivery) : queue.place;
    if (hasMoved) this.#leftPlaces.delete(delivery);
    if (place === undefined) return undefined;
    place.host.inFlight -= 1;
    place.ofTeam.inFlight -= 1;
    return place;
  }

  /** Continues queues that waited for time to pass and not for a response: rate limits, rests and circuits. */
  pumpAll(): void {
    for (const queue of this.#queues.values()) this.pump(queue);
  }

  /**
   * Neither a queue nor a team takes more places than it leaves free, so hanging endpoints cannot take them all. Every team may take a
   * first place while one is free, and every endpoint a first place except from those reserved for other teams.
   */
  #hasPlace(queue: EndpointQueue): boolean {
    const { inFlightTotalMax } = this.#options;
    const free = inFlightTotalMax - this.#inFlight;
    if (free <= 0) return false;
    const ofTeam = this.#inFlightOfTeams.get(queue.endpoint.teamId) ?? 0;
    if (ofTeam === 0 || (ofTeam < free && queue.inFlight < free)) return true;
    return queue.inFlight === 0 && free > inFlightTotalMax >> 3;
  }

  #start(delivery: Delivery, queue: EndpointQueue, now: number): void {
    const { teamId } = queue.endpoint;
    queue.started(delivery, now);
    this.#inFlight += 1;
    if (queue.place) {
      queue.place.host.inFlight += 1;
      queue.place.ofTeam.inFlight += 1;
    }
    this.#inFlightOfTeams.set(teamId, (this.#inFlightOfTeams.get(teamId) ?? 0) + 1);
    this.#options.start(delivery, queue);
  }

  /** One place at a time: to each waiting team in turn, and within a team to each waiting queue. */
  #admitWaiting(waiting: TeamRotation<EndpointQueue>): void {
    const now = this.#options.nowMs();
    for (const queue of waiting.rounds((one) => this.#hasPlace(one) && this.#hosts.hasPlace(one))) {
      if (this.#isStopped) return;
      const delivery = queue.next(now);
      if (delivery === undefined) continue;
      this.#start(delivery, queue, now);
      // Behind all others, for its next turn.
      waiting.add(queue);
      if (this.#inFlight >= this.#options.inFlightTotalMax) return;
    }
  }
}
