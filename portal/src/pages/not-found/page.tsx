import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Alone } from '../../frame/alone.tsx';
import { Page } from '../../parts/page/page.tsx';

export default function NotFound() {
  return (
    <Alone>
      <Page title="Page not found">
        <p>
          The address is wrong, or the page belongs to an account that you are not a member of.{' '}
          <Anchor component={Link} href="/" underline="always">
            Go to your account
          </Anchor>
          .
        </p>
      </Page>
    </Alone>
  );
}
