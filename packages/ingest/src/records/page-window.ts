import type { RunningWindow } from '../window/claim-window.ts';

/** The window that a page is written for. */
export type PageWindow = Pick<RunningWindow, 'windowId' | 'lane' | 'traceId'>;
