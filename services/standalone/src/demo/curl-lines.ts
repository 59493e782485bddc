/** Three commands that work when pasted. */
export function curlLines(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly userId: string;
  readonly receiverUrl: string;
}): readonly string[] {
  const { baseUrl, apiKey, userId } = options;
  const since = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  return [
    `  curl -s -H 'x-service-api-key: ${apiKey}' '${baseUrl}/v2/summary/activity/${userId}?start_date=${since}'`,
    `  curl -s -H 'x-service-api-key: ${apiKey}' '${baseUrl}/v2/timeseries/${userId}/steps/grouped?start_date=${since}' | head -c 1000`,
    `  curl -s '${options.receiverUrl}' | head -c 1000`,
  ];
}
