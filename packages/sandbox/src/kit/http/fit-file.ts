import type { Workout } from '../person/types.ts';
import type { Zone } from '../../model/zone.ts';

/** Base types of the FIT protocol: their code, size and the value that means "not measured". */
const baseTypes = {
  enum: { code: 0x00, size: 1, invalid: 0xff },
  sint8: { code: 0x01, size: 1, invalid: 0x7f },
  uint8: { code: 0x02, size: 1, invalid: 0xff },
  uint16: { code: 0x84, size: 2, invalid: 0xffff },
  sint32: { code: 0x85, size: 4, invalid: 0x7fffffff },
  uint32: { code: 0x86, size: 4, invalid: 0xffffffff },
} as const;

interface Field {
  readonly number: number;
  readonly type: keyof typeof baseTypes;
  readonly value: number | null;
}

const epochSeconds = 631_065_600;
const seconds = (ms: number): number => Math.round(ms / 1000) - epochSeconds;
const semicircles = (degrees: number): number => Math.round((degrees * 2 ** 31) / 180);
const sportCodes = { running: 1, cycling: 2, walking: 11 } as const;
const messages = { file_id: 0, session: 18, record: 20, activity: 34 } as const;

const field = (number: number, type: Field['type'], value: number | null): Field => ({ number, type, value });

function crcOf(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ 0xa001;
  }
  return crc;
}

function definitionOf(local: number, message: number, fields: readonly Field[]): Buffer {
  const head = [0x40 | local, 0, 0, message & 0xff, message >>> 8, fields.length];
  return Buffer.from([...head, ...fields.flatMap(({ number, type }) => [number, baseTypes[type].size, baseTypes[type].code])]);
}

function dataOf(local: number, fields: readonly Field[]): Buffer {
  const values = fields.map(({ type, value }) => {
    const { size, invalid } = baseTypes[type];
    const bytes = Buffer.alloc(size);
    const wanted = Math.round(value ?? invalid);
    if (type.startsWith('s')) bytes.writeIntLE(wanted, 0, size);
    else bytes.writeUIntLE(wanted, 0, size);
    return bytes;
  });
  return Buffer.concat([Buffer.from([local]), ...values]);
}

/**
 * The FIT file of a workout: one record for every point of its track, a session and an activity with the local time. The strap
 * sometimes drops out.
 */
export function fitFileOf(workout: Workout, zone: Zone, manufacturer: number): Buffer {
  const { startMs, endMs, track, sport } = workout;
  const end = seconds(endMs);
  const fileId = [field(0, 'enum', 4), field(1, 'uint16', manufacturer), field(4, 'uint32', seconds(startMs))];
  const records = track.map((point, index): readonly Field[] => [
    field(253, 'uint32', seconds(point.ms)),
    field(0, 'sint32', semicircles(point.lat)),
    field(1, 'sint32', semicircles(point.lng)),
    field(2, 'uint16', (point.altitudeM + 500) * 5),
    field(3, 'uint8', index % 23 === 7 ? null : point.bpm),
    field(4, 'uint8', point.cadence),
    field(5, 'uint32', point.distanceM * 100),
    field(6, 'uint16', point.speedMs * 1000),
    field(7, 'uint16', sport === 'cycling' ? point.watts : null),
    field(13, 'sint8', 19),
  ]);
  const session = [
    field(253, 'uint32', end),
    field(2, 'uint32', seconds(startMs)),
    field(5, 'enum', sportCodes[sport]),
    field(7, 'uint32', endMs - startMs),
    field(8, 'uint32', workout.movingSeconds * 1000),
    field(9, 'uint32', workout.distanceM * 100),
    field(11, 'uint16', workout.kcal),
    field(14, 'uint16', (workout.distanceM / workout.movingSeconds) * 1000),
    field(16, 'uint8', workout.hrAverage),
    field(17, 'uint8', workout.hrMax),
    field(22, 'uint16', workout.elevationM),
  ];
  const activity = [
    field(253, 'uint32', end),
    field(0, 'uint32', workout.movingSeconds * 1000),
    field(1, 'uint16', 1),
    field(5, 'uint32', end + zone.offsetMinutes(endMs) * 60),
  ];
  const [firstRecord = []] = records;
  const data = Buffer.concat([
    definitionOf(0, messages.file_id, fileId),
    dataOf(0, fileId),
    definitionOf(1, messages.record, firstRecord),
    ...records.map((record) => dataOf(1, record)),
    definitionOf(2, messages.session, session),
    dataOf(2, session),
    definitionOf(3, messages.activity, activity),
    dataOf(3, activity),
  ]);
  const header = Buffer.alloc(14);
  header.set([14, 0x10], 0);
  header.writeUInt16LE(2132, 2);
  header.writeUInt32LE(data.length, 4);
  header.write('.FIT', 8, 'latin1');
  header.writeUInt16LE(crcOf(header.subarray(0, 12)), 12);
  const content = Buffer.concat([header, data]);
  const crc = Buffer.alloc(2);
  crc.writeUInt16LE(crcOf(content), 0);
  return Buffer.concat([content, crc]);
}
