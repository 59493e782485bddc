import { expect, test } from 'vitest';
import type { ProviderSend } from '@pulsewire/providers';
import { defaultSettings } from '../context/context.ts';
import type { Pullable } from '../context/pullable.ts';
import type { Budgets, Permit } from '../quota/budgets.ts';
import { createLongWaitSlots } from '../quota/long-wait-slots.ts';
import { openProviderCalls } from './provider-calls.ts';
import { readSpent } from '../quota/quota-spent.ts';

const pullable = {
  connector: { slug: 'wristband', quotas: [{ scope: 'app', requests: 10, perMs: 60_000, window: 'aligned' }] },
  connection: { connectionId: 'c', teamId: 't', application: 'platform' },
} as unknown as Pullable;
const response = { status: 200, headers: {}, body: {}, bytes: Buffer.alloc(0), version: 1n };
const send: ProviderSend = async () => response;
const random = () => 0.5;

/** A budget that returns these permits in turn, and grants thereafter. */
function budgetOf(permits: Permit[], settle = async () => {}): { readonly budgets: Budgets; ended: number } {
  const counted = { ended: 0 };
  const budgets: Budgets = {
    take: async () => permits.shift() ?? { isGranted: true },
    callEnded: () => void (counted.ended += 1),
    putBack: () => {},
    reported: () => {},
    settle,
    stop: async () => {},
    turnEnded: () => {},
    returnUnused: async () => {},
  };
  return Object.assign(counted, { budgets });
}
const work = { lane: 'live', signal: new AbortController().signal } as const;
const settings = { ...defaultSettings, quotaWaitMs: 0, quotaWaitStartedMs: 1000 };
const refused: Permit = { isGranted: false, freeInMs: 1 };

test('releases a call once when recording its end fails', async () => {
  const counted = budgetOf([], () => Promise.reject(new Error('no database')));
  const limited = openProviderCalls({ random, budgets: counted.budgets, longWaits: createLongWaitSlots(1), settings }, pullable).limited(
    send,
    work,
  );
  await expect(limited('GET', '/', {})).rejects.toThrow('no database');
  expect(counted.ended).toBe(1);
});

test('a later call waits longer only while the process has a slot for it, and returns the slot', async () => {
  const longWaits = createLongWaitSlots(1);
  const { budgets } = budgetOf([{ isGranted: true }, refused, { isGranted: true }, refused]);
  const limited = openProviderCalls({ random, budgets, longWaits, settings }, pullable).limited(send, work);
  await limited('GET', '/', {});
  await limited('GET', '/', {});
  expect(longWaits.take()).toBe(true);
  const error: unknown = await limited('GET', '/', {}).catch((thrown: unknown) => thrown);
  expect(readSpent(error)).toMatchObject({ scope: 'app', isInterrupted: true });
});

test('a deadline is paused exactly while a call waits', async () => {
  const seen: string[] = [];
  const { budgets } = budgetOf([{ isGranted: true }, refused]);
  const deadline = {
    hold() {
      seen.push('held');
      return () => void seen.push('on');
    },
  };
  const limited = openProviderCalls({ random, budgets, longWaits: createLongWaitSlots(1), settings }, pullable).limited(send, {
    ...work,
    deadline,
  });
  await limited('GET', '/', {});
  expect(seen).toEqual([]);
  await limited('GET', '/', {});
  expect(seen).toEqual(['held', 'on']);
});
