import { Alert, Button } from '@mantine/core';
import { problemOf, sentencesOf } from '../../api/problem.ts';

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  const problem = problemOf(error);
  return (
    <Alert color="red" title={problem.title} role="alert">
      <p>{[problem.message, ...sentencesOf(problem.errors)].join(' ')}</p>
      {retry !== undefined && (
        <Button size="xs" variant="default" onClick={() => retry()}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
