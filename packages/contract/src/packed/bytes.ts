import { AppError } from '@pulsewire/kernel';

function unreadable(reason: string): AppError {
  return new AppError({
    code: 'packed_samples_unreadable',
    kind: 'bug',
    message: 'Packed values cannot be read.',
    details: { reason },
  });
}

/** A buffer that grows while it is written. */
export class ByteWriter {
  #buffer: Buffer;
  #used = 0;

  constructor(bytesExpected: number) {
    this.#buffer = Buffer.allocUnsafe(Math.max(64, bytesExpected));
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#used + count));
    this.#buffer.copy(larger, 0, 0, this.#used);
    this.#buffer = larger;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#used++] = value;
  }

  /** A whole number from 0 to 2^53 - 1 in seven-bit groups, low group first. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#used++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#used++] = rest;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#used = this.#buffer.writeDoubleLE(value, this.#used);
  }

  float(value: number): void {
    this.#reserve(4);
    this.#used = this.#buffer.writeFloatLE(value, this.#used);
  }

  /** Bytes with a length prefix. */
  bytes(value: Buffer): void {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#used += value.copy(this.#buffer, this.#used);
  }

  /** UTF-8 with a length prefix. */
  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.varint(length);
    this.#reserve(length);
    this.#used += this.#buffer.write(value, this.#used);
  }

  /** A copy of the written bytes. */
  finish(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#used));
  }
}

/** Reads what `ByteWriter` wrote. Never reads past the end: throws AppError `packed_samples_unreadable` instead. */
export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  byte(): number {
    const value = this.#buffer[this.#at++];
    if (value === undefined) throw unreadable('cut_short');
    return value;
  }

  varint(): number {
    let value = 0;
    let weight = 1;
    // 2^53 takes eight groups.
    for (let group = 0; group < 8; group++) {
      const byte = this.byte();
      value += (byte & 127) * weight;
      if (byte < 128) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      weight *= 128;
    }
    throw unreadable('number_too_large');
  }

  double(): number {
    if (this.#at + 8 > this.#buffer.length) throw unreadable('cut_short');
    this.#at += 8;
    return this.#buffer.readDoubleLE(this.#at - 8);
  }

  float(): number {
    if (this.#at + 4 > this.#buffer.length) throw unreadable('cut_short');
    this.#at += 4;
    return this.#buffer.readFloatLE(this.#at - 4);
  }

  /** Bytes with a length prefix; they share the memory of the buffer. */
  bytes(): Buffer {
    const length = this.varint();
    if (length > this.#buffer.length - this.#at) throw unreadable('cut_short');
    this.#at += length;
    return this.#buffer.subarray(this.#at - length, this.#at);
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  /** A JSON text. */
  json(): unknown {
    const text = this.text();
    try {
      return JSON.parse(text);
    } catch {
      // The parser's message quotes the text, which may hold health values.
      throw unreadable('bad_json');
    }
  }

  /** Throws unless all bytes were read. */
  end(): void {
    if (this.#at !== this.#buffer.length) throw unreadable('too_long');
  }

  /** The error for readable but invalid bytes. */
  fail(reason: string): AppError {
    return unreadable(reason);
  }
}
