import type { ChildProcess } from 'node:child_process';

interface Closable {
  close(): void;
}

/** What `node:cluster` sends with a new connection, and the reply to it. */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Closes connections that were handed to a worker which died before it accepted them. Until a worker replies, `node:cluster` keeps the
 * connection open in the parent and forgets it when the worker ends, so its client would wait for ever; now it is told and can send again.
 */
export function closeUnaccepted(child: ChildProcess): void {
  const unaccepted = new Map<number, Closable>();
  const send = child.send.bind(child) as (message: ClusterMessage, handle?: Closable, ...rest: unknown[]) => boolean;
  const watched: typeof send = (message, handle, ...rest) => {
    if (handle !== undefined && message.act === 'newconn' && message.seq !== undefined) unaccepted.set(message.seq, handle);
    return send(message, handle, ...rest);
  };
  Object.assign(child, { send: watched });
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unaccepted.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of unaccepted.values()) handle.close();
    unaccepted.clear();
  });
}
