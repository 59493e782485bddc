import { sleep } from '@pulsewire/kernel';

/** The results of an order as the API shows them, by code of the analyte; null: not measured. */
export type ShownResults = ReadonlyMap<string, string | null>;

interface ResultsBody {
  readonly results: readonly { readonly provider_id: string; readonly result: string }[];
  readonly missing_results: readonly { readonly provider_id: string }[] | null;
}

/** Reads the results of orders from the API; without results an order has none. */
export async function readResults(url: string, apiKey: string, orderIds: readonly string[]): Promise<ReadonlyMap<string, ShownResults>> {
  const shown = new Map<string, ShownResults>();
  for (const orderId of orderIds) {
    const path = `${url}/v3/order/${orderId}/result`;
    let response = await fetch(path, { headers: { 'x-service-api-key': apiKey } });
    for (let tries = 0; response.status >= 500 && tries < 20; tries++) {
      await sleep(500);
      response = await fetch(path, { headers: { 'x-service-api-key': apiKey } });
    }
    if (response.status === 404) continue;
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    const { results, missing_results: missing } = (await response.json()) as ResultsBody;
    const lacking = (missing ?? []).map((one) => [one.provider_id, null] as const);
    shown.set(orderId, new Map([...lacking, ...results.map((one) => [one.provider_id, one.result] as const)]));
  }
  return shown;
}
