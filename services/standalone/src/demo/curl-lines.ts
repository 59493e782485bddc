import { utcDay } from '@pulsewire/kernel';

/** Commands for pasting into a shell, beginning with the one that sets the key. They do not contain the key itself. */
export function curlLines(options: {
  readonly baseUrl: string;
  readonly setKeyLine: string;
  readonly userId: string;
  readonly receiverUrl: string;
}): readonly string[] {
  const { baseUrl, userId } = options;
  const since = utcDay(Date.now() - 2 * 86_400_000);
  return [
    `  ${options.setKeyLine}`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/summary/activity/${userId}?start_date=${since}'`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/timeseries/${userId}/steps/grouped?start_date=${since}' | head -c 1000`,
    `  curl -s -H "x-service-api-key: $API_KEY" '${baseUrl}/v2/user/resolve/demo-oura'   # the user of any other provider`,
    `  curl -s '${options.receiverUrl}' | head -c 1000`,
  ];
}
