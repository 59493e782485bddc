import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { AppError } from '@pulsewire/kernel';

/** Malformed JSON, or none that is read, from this byte on. */
export class JsonBroken extends Error {
  readonly position: number;

  constructor(position: number, message = 'Malformed JSON') {
    super(message);
    this.position = position;
  }
}

export interface BodyParts {
  /** Whether the whole is an object at all. */
  readonly isObject: boolean;
  /** Keys beside the list, as far as they were read. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly list: 'absent' | 'list' | 'other';
}

interface BodyReader {
  /** Throws `JsonBroken`, or AppError `body_too_large`. */
  write(chunk: Uint8Array): void;
  /** To be called after the last chunk. Throws `JsonBroken`. */
  end(): void;
  readonly parts: BodyParts;
}

/** What may stand between the ends of two items: an item, with its spaces. Nothing else of the body is kept. */
const itemBytesMax = 256 * 1024;
const stringBufferBytes = 4096;
/** A recipe's scopes are at level four. The parser compares the path of every value, so its work grows with the depth. */
export const depthMax = 32;

/**
 * Reads an object with one long list piece by piece: `onItem` gets each item of the list when it is complete, and nothing is kept of it.
 * A list that comes twice is refused, for nobody could say which of the two is meant.
 */
export function createBodyReader(options: {
  readonly listKey: string;
  readonly fieldKeys: readonly string[];
  readonly onItem: (item: unknown, index: number) => void;
}): BodyReader {
  const { listKey, fieldKeys, onItem } = options;
  const fields = new Map<string, unknown>();
  const state = { isObject: false, list: 'absent' as BodyParts['list'], depth: 0, lastText: '', awaited: null as string | null };
  let position = 0;
  let progressAt = 0;

  const tokenizer = new Tokenizer({ stringBufferSize: stringBufferBytes });
  const parser = new TokenParser({ paths: [...fieldKeys, `${listKey}.*`].map((key) => `$.${key}`), keepStack: false });

  // The parser tells of complete values only; what kind of value the list is must be known even when it is empty.
  function watch(token: TokenType, value: unknown): void {
    if (state.depth === 0) state.isObject = token === TokenType.LEFT_BRACE;
    if (state.awaited !== null && token !== TokenType.COLON) {
      if (state.awaited === listKey) {
        if (state.list !== 'absent') throw new JsonBroken(position);
        state.list = token === TokenType.LEFT_BRACKET ? 'list' : 'other';
      }
      state.awaited = null;
    } else if (state.depth === 1 && state.isObject) {
      if (token === TokenType.STRING) state.lastText = String(value);
      if (token === TokenType.COLON) state.awaited = state.lastText;
    }
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) {
      state.depth += 1;
      if (state.depth > depthMax) throw new JsonBroken(position, `Must not be nested deeper than ${depthMax} levels`);
    }
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) state.depth -= 1;
  }

  tokenizer.onToken = (token) => {
    position = token.offset;
    watch(token.token, token.value);
    parser.write(token);
  };
  parser.onValue = ({ value, key, stack }) => {
    progressAt = position;
    if (stack.length === 1) fields.set(String(key), value);
    else if (state.list === 'list' && typeof key === 'number') onItem(value, key);
  };
  parser.onEnd = () => {};
  let written = 0;

  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      throw error instanceof JsonBroken ? error : new JsonBroken(position);
    }
  };
  return {
    write(chunk) {
      written += chunk.length;
      guarded(() => tokenizer.write(chunk));
      if (written - progressAt > itemBytesMax + chunk.length)
        throw new AppError({ code: 'body_too_large', kind: 'invalid', message: 'One item of the body is too large' });
    },
    end() {
      guarded(() => {
        if (!tokenizer.isEnded) tokenizer.end();
        if (!parser.isEnded) throw new JsonBroken(position);
      });
    },
    get parts() {
      return { isObject: state.isObject, fields, list: state.list };
    },
  };
}
