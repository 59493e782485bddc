import type { Quarantined } from '@pulsewire/contract';
import { isCleanText } from '@pulsewire/kernel';
import { dayToMs } from '../time/days.ts';

/** Why a part of a response could not be parsed; a `Quarantined.reason`. */
export type UnreadableReason = 'missing_field' | 'bad_time' | 'bad_number' | 'bad_text' | 'unknown_shape';

const blankPattern = /^\s*(?:none|null|nan|n\/a)?\s*$/i;
const blankLengthMax = 16;
const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Thrown while parsing a response and caught by `readEach` or `readWhole`; never leaves a mapper. Has no value and no stack: a response
 * may contain a million bad items, and capturing the stack is most of the cost of an error.
 */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly reason: UnreadableReason;
  readonly pointer: string;

  constructor(reason: UnreadableReason, pointer: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super('Part of the response cannot be parsed.');
    Error.stackTraceLimit = stackTraceLimit;
    this.reason = reason;
    this.pointer = pointer;
  }
}

/** A node of untrusted JSON that knows its position, so that parse failures are reported with a JSON pointer. */
export class JsonNode {
  readonly value: unknown;
  readonly #parent: JsonNode | null;
  readonly #key: string | number;

  constructor(value: unknown, parent: JsonNode | null = null, key: string | number = '') {
    this.value = value;
    this.#parent = parent;
    this.#key = key;
  }

  /** JSON pointer (RFC 6901). Computed on demand, because most nodes parse without errors. */
  get pointer(): string {
    if (this.#parent === null) return '';
    return `${this.#parent.pointer}/${String(this.#key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }

  /** True when the key is absent or its value is null. */
  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** True for a missing value and for texts such as "" and "None": providers write what was not measured in many ways. */
  get isBlank(): boolean {
    return this.isMissing || (typeof this.value === 'string' && this.value.length <= blankLengthMax && blankPattern.test(this.value));
  }

  fail(reason: UnreadableReason): UnreadableError {
    return new UnreadableError(this.isMissing ? 'missing_field' : reason, this.pointer);
  }

  /** The value of a key; a missing node when this is not an object or has no such own key. */
  at(key: string): JsonNode {
    const isObject = typeof this.value === 'object' && this.value !== null && Object.hasOwn(this.value, key);
    return new JsonNode(isObject ? (this.value as Record<string, unknown>)[key] : undefined, this, key);
  }

  items(): JsonNode[] {
    if (!Array.isArray(this.value)) throw this.fail('unknown_shape');
    return this.value.map((item: unknown, index) => new JsonNode(item, this, index));
  }

  /** Items of a list that may be absent. */
  itemsOrNone(): JsonNode[] {
    return this.isBlank ? [] : this.items();
  }

  /** A finite number; providers send many as text. */
  number(): number {
    if (typeof this.value === 'number' && Number.isFinite(this.value)) return this.value;
    if (typeof this.value === 'string' && numberPattern.test(this.value) && Number.isFinite(Number(this.value))) return Number(this.value);
    throw this.fail('bad_number');
  }

  /** A number that cannot be below zero: counts, durations, distances, energy. */
  amount(): number {
    const value = this.number();
    if (value < 0) throw this.fail('bad_number');
    return value;
  }

  /** Text that can be stored unchanged. NULs and lone surrogates are rejected, because repairing them could make two texts equal. */
  text(): string {
    if (typeof this.value !== 'string') throw this.fail('unknown_shape');
    if (!isCleanText(this.value)) throw this.fail('bad_text');
    return this.value;
  }

  /** Human-readable text, such as a title. Some providers cut it in the middle of a character, so broken characters are replaced. */
  words(): string {
    if (typeof this.value !== 'string') throw this.fail('unknown_shape');
    return this.value.replaceAll('\0', '').toWellFormed();
  }

  /** An id, which may be text or a number. */
  id(): string {
    if (typeof this.value === 'string' && !this.isBlank) return this.text();
    if (typeof this.value === 'number' && Number.isSafeInteger(this.value)) return String(this.value);
    throw this.fail('unknown_shape');
  }

  /** A day, `YYYY-MM-DD`. */
  day(): string {
    const text = this.text();
    if (dayToMs(text) === undefined) throw this.fail('bad_time');
    return text;
  }

  /** Text read by one of the parsers of `time.ts`. */
  time<T>(parse: (text: string) => T | undefined): T {
    const time = parse(this.text());
    if (time === undefined) throw this.fail('bad_time');
    return time;
  }

  /** Applies `read` to this node; null when it is missing, or a blank text that `read` cannot use. */
  optional<T>(read: (node: JsonNode) => T): T | null {
    if (this.isMissing) return null;
    if (!this.isBlank) return read(this);
    try {
      return read(this);
    } catch (error) {
      if (error instanceof UnreadableError) return null;
      throw error;
    }
  }
}

/** Runs `read`; when it cannot parse the value, quarantines it under `resource` and returns undefined. */
export function readWhole<T>(resource: string, quarantined: Quarantined[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    quarantined.push({ resource, reason: error.reason, pointer: error.pointer });
    return undefined;
  }
}

/** Maximum number of quarantine entries per list; the last one stands for all further bad items. */
const failuresListed = 1000;

/**
 * Reads each of `items`, which come from `list`; bad items are quarantined and the others kept. `read` returns undefined to drop an item.
 */
export function readEachOf<I, T>(
  resource: string,
  list: JsonNode,
  items: readonly I[],
  quarantined: Quarantined[],
  read: (item: I, index: number) => T | undefined,
): T[] {
  const failures: Quarantined[] = [];
  const results: T[] = [];
  for (const [index, item] of items.entries()) {
    const result = readWhole(resource, failures, () => read(item, index));
    if (result !== undefined) results.push(result);
    if (failures.length > failuresListed) failures.pop();
    else if (failures.length === failuresListed) failures[failuresListed - 1] = { resource, reason: 'too_many', pointer: list.pointer };
  }
  quarantined.push(...failures);
  return results;
}

/** Reads each item of a list, as `readEachOf` does. */
export function readEach<T>(resource: string, list: JsonNode, quarantined: Quarantined[], read: (item: JsonNode) => T | undefined): T[] {
  const items = readWhole(resource, quarantined, () => list.items()) ?? [];
  return readEachOf(resource, list, items, quarantined, read);
}
