import { expect, it } from 'vitest';
import { eachOf } from './each-of.ts';

it('runs the parts after a failed one, and then throws its error', async () => {
  const ran: number[] = [];
  const part = (number: number) => async () => {
    ran.push(number);
    if (number === 2) throw new Error('refused');
    return number;
  };
  await expect(eachOf([part(1), part(2), part(3)])).rejects.toThrow('refused');
  expect(ran).toEqual([1, 2, 3]);
  expect(await eachOf([part(1), part(3)])).toEqual([1, 3]);
});
