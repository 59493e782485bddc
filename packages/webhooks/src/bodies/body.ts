import {
  activeDeprecations,
  applyDeprecations,
  buildEnvelopeJson,
  expandSamples,
  type Deprecation,
  type TransformContext,
  findResource,
} from '@pulsewire/contract';
import type { LogEvent } from '@pulsewire/eventlog';
import { messageIdOf } from '../model/message-id.ts';

/** A message as it is sent: built once, sent to every endpoint that receives it. */
export interface Message {
  /** The type of the event in the log, or one derived from it by a deprecation. */
  readonly eventId: string;
  readonly eventType: string;
  /** The `webhook-id`: the same on every attempt. */
  readonly messageId: string;
  readonly body: Buffer;
}

export interface BodyContext extends TransformContext {
  /** Deprecations that a team with this contract date still gets. */
  deprecationsAt(contractDate: string): readonly Deprecation[];
}

/** Caches deprecations by date, because nearly all teams share one date. */
export function createBodyContext(findProvider: TransformContext['findProvider']): BodyContext {
  const byDate = new Map<string, readonly Deprecation[]>();
  return {
    findProvider,
    deprecationsAt(contractDate) {
      let active = byDate.get(contractDate);
      if (active === undefined) {
        // Bounds the cache: few dates are in use, but any date is possible.
        if (byDate.size > 100) byDate.clear();
        active = activeDeprecations(contractDate).filter(({ transform }) => transform !== null);
        byDate.set(contractDate, active);
      }
      return active;
    },
  };
}

function dataJsonOf(event: LogEvent): string {
  return event.body.kind === 'json' ? event.body.json : expandSamples(event.body.packed);
}

function toMessage(event: LogEvent, eventId: string, eventType: string, dataJson: string): Message {
  const { teamId, userId, clientUserId } = event;
  const json = buildEnvelopeJson({ eventType, dataJson, teamId, userId, clientUserId });
  return { eventId, eventType, messageId: messageIdOf(eventId), body: Buffer.from(json) };
}

/**
 * The messages of an event: the event itself, and those that deprecations derive from it. Without deprecations the stored text of `data` is
 * wrapped and not parsed. Throws AppError `packed_samples_unreadable` when the stored bytes are damaged.
 */
export function buildMessages(event: LogEvent, active: readonly Deprecation[], context: TransformContext): readonly Message[] {
  const dataJson = dataJsonOf(event);
  if (active.length === 0) return [toMessage(event, event.eventId, event.eventType, dataJson)];
  const data = JSON.parse(dataJson) as Record<string, unknown>;
  const outgoing = applyDeprecations({ eventId: event.eventId, eventType: event.eventType, data }, active, context);
  return outgoing.map((one) => toMessage(event, one.eventId, one.eventType, JSON.stringify(one.data)));
}

const summaryType = /^daily\.data\.([a-z_]+)\.(?:created|updated)$/;

/**
 * The identity of a summary: resource and id. Only its newest version counts. Null for everything else, such as samples, which
 * never replace each other.
 */
export function objectKeyOf({ eventType, body }: Message): string | null {
  const resource = summaryType.exec(eventType)?.[1];
  if (resource === undefined || findResource(resource)?.kind !== 'summary') return null;
  const { data } = JSON.parse(body.toString()) as { data?: { id?: unknown } };
  return typeof data?.id === 'string' ? `${resource}:${data.id}` : null;
}
