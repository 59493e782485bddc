import { Type } from 'typebox';
import { DetailBody, UserParams } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { signPhoneOut } from '@pulsewire/intake';
import { phoneProviderOf } from '@pulsewire/providers';
import { defineRoute, noContent } from '../../route/route.ts';
import { assertSender } from './assert-sender.ts';

const Params = Type.Object({
  ...UserParams.properties,
  provider: Type.String({ minLength: 1, maxLength: 60, description: 'apple, google (Health Connect) or samsung.' }),
});

export const signPhoneOutRoute = defineRoute({
  method: 'DELETE',
  path: '/api/v1/users/{user_id}/connections/{provider}',
  operationId: 'signPhoneOut',
  area: 'phones',
  auth: 'phone',
  summary: 'Disconnect the health store of a phone',
  description:
    'Called by the mobile SDKs when a person signs out, with the access token of the phone. Batches that were sent before are stored first. Stored data remain; the next batch connects the health store again.',
  params: Params,
  responses: {
    204: { description: 'Disconnected, or not connected.' },
    401: { description: 'No token or key, or one that is not valid.', schema: DetailBody },
  },
  failures: [400, 403, 404, 503],
  async handler(context, { params: { user_id: userId, provider: name } }) {
    const sender = await assertSender(context, userId);
    const provider = phoneProviderOf(name);
    if (!provider)
      throw new AppError({ code: 'provider_unknown', kind: 'invalid', message: "The provider must be 'apple', 'google' or 'samsung'" });
    await signPhoneOut(context.phone.receiving, { ...sender, provider });
    return noContent;
  },
});
