/** A value of an object that is read piece by piece: an item of one of its lists, or another value. */
export interface ScannedValue {
  readonly key: string;
  readonly isItem: boolean;
  /** Its JSON, not parsed; null: it was longer than allowed and was not buffered. */
  readonly text: Buffer | null;
}

/** The text is not JSON, or not an object. */
export class NoObjectError extends Error {
  override readonly name = 'NoObjectError';
}

type Phase = 'root' | 'key' | 'in key' | 'colon' | 'value' | 'in value' | 'item' | 'in item' | 'ended';

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Splits the text of an object into the values of its keys, and lists among them into their items, as it arrives. Each byte is read once
 * and values are not parsed, so it takes a third of the time of a streaming parser, and buffers one value at a time. Errors inside a value
 * are left to the caller that parses it. `write` returns the completed values; both throw `NoObjectError`.
 */
export function createListScanner(valueBytesMax: number) {
  let phase: Phase = 'root';
  let key = '';
  let [isInText, isEscaped, depth] = [false, false, 0];
  let held: Buffer[] = [];
  let heldBytes = 0;
  let isTooLong = false;

  function hold(bytes: Buffer): void {
    heldBytes += bytes.length;
    if (heldBytes > valueBytesMax) [held, isTooLong] = [[], true];
    else held.push(bytes);
  }
  function release(): Buffer | null {
    const text = isTooLong ? null : Buffer.concat(held);
    [held, heldBytes, isTooLong] = [[], 0, false];
    return text;
  }
  function readKey(): string {
    try {
      return JSON.parse(release()?.toString('utf8') ?? '') as string;
    } catch {
      throw new NoObjectError('A key is not JSON');
    }
  }
  /** Handles a byte between values. True: a value begins with it. */
  function between(byte: number): boolean {
    if (isSpace(byte)) return false;
    if (phase === 'root' && byte === openBrace) phase = 'key';
    else if (phase === 'key' && byte === closeBrace) phase = 'ended';
    else if (phase === 'key' && byte === quote) phase = 'in key';
    else if (phase === 'colon' && byte === colon) phase = 'value';
    else if (phase === 'value' && byte === openBracket) phase = 'item';
    else if (phase === 'value') phase = 'in value';
    else if (phase === 'item' && byte === closeBracket) phase = 'key';
    else if (phase === 'item' && byte !== comma) phase = 'in item';
    else if (byte !== comma || (phase !== 'key' && phase !== 'item')) throw new NoObjectError('Not an object of values');
    return phase.startsWith('in ');
  }
  /** Handles a byte of a value. True: the value ended before it. */
  function within(byte: number): boolean {
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return true;
      depth -= 1;
    } else if (byte === comma) return depth === 0;
    return false;
  }
  function after(closing: number): void {
    if (phase === 'in item' && closing !== closeBrace) phase = closing === comma ? 'item' : 'key';
    else if (phase === 'in value' && closing !== closeBracket) phase = closing === comma ? 'key' : 'ended';
    else throw new NoObjectError('A list or an object is not closed');
  }

  return {
    write(chunk: Buffer): readonly ScannedValue[] {
      const done: ScannedValue[] = [];
      let start = phase.startsWith('in ') ? 0 : -1;
      for (let place = 0; place < chunk.length; place++) {
        const byte = chunk[place] ?? 0;
        if (isInText) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) {
            isInText = false;
            if (phase !== 'in key') continue;
            hold(chunk.subarray(start, place + 1));
            [key, phase, start] = [readKey(), 'colon', -1];
          }
          continue;
        }
        if (start === -1) {
          if (!between(byte)) continue;
          start = place;
        }
        if (byte === quote) isInText = true;
        else if (within(byte)) {
          hold(chunk.subarray(start, place));
          done.push({ key, isItem: phase === 'in item', text: release() });
          after(byte);
          start = -1;
        }
      }
      if (start !== -1) hold(chunk.subarray(start));
      return done;
    },
    end(): void {
      if (phase !== 'ended') throw new NoObjectError('The text broke off');
    },
  };
}
