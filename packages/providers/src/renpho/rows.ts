import type { OffsetOrigin, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { leaveOut } from '../kit/records/left-out.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

/** When a row was measured. */
export interface RowTime {
  readonly ms: number;
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  /** The local day. */
  readonly day: string;
}

const offsetPattern = /^(?:GMT|UTC)?([+-]?)(\d{1,2}):(\d{2})$/;
/** A larger epoch is in milliseconds. */
const secondsMax = 1e12;

export function timeOf(row: JsonNode, context: RecordMaker): RowTime {
  const epoch = row.at('timeStamp').amount();
  const ms = Math.round(epoch > secondsMax ? epoch : epoch * 1000);
  if (ms > 8.64e15) throw row.at('timeStamp').fail('bad_time');
  const stated = row.at('timeZone').value;
  const match = typeof stated === 'string' ? offsetPattern.exec(stated.trim()) : null;
  if (match) {
    const offset = (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
    return { ms, offset, offsetFrom: 'value', day: msToDay(ms + offset * 1000) };
  }
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}

/** null for zero and the empty string, which mean that it was not measured; a number may be a string. */
export function measured(node: JsonNode): number | null {
  return node.optional((given) => given.amount()) || null;
}

/**
 * The rows with a number of the account: that of the sign-in, or the one that the lists were requested with. On a shared scale they hold
 * other people's rows too, which are counted. A list of which no row is the account's is reported.
 */
export function ownRows(
  resource: string,
  list: JsonNode,
  rows: readonly JsonNode[],
  { numbers, window }: { readonly numbers: readonly string[]; readonly window: PullWindow },
  quarantined: Quarantined[],
): JsonNode[] {
  const own = rows.filter((row) => {
    const owners = ['bUserId', 'subUserId'].flatMap((key) => {
      const { value } = row.at(key);
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    });
    return owners.length === 0 || owners.some((owner) => numbers.includes(owner));
  });
  leaveOut(window, 'other_person', rows.length - own.length);
  if (rows.length > 0 && own.length === 0) quarantined.push({ resource, reason: 'other_person', pointer: list.pointer });
  return own;
}
