import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { AlonePage } from '../../frame/alone.tsx';

export default function NotFound() {
  return (
    <AlonePage title="Page not found">
      <p>
        The address is wrong, or the page belongs to an account that you are not a member of.{' '}
        <Anchor component={Link} href="/" underline="always">
          Go to your account
        </Anchor>
        .
      </p>
    </AlonePage>
  );
}
