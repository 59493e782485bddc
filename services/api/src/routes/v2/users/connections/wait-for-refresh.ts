import { sleep } from '@pulsewire/kernel';
import type { RefreshState, RefreshWindow } from '@pulsewire/ingest';
import type { RefreshPorts } from '../../../../context/ingest-ports.ts';

const pollMs = 200;

/** Waits until no window is in progress, or the signal aborts; returns the state of each window. */
export async function waitForRefresh(
  refresh: Pick<RefreshPorts, 'read'>,
  windows: readonly RefreshWindow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RefreshState>> {
  const ids = windows.map(({ windowId }) => windowId);
  if (ids.length === 0) return new Map();
  for (;;) {
    const states = await refresh.read(ids);
    if (signal.aborted || ![...states.values()].includes('in_progress')) return states;
    await sleep(pollMs, signal);
  }
}
