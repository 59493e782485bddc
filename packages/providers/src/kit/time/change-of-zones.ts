import { minuteMs } from '@pulsewire/kernel';
import { openZone, type Zone } from './zone.ts';

/** One zone for each rule by which clocks change and each offset; where several have the same offsets, the most populous is first. */
const zoneNames = [
  ['Europe/Berlin', 'Europe/London', 'Europe/Athens', 'Atlantic/Azores'],
  ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Halifax', 'America/Anchorage'],
  ['America/St_Johns', 'America/Adak', 'America/Santiago', 'America/Havana', 'America/Nuuk', 'Pacific/Easter'],
  ['Asia/Jerusalem', 'Asia/Beirut', 'Africa/Cairo', 'Africa/Casablanca'],
  ['Australia/Sydney', 'Australia/Adelaide', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham', 'Pacific/Norfolk'],
].flat();

interface Moment {
  readonly ms: number;
  /** Seconds. */
  readonly offset: number;
}

let opened: readonly Zone[] | undefined;

/** Opened once: that takes milliseconds. */
function zones(): readonly Zone[] {
  opened ??= zoneNames.flatMap((name) => openZone(name) ?? []);
  return opened;
}

/** The minute at which the clocks changed between two moments, by the first zone that had both offsets then; undefined if none had. */
export function changeOfZones(start: Moment, end: Moment): number | undefined {
  const zone = zones().find(({ offsetAt }) => offsetAt(start.ms) === start.offset && offsetAt(end.ms) === end.offset);
  if (!zone) return undefined;
  let [before, after] = [Math.floor(start.ms / minuteMs), Math.ceil(end.ms / minuteMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zone.offsetAt(middle * minuteMs) === start.offset) before = middle;
    else after = middle;
  }
  return after * minuteMs;
}
