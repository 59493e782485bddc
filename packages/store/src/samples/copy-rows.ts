import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Tx } from '@pulsewire/database';
import { extraText, type Row } from './columns.ts';

const postgresEpochMs = 946_684_800_000;
const header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const chunkBytes = 256 * 1024;
// Fixed part of the widest row without `extra`: every field with its length word.
const rowBytesMax = 128;

/** Inserts rows that cannot conflict with existing ones, by binary COPY: no conflict handling, several rows per WAL record. */
export async function copyRows(tx: Tx, rows: readonly Row[], version: bigint): Promise<void> {
  const hasValue2 = rows.some((row) => row.entry.sample.value2 !== undefined);
  const hasContext = rows.some((row) => row.contextId !== null);
  const hasExtra = rows.some((row) => row.entry.sample.extra !== undefined);
  const hasOrigin = rows.some((row) => row.origin !== null);
  const columns = ['user_source_id', 'series', 'tz_offset', 'ts', 'version', 'value', 'end_ts'];
  if (hasValue2) columns.push('value2');
  if (hasContext) columns.push('context_id');
  if (hasExtra) columns.push('extra');
  if (hasOrigin) columns.push('tz_origin');
  const writer = new RowWriter(columns.length, version);
  writer.bytes(header);
  for (const row of rows) {
    const { sample } = row.entry;
    const extra = hasExtra ? extraText(row) : null;
    writer.startRow(rowBytesMax + (extra === null ? 0 : Buffer.byteLength(extra)));
    writer.int4(row.batch.userSourceId);
    writer.int2(row.batch.series);
    writer.int4(sample.timezoneOffset);
    writer.time(sample.ts);
    writer.version();
    writer.float8(sample.value);
    writer.time(sample.end);
    if (hasValue2) writer.float8(sample.value2);
    if (hasContext) writer.int4(row.contextId);
    if (hasExtra) writer.jsonb(extra);
    if (hasOrigin) writer.int2(row.origin);
  }
  // Encoded before COPY begins: a throw in the middle would leave the connection in COPY, holding the series' lock.
  await send(tx, `COPY samples (${columns.join(', ')}) FROM STDIN (FORMAT binary)`, writer.finish());
}

async function send({ sql }: Tx, statement: string, chunks: readonly Buffer[]): Promise<void> {
  const stream = await sql.unsafe(statement).writable();
  const ended = finished(stream, { readable: false });
  // Attached immediately: the stream can fail while we wait for it to drain.
  ended.catch(() => {});
  for (const chunk of chunks) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), ended]);
  }
  stream.end();
  await ended;
}

/** Rows in the binary COPY format, gathered into chunks. */
class RowWriter {
  readonly #fields: number;
  readonly #version: bigint;
  readonly #full: Buffer[] = [];
  #buffer = Buffer.allocUnsafe(chunkBytes);
  #at = 0;

  constructor(fields: number, version: bigint) {
    this.#fields = fields;
    this.#version = version;
  }

  /** Starts a row of at most this many bytes. */
  startRow(bytesMax: number): void {
    if (this.#at + bytesMax > this.#buffer.length) {
      this.#full.push(this.#buffer.subarray(0, this.#at));
      this.#buffer = Buffer.allocUnsafe(Math.max(chunkBytes, bytesMax));
      this.#at = 0;
    }
    this.#at = this.#buffer.writeInt16BE(this.#fields, this.#at);
  }

  /** All rows, in chunks. */
  finish(): readonly Buffer[] {
    return [...this.#full, this.#buffer.subarray(0, this.#at), Buffer.of(0xff, 0xff)];
  }

  bytes(value: Buffer): void {
    this.#at += value.copy(this.#buffer, this.#at);
  }

  int2(value: number | null): void {
    if (value === null) return this.#length(-1);
    this.#length(2);
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int4(value: number | null): void {
    if (value === null) return this.#length(-1);
    this.#length(4);
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  version(): void {
    this.#length(8);
    this.#at = this.#buffer.writeBigInt64BE(this.#version, this.#at);
  }

  float8(value: number | null | undefined): void {
    if (value === null || value === undefined) return this.#length(-1);
    this.#length(8);
    this.#at = this.#buffer.writeDoubleBE(value, this.#at);
  }

  /** Milliseconds since 1970 as the microseconds since 2000 that Postgres counts; split in halves, since BigInt is slow. */
  time(ms: number | undefined): void {
    if (ms === undefined) return this.#length(-1);
    const micros = (ms - postgresEpochMs) * 1000;
    const high = Math.floor(micros / 4_294_967_296);
    this.#length(8);
    this.#at = this.#buffer.writeInt32BE(high, this.#at);
    this.#at = this.#buffer.writeUInt32BE(micros - high * 4_294_967_296, this.#at);
  }

  jsonb(text: string | null): void {
    if (text === null) return this.#length(-1);
    const size = Buffer.byteLength(text);
    this.#length(size + 1);
    this.#buffer[this.#at++] = 1;
    this.#at += this.#buffer.write(text, this.#at);
  }

  #length(bytes: number): void {
    this.#at = this.#buffer.writeInt32BE(bytes, this.#at);
  }
}
