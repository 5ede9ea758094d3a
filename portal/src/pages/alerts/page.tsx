import { useAsk } from '../../api/hooks.ts';
import { Answer } from '../../parts/answer.tsx';
import { Page } from '../../parts/page/page.tsx';
import { ChannelSection } from './channels.tsx';
import { FiringSection } from './firing.tsx';
import { HistorySection } from './history.tsx';
import { RuleSection } from './rules.tsx';

const EVERY_MS = 15_000;

export default function Alerts() {
  const alerts = useAsk('GET accounts/:account/alerts', {}, { every: EVERY_MS });
  // The badge in the navigation keeps up with the page.
  useAsk('GET accounts/:account/alerts/count', {}, { every: EVERY_MS });
  return (
    <Page
      title="Alerts"
      about="The service looks at these rules about once a minute, and tells the people and places below when one fires and when it is over."
    >
      <Answer of={alerts}>
        {({ firing, over, rules, channels }) => (
          <>
            <FiringSection alerts={firing} />
            <ChannelSection channels={channels} />
            <RuleSection rules={rules} />
            <HistorySection alerts={over} />
          </>
        )}
      </Answer>
    </Page>
  );
}
