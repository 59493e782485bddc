export interface RequestCounterOptions {
  readonly onHead: (webhookId: string | undefined) => void;
  readonly readsWebhookId: boolean;
}

export interface Taken {
  /** Requests whose last byte was in this chunk. */
  readonly completed: number;
  /** A request that cannot be measured (chunked, or a head without end): the connection cannot be used any more. */
  readonly isUnreadable: boolean;
}

const headBytesMax = 65_536;
const headEnd = Buffer.from('\r\n\r\n');

/** Finds where requests begin and end in the bytes of one connection, by their `content-length`, without keeping bodies. */
export function createRequestCounter({ onHead, readsWebhookId }: RequestCounterOptions): { push(chunk: Buffer): Taken } {
  let head: Buffer = Buffer.alloc(0);
  let bodyBytesLeft = 0;
  let isInBody = false;

  return {
    push(chunk) {
      let completed = 0;
      let rest = chunk;
      for (;;) {
        if (isInBody) {
          const taken = Math.min(bodyBytesLeft, rest.length);
          bodyBytesLeft -= taken;
          rest = rest.subarray(taken);
          if (bodyBytesLeft > 0) return { completed, isUnreadable: false };
          isInBody = false;
          completed += 1;
        }
        if (rest.length === 0) return { completed, isUnreadable: false };
        const bytes = head.length === 0 ? rest : Buffer.concat([head, rest]);
        const end = bytes.indexOf(headEnd);
        if (end < 0) {
          head = bytes;
          return { completed, isUnreadable: bytes.length > headBytesMax };
        }
        const text = bytes.toString('latin1', 0, end);
        if (/\r\ntransfer-encoding:/i.test(text)) return { completed, isUnreadable: true };
        onHead(readsWebhookId ? /\r\nwebhook-id: *([^\r\n]+)/i.exec(text)?.[1] : undefined);
        bodyBytesLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
        isInBody = true;
        head = Buffer.alloc(0);
        rest = bytes.subarray(end + headEnd.length);
      }
    },
  };
}
