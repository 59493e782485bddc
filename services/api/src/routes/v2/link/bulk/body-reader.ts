import { AppError, createJsonScanner, JsonScanError } from '@pulsewire/kernel';

/** Malformed or unsupported JSON, from this byte on. */
export class BrokenJsonError extends Error {
  readonly position: number;

  constructor(position: number, message = 'Malformed JSON') {
    super(message);
    this.position = position;
  }
}

export interface BodyParts {
  /** Whether the whole body is an object. */
  readonly isObject: boolean;
  /** The other keys of the body, as far as they were read. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly list: 'absent' | 'list' | 'other';
}

interface BodyReader {
  /** Throws `BrokenJsonError`, or AppError `body_too_large`. */
  write(chunk: Uint8Array): void;
  /** To be called after the last chunk. Throws `BrokenJsonError`. */
  end(): void;
  readonly parts: BodyParts;
}

/** The maximum size of an item with its whitespace, and of the text between two items. Nothing else of the body is kept. */
const itemBytesMax = 256 * 1024;
/** A recipe's scopes are at level four. */
const depthMax = 32;

/**
 * Streams an object with one long list: `onItem` gets each complete item of the list, and items are not kept.
 * A repeated list is refused, because either one could be intended.
 */
export function createBodyReader(options: {
  readonly listKey: string;
  readonly fieldKeys: readonly string[];
  readonly onItem: (item: unknown, index: number) => void;
}): BodyReader {
  const { listKey, fieldKeys, onItem } = options;
  const fields = new Map<string, unknown>();
  const state = { isObject: true, list: 'absent' as BodyParts['list'], items: 0, written: 0, progressAt: 0 };

  function beginList(list: BodyParts['list']): void {
    if (state.list !== 'absent') throw new BrokenJsonError(state.progressAt);
    state.list = list;
  }
  const scanner = createJsonScanner({
    valueBytesMax: itemBytesMax,
    depthMax,
    onList(key) {
      if (key === listKey) beginList('list');
      else if (fieldKeys.includes(key)) fields.set(key, []);
    },
  });

  function tooLarge(): AppError {
    return new AppError({ code: 'body_too_large', kind: 'invalid', message: `An item of the body exceeds ${itemBytesMax} bytes` });
  }
  function parse(text: Buffer | null, position: number): unknown {
    if (text === null) throw tooLarge();
    try {
      return JSON.parse(text.toString('utf8')) as unknown;
    } catch {
      throw new BrokenJsonError(position);
    }
  }
  function guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof JsonScanError)) throw error;
      if (error.reason !== 'not_object') throw new BrokenJsonError(error.position, error.reason === 'too_deep' ? error.message : undefined);
      state.isObject = false;
      return undefined;
    }
  }
  return {
    write(chunk) {
      // The rest cannot turn it into an object.
      if (!state.isObject) return;
      state.written += chunk.length;
      for (const { key, isItem, text, position } of guarded(() => scanner.write(Buffer.from(chunk))) ?? []) {
        const value = parse(text, position);
        if (key === listKey && !isItem) beginList('other');
        else if (key === listKey) onItem(value, state.items++);
        else if (!fieldKeys.includes(key)) continue;
        else if (!isItem) fields.set(key, value);
        state.progressAt = position;
      }
      if (state.isObject && state.written - state.progressAt > itemBytesMax + chunk.length) throw tooLarge();
    },
    end() {
      if (state.isObject) guarded(() => scanner.end());
    },
    get parts() {
      return { isObject: state.isObject, fields, list: state.list };
    },
  };
}
