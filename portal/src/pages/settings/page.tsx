import { useAsk } from '../../api/hooks.ts';
import { useMay } from '../../frame/account.ts';
import { Answer } from '../../parts/answer.tsx';
import { Begun } from '../../parts/form/begun.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Page } from '../../parts/page/page.tsx';
import { SettingsForm } from './settings-form.tsx';

export default function SettingsPage() {
  const settings = useAsk('GET accounts/:account/settings', {});
  const mayChange = useMay('owner');
  return (
    <Page
      title="Settings"
      about="What this account decides for itself. An empty field uses the service’s default, which stands in grey. Changes apply from the next code on."
    >
      <Answer of={settings} lines={8}>
        {(view) => (
          <>
            {!mayChange && (
              <Empty title="Only owners can change settings">You see the settings in use.</Empty>
            )}
            <Begun now={view} read={async () => (await settings.refetch()).data} follows>
              {(begun) => <SettingsForm view={begun} mayChange={mayChange} />}
            </Begun>
          </>
        )}
      </Answer>
    </Page>
  );
}
