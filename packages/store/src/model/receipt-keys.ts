import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AppError } from '@pulsewire/kernel';

// Below this size, the deflated form is rarely smaller.
const deflateFromBytes = 160;
const plain = 0;
const deflated = 1;
// A batch has thousands of keys at most; the bound prevents damaged bytes from allocating unbounded memory.
const bytesMax = 16 * 1024 * 1024;

/** Sorted times (ms since the epoch, each once) encoded compactly: runs of equal steps, deflated where that helps. */
export function packKeys(times: readonly number[]): Buffer {
  const numbers: number[] = [];
  let at = 0;
  for (let i = 0; i < times.length;) {
    const step = (times[i] as number) - at;
    let run = 1;
    while (i + run < times.length && (times[i + run] as number) - (times[i + run - 1] as number) === step) run++;
    numbers.push(step, run);
    at = times[i + run - 1] as number;
    i += run;
  }
  const bytes = writeVarints(numbers);
  if (bytes.length < deflateFromBytes) return Buffer.concat([Buffer.of(plain), bytes]);
  return Buffer.concat([Buffer.of(deflated), deflateRawSync(bytes)]);
}

/** Decodes the times. Throws AppError `receipt_unreadable` when the bytes are damaged. */
export function unpackKeys(packed: Buffer): number[] {
  const body = packed.subarray(1);
  const numbers = readVarints(packed[0] === deflated ? inflateRawSync(body, { maxOutputLength: bytesMax }) : body);
  const times: number[] = [];
  let at = 0;
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    for (let run = numbers[i + 1] as number; run > 0; run--) times.push((at += numbers[i] as number));
  }
  return times;
}

// Steps can be negative (times before 1970), so the sign goes into the lowest bit.
function writeVarints(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number < 0 ? -2 * number - 1 : 2 * number;
    while (rest >= 128) {
      bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

function readVarints(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  let factor = 1;
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte < 128) {
      numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2);
      value = 0;
      factor = 1;
    }
  }
  if (factor !== 1) throw new AppError({ code: 'receipt_unreadable', kind: 'bug', message: 'A stored receipt is damaged' });
  return numbers;
}
