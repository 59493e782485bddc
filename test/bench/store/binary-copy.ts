import type { Sample } from '@pulsewire/contract';

const epochMs = 946_684_800_000;
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** Samples as a binary COPY of (user_source_id, series, tz_offset, ts, version, value, end_ts), encoded before the clock starts. */
export function encodeBinaryCopy(userSourceId: number, series: number, samples: readonly Sample[]): Buffer {
  const rowBytes = 2 + 8 + 6 + 8 + 12 + 12 + 12 + 12;
  const buffer = Buffer.alloc(header.length + samples.length * rowBytes + 2);
  let at = header.copy(buffer, 0);
  const time = (ms: number) => {
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeBigInt64BE(BigInt(ms - epochMs) * 1000n, at);
  };
  for (const sample of samples) {
    at = buffer.writeInt16BE(7, at);
    at = buffer.writeInt32BE(4, at);
    at = buffer.writeInt32BE(userSourceId, at);
    at = buffer.writeInt32BE(2, at);
    at = buffer.writeInt16BE(series, at);
    at = buffer.writeInt32BE(4, at);
    at = buffer.writeInt32BE(sample.timezoneOffset ?? 0, at);
    time(sample.ts);
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeBigInt64BE(1n, at);
    at = buffer.writeInt32BE(8, at);
    at = buffer.writeDoubleBE(sample.value ?? 0, at);
    time(sample.end ?? sample.ts);
  }
  buffer.writeInt16BE(-1, at);
  return buffer;
}
