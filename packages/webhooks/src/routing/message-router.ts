import { renderDate, type TransformContext } from '@pulsewire/contract';
import { isErased, type LogEvent } from '@pulsewire/eventlog';
import { errorCode, type Clock, type Logger } from '@pulsewire/kernel';
import { buildMessages, createBodyContext, type BodyContext, type Message } from '../bodies/body.ts';
import { messageIdOf } from '../model/message-id.ts';
import { routeEvent, takesType, type Endpoint, type TeamRoutes } from './route.ts';

/** One message for one endpoint. */
export interface RoutedMessage {
  readonly endpoint: Endpoint;
  readonly message: Message;
}

export interface MessageRouterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly findProvider: TransformContext['findProvider'];
}

const nothing: readonly RoutedMessage[] = [];

/** Decides what is delivered for an event: to which endpoints, and with the bodies that the team's contract date requires. */
export class MessageRouter {
  readonly #options: MessageRouterOptions;
  readonly #bodies: BodyContext;

  constructor(options: MessageRouterOptions) {
    this.#options = options;
    this.#bodies = createBodyContext(options.findProvider);
  }

  /** The deliveries of an event; null when its body cannot be built. A body is built once, and only if an endpoint receives it. */
  route(event: LogEvent, team: TeamRoutes | undefined): readonly RoutedMessage[] | null {
    if (team === undefined) return nothing;
    const active = this.#deprecationsOf(team);
    const endpoints = routeEvent(team, event);
    // A deprecation may derive a subscribed type from one that is not, so all messages are built before filtering.
    if (active.length === 0 && endpoints.length === 0) return nothing;
    if (event.origin === 'historical' && !team.pushesHistoricalData) return nothing;
    // An event without data is not sent: under its old id a receiver would take the empty body for the data.
    if (isErased(event)) return nothing;
    const messages = this.#build(event, active);
    if (messages === null) return null;
    const [first] = messages;
    if (active.length === 0 && first !== undefined) return endpoints.map((endpoint) => ({ endpoint, message: first }));
    return messages.flatMap((message) =>
      team.endpoints.filter((endpoint) => takesType(endpoint, message.eventType)).map((endpoint) => ({ endpoint, message })),
    );
  }

  /** The endpoints of a message that cannot be built, with an empty body in its place. */
  routeUnreadable(event: LogEvent, team: TeamRoutes | undefined): readonly RoutedMessage[] {
    const { eventId, eventType } = event;
    const message = { eventId, eventType, messageId: messageIdOf(eventId), body: Buffer.alloc(0) };
    return routeEvent(team, event).map((endpoint) => ({ endpoint, message }));
  }

  /** Rebuilds one message of an event; undefined when it cannot be built or is no longer derived. */
  rebuild(event: LogEvent, team: TeamRoutes | undefined, eventId: string): Message | undefined {
    const active = team === undefined ? [] : this.#deprecationsOf(team);
    return this.#build(event, active)?.find((message) => message.eventId === eventId);
  }

  /** Whether this team's messages can differ from its events. */
  derives(team: TeamRoutes): boolean {
    return this.#deprecationsOf(team).length > 0;
  }

  /** All messages of an event for a team, regardless of filters; none when they cannot be built. */
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
      // A retry would fail again, and this event must not block the following ones.
      this.#options.logger.error({ eventId: event.eventId, errorCode: errorCode(error) }, 'message.build_failed');
      return null;
    }
  }
}
