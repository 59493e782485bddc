// The sink in a separate process, so that it does not share an event loop with the measured code.
import { createSink } from '@pulsewire/sandbox';

const sink = await createSink({ recordedArrivalsMax: 2_000_000 });
process.on('message', (message) => {
  if (message === 'count') process.send?.({ count: sink.count() });
  if (message === 'arrivals') process.send?.({ arrivals: [...sink.arrivals()] });
  if (message === 'reset') {
    sink.reset();
    process.send?.({ reset: true });
  }
});
process.once('disconnect', () => void sink.close());
process.send?.({ url: sink.url });
