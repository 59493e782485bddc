import type { ProviderSend, PullSpec } from '@pulsewire/providers';
import type { Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../window/claim-window.ts';

/** One run of a claimed window, with the calls of its session. */
export interface WindowRun {
  readonly pullable: Pullable;
  readonly pull: PullSpec;
  readonly window: RunningWindow;
  readonly send: ProviderSend;
  readonly signal: AbortSignal;
}
