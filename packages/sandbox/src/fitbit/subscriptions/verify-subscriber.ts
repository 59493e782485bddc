import { randomBase62 } from '@pulsewire/kernel';
import { callSubscriber } from '../../kit/push/call-subscriber.ts';

/** What a subscriber answered to the two questions of its registration. */
export interface Verification {
  readonly isVerified: boolean;
  /** 204 expected. */
  readonly statusForRightCode: number | undefined;
  /** 404 expected. */
  readonly statusForWrongCode: number | undefined;
}

/** Asks `?verify=` twice, with the right and with a wrong code. */
export async function verifySubscriber(url: string, code: string, deadlineMs: number, signal: AbortSignal): Promise<Verification> {
  const ask = (verify: string) => {
    const target = new URL(url);
    target.searchParams.set('verify', verify);
    return callSubscriber({ url: target.toString(), method: 'GET', deadlineMs, signal });
  };
  const statusForRightCode = await ask(code);
  const statusForWrongCode = await ask(randomBase62(code.length + 1));
  return { isVerified: statusForRightCode === 204 && statusForWrongCode === 404, statusForRightCode, statusForWrongCode };
}
