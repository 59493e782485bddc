import type { SimAccount } from '../kit/accounts/accounts.ts';
import { once } from '../kit/person/once.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { dayNumber } from '../model/calendar.ts';
import { olderSignalOf, signalOf } from './signals.ts';
import { ownPatient } from './patients.ts';

/** A recording: what a list shows of it, and its signal, which some lists leave out. */
export interface Recording {
  readonly id: string;
  readonly shown: Readonly<Record<string, unknown>>;
  signal(): Readonly<Record<string, unknown>>;
  /** The list has the signal as well. */
  readonly isComplete: boolean;
}

const secondsOfDay = { morning: 8 * 3600 + 30 * 60, evening: 20 * 3600 + 10 * 60 } as const;
const isoText = (text: string) => text.replace('.000', '');
const sixLeadDevice = { hardwareType: 'kardia_6l', hardwareRevision: 'X08', firmwareRevision: '1.3.4', serialNumber: '20042543K' };
const cardDevice = { hardwareType: 'kardia_card' };
const qtMeasurement = { qt: { Value: 354 }, rr: { Value: 666.667 }, qtcb: { Value: 434 }, qtcf: { Value: 405 } };

type Kind = (key: string, bpm: number) => Omit<Recording, 'id'>;
const whole = (shown: Recording['shown'], signal: Recording['signal']): Omit<Recording, 'id'> => ({ shown, signal, isComplete: true });

/** The morning's recordings, one after the other. */
const mornings: readonly Kind[] = [
  (key, bpm) => {
    const signal = () => ({ data: { raw: signalOf(`${key} raw`, bpm, 6, 6), enhanced: signalOf(key, bpm, 6, 6) } });
    const details = { duration: 6000, deviceInfo: sixLeadDevice, qtMeasurement, tags: [] };
    return whole({ algorithmDetermination: 'normal', heartRate: bpm, ...details }, signal);
  },
  // The signal is only in the response for the recording itself.
  (key, bpm) => ({
    shown: { algorithmDetermination: 'normal', heartRate: bpm, duration: 8000, note: 'After coffee', tags: ['coffee'] },
    signal: () => ({ data: { raw: signalOf(`${key} raw`, bpm, 8, 1), enhanced: signalOf(key, bpm, 8, 1) } }),
    isComplete: false,
  }),
  (key, bpm) => ({
    shown: { heartRate: bpm, duration: 5000 },
    signal: () => ({ data: olderSignalOf(key, bpm, 5) }),
    isComplete: false,
  }),
  (key, bpm) =>
    whole({ algorithmDetermination: 'afib', heartRate: bpm + 31, duration: 6000, deviceInfo: cardDevice }, () => ({
      data: { raw: signalOf(key, bpm + 31, 6, 1) },
    })),
  // Nothing could be recognised.
  (key, bpm) =>
    whole({ algorithmDetermination: 'unreadable', heartRate: 0, duration: 5000 }, () => ({ data: { raw: signalOf(key, bpm, 5, 1) } })),
  (key, bpm) => {
    const signal = () => ({ data: { raw: olderSignalOf(`${key} raw`, bpm, 5), enhanced: olderSignalOf(key, bpm, 5) } });
    return whole({ algorithmDetermination: 'bradycardia', heartRate: bpm, duration: 5000 }, signal);
  },
  (_key, bpm) =>
    whole({ algorithmDetermination: 'normal', heartRate: bpm, duration: 5000, deviceInfo: { hardwareType: 'kardia_12l' } }, () => ({
      data12L: { samples: { I: [1, 2, 3], V1: [4, 5, 6] } },
    })),
];

const evenings: readonly Kind[] = [
  (key, bpm) =>
    whole({ algorithmDetermination: 'tachycardia', heartRate: bpm + 52, duration: 5000, tags: [] }, () => ({
      data: { raw: signalOf(key, bpm + 52, 5, 1), enhanced: null },
    })),
  (key, bpm) =>
    whole({ algorithmDetermination: 'too_short', heartRate: bpm, duration: 4000 }, () => ({ data: { raw: signalOf(key, bpm, 4, 1) } })),
  // A class that the reference does not name.
  (key, bpm) => ({
    shown: { algorithmDetermination: 'sinus_with_wide_qrs', heartRate: bpm, duration: 5000 },
    signal: () => ({ data: { enhanced: signalOf(key, bpm, 5, 1) } }),
    isComplete: false,
  }),
  (_key, bpm) => whole({ algorithmDetermination: 'no_analysis', heartRate: bpm, duration: 5000 }, () => ({})),
];

/** One in the morning, except every eighth day, and one in the evening of every second. */
function recordingsOfDay(account: SimAccount, day: PersonDay): Recording[] {
  const { person } = account;
  const number = dayNumber(day.date);
  const { id: patientId } = ownPatient(account);
  const at = (kind: Kind | undefined, part: keyof typeof secondsOfDay): Recording[] => {
    const ms = person.zone.toInstant(day.date, secondsOfDay[part]);
    if (!kind || ms > person.syncedMs() || person.isRemoved(ms)) return [];
    const key = `${person.name} ${day.date} ${part}`;
    const id = uuidOf(`ecg ${key}`).replaceAll('-', '').slice(0, 25);
    const { shown, signal, isComplete } = kind(key, day.restingHr + 6);
    const recordedAt = isoText(person.zone.offsetText(ms));
    // Lists of the reference have signals, those that a client reads have none: here each of eight days in 32.
    const isListed = isComplete && Math.floor(number / 8) % 4 === 0;
    return [{ id, shown: { id, patientID: patientId, ...shown, recordedAt }, signal: once(signal), isComplete: isListed }];
  };
  return [...at(mornings[number % 8], 'morning'), ...(number % 2 === 0 ? at(evenings[(number / 2) % 4], 'evening') : [])];
}

// A day that changes is a new object.
const made = new WeakMap<PersonDay, readonly Recording[]>();

function knownRecordingsOfDay(account: SimAccount, day: PersonDay): readonly Recording[] {
  const known = made.get(day);
  if (known) return known;
  const recordings = recordingsOfDay(account, day);
  made.set(day, recordings);
  return recordings;
}

/** All recordings of the person, in no order that a client could use. */
export function recordingsOf(account: SimAccount): readonly Recording[] {
  const { person } = account;
  const found = person.days(person.firstDate, person.today()).flatMap((day) => knownRecordingsOfDay(account, day));
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** When the recordings were made that the device has sent since an instant. */
export function recordingTimesOf(account: SimAccount, afterMs: number): readonly number[] {
  const { person } = account;
  const { date } = person.zone.toLocal(afterMs);
  return person
    .days(date < person.firstDate ? person.firstDate : date, person.today())
    .flatMap((day) => knownRecordingsOfDay(account, day))
    .map(({ shown }) => Date.parse(String(shown['recordedAt'])))
    .filter((ms) => ms > afterMs);
}
