import { afterAll, describe } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { allPartners, createPartnerDirectory } from '@pulsewire/labs';
import { describeKits, describeLab } from '@pulsewire/labs/testing';
import { createHttpClient } from '@pulsewire/outbound';
import { createLabCompany, type SignedWebhook } from '@pulsewire/sandbox';

const http = createHttpClient({ userAgent: 'test' });
afterAll(() => http.close());

const real = { isSandbox: false };
const pushOf = ({ headers, body }: SignedWebhook) => ({ headers, body: Buffer.from(body) });

async function open() {
  const company = await createLabCompany();
  const { baseUrl, token, webhookSecret } = company;
  const given = { baseUrl, token, webhookSecret, labs: 'quest' };
  const directory = createPartnerDirectory(allPartners, { clock: systemClock, http, settings: { lab: given, kits: given } });
  return { company, directory };
}

describe('a lab over HTTP', () => {
  describeLab(async () => {
    const { company, directory } = await open();
    return {
      partner: directory.get('lab', 'quest', real),
      fail: (how) => company.faults.push(how),
      received: (orderId, sampleId) =>
        pushOf(
          company.labWebhook([{ kind: 'state', order_id: orderId, sample_id: sampleId, state: 'received', at: new Date().toISOString() }]),
        ),
      close: () => company.close(),
    };
  });
});

describe('a company that sends kits over HTTP', () => {
  describeKits(async () => {
    const { company, directory } = await open();
    return {
      partner: directory.get('kits', 'quest', real),
      fail: (how) => company.faults.push(how),
      sent: (orderId) => pushOf(company.move(orderId, 'transit_customer', new Date())),
      close: () => company.close(),
    };
  });
});
