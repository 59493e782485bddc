import type { Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { localTime, readEachIn, readMillis, type LocalTime } from '../read-point.ts';

/** A workout, a night or a meditation as an app described it. */
export interface Session {
  readonly id: string;
  readonly code: number;
  readonly title: string | null;
  readonly start: LocalTime;
  readonly end: LocalTime;
  /** Seconds without pauses. */
  readonly activeSeconds: number | null;
  /** Package name of the app that wrote it. */
  readonly appId: string | null;
  readonly item: JsonNode;
}

function readSession(session: JsonNode, context: RecordMaker): Session {
  const start = localTime(readMillis(session.at('startTimeMillis')), context);
  const end = localTime(readMillis(session.at('endTimeMillis')), context);
  if (end.ms < start.ms) throw session.at('endTimeMillis').fail('bad_time');
  const { value: appId } = session.at('application').at('packageName');
  const title = session.at('name').optional((node) => node.words());
  return {
    id: session.at('id').id(),
    code: session.at('activityType').number(),
    title: title === '' ? null : title,
    start,
    end,
    activeSeconds: session.at('activeTimeMillis').optional((node) => Math.round(node.amount() / 1000)),
    appId: typeof appId === 'string' && appId !== '' ? appId : null,
    item: session,
  };
}

/** The sessions of a list. */
export function readSessionList(resource: string, body: unknown, context: RecordMaker, quarantined: Quarantined[]): Session[] {
  return readEachIn(resource, body, 'session', quarantined, (session) => readSession(session, context));
}
