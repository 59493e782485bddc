import { renderDate, type TransformContext } from '@pulsewire/contract';
import { isErased, type LogEvent } from '@pulsewire/eventlog';
import { errorCode, type Clock, type Logger } from '@pulsewire/kernel';
import { buildMessages, createBodyContext, type BodyContext, type Message } from '../bodies/body.ts';
import { messageIdOf } from '../model/message-id.ts';
import { routeEvent, takesType, type Endpoint, type TeamRoutes } from './route.ts';

/** One message for one endpoint. */
export interface Planned {
  readonly endpoint: Endpoint;
  readonly message: Message;
}

export interface PlannerOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly findProvider: TransformContext['findProvider'];
}

const nothing: readonly Planned[] = [];

/** Plans the deliveries of an event: its endpoints, and the bodies that the team's contract date requires. */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #bodies: BodyContext;

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#bodies = createBodyContext(options.findProvider);
  }

  /** The deliveries of an event. A body is built once, and only when somebody takes it; null: it cannot be built. */
  plan(event: LogEvent, team: TeamRoutes | undefined): readonly Planned[] | null {
    if (team === undefined) return nothing;
    const active = this.#deprecationsOf(team);
    const endpoints = routeEvent(team, event);
    // A deprecation may derive a type that somebody takes from one that nobody takes, so then everything is built first.
    if (active.length === 0 && endpoints.length === 0) return nothing;
    if (event.origin === 'historical' && !team.pushesHistoricalData) return nothing;
    // Without its data there is nothing to tell; under its old id a receiver would take the emptiness for the data.
    if (isErased(event)) return nothing;
    const messages = this.#build(event, active);
    if (messages === null) return null;
    const [first] = messages;
    if (active.length === 0 && first !== undefined) return endpoints.map((endpoint) => ({ endpoint, message: first }));
    return messages.flatMap((message) =>
      team.endpoints.filter((endpoint) => takesType(endpoint, message.eventType)).map((endpoint) => ({ endpoint, message })),
    );
  }

  /** Who would have got a message that cannot be built, with an empty body in its place. */
  planUnreadable(event: LogEvent, team: TeamRoutes | undefined): readonly Planned[] {
    const { eventId, eventType } = event;
    const message = { eventId, eventType, messageId: messageIdOf(eventId), body: Buffer.alloc(0) };
    return routeEvent(team, event).map((endpoint) => ({ endpoint, message }));
  }

  /** One message of an event again; undefined when it cannot be built, or is not derived any more. */
  rebuild(event: LogEvent, team: TeamRoutes | undefined, eventId: string): Message | undefined {
    const active = team === undefined ? [] : this.#deprecationsOf(team);
    return this.#build(event, active)?.find((message) => message.eventId === eventId);
  }

  /** Whether messages of this team may be others than its events. */
  derives(team: TeamRoutes): boolean {
    return this.#deprecationsOf(team).length > 0;
  }

  /** What a team would get of an event, whoever takes it; nothing when it cannot be built. */
  messagesOf(event: LogEvent, team: TeamRoutes): readonly Message[] {
    return isErased(event) ? [] : (this.#build(event, this.#deprecationsOf(team)) ?? []);
  }

  #deprecationsOf(team: TeamRoutes): ReturnType<BodyContext['deprecationsAt']> {
    return this.#bodies.deprecationsAt(team.contractDate ?? renderDate(this.#options.clock.now().getTime()));
  }

  #build(event: LogEvent, active: ReturnType<BodyContext['deprecationsAt']>): readonly Message[] | null {
    try {
      return buildMessages(event, active, this.#bodies);
    } catch (error) {
      // It will not be better next time, and must not stop what follows.
      this.#options.logger.error({ eventId: event.eventId, errorCode: errorCode(error) }, 'message.not_built');
      return null;
    }
  }
}
